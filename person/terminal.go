package person

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Terminal is where somebody reads and types. All parties at it share one; it
// serves one conversation at a time.
type Terminal struct {
	out   io.Writer
	in    io.Reader
	lines chan string
	begin sync.Once
}

// NewTerminal makes a terminal of what is typed and what is shown.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	return &Terminal{in: in, out: out, lines: make(chan string)}
}

// errClosed says that nothing more will be typed. It is no failure of a party.
var errClosed = errors.New("the terminal was closed")

// listen hands on what is typed, line by line. A read cannot be interrupted, so
// it is done apart: a conversation may end while nothing is typed.
func (t *Terminal) listen() {
	s := bufio.NewScanner(t.in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		t.lines <- s.Text()
	}
	close(t.lines)
}

// ask shows a prompt and returns the line that is typed then.
func (t *Terminal) ask(ctx context.Context, prompt string) (string, error) {
	t.begin.Do(func() { go t.listen() })
	t.show("%s", prompt)
	select {
	case line, ok := <-t.lines:
		if !ok {
			return "", errClosed
		}
		return strings.TrimRight(line, " \t\r"), nil
	case <-ctx.Done():
		t.show("\n")
		return "", ctx.Err()
	}
}

// show writes to the terminal, whose loss shows when something is asked.
func (t *Terminal) show(format string, args ...any) {
	_, _ = fmt.Fprintf(t.out, format, args...)
}
