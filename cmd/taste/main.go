// Command taste writes hard, broad, verified benchmark tasks for agents that use
// tools, in the schema of τ²-bench, and checks any tasks of that schema.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"taste/internal/ui"
	"taste/person"
)

// version names what made a run directory.
const version = "taste 0.1.0"

// app is all state of the process that commands use.
type app struct {
	in       io.Reader
	out      io.Writer // results
	log      io.Writer // progress and errors
	now      func() time.Time
	getenv   func(string) string
	terminal bool // log is one

	seat *person.Terminal // where people play; made once it is needed
}

func main() { os.Exit(program()) }

// program is main with an exit code, so that tests can be the program.
func program() int {
	boundMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{in: os.Stdin, out: os.Stdout, log: os.Stderr, now: time.Now, getenv: os.Getenv, terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	return a.main(ctx, os.Args[1:])
}

// progress makes the display of a command: events go to the results' stream.
func (a *app) progress(machine bool) *ui.Progress {
	switch {
	case machine:
		return ui.New(ui.Events, a.out, a.now)
	case a.terminal:
		return ui.New(ui.Terminal, a.log, a.now)
	default:
		return ui.New(ui.Plain, a.log, a.now)
	}
}
