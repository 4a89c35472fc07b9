package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"taste/internal/shared"
)

// TestMain lets the test binary be the program, so that scripts and the crash
// test run what users run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"taste": func() { os.Exit(program()) }})
}

// workers are the scripts in which several workers do the work. With -short they
// alone run: there is nothing in the others for the race detector.
var workers = []string{"difficulty.txtar", "eval.txtar", "generate.txtar", "players.txtar"}

// The scripts in testdata/script document the command line. Those whose name
// begins with pack need the public packs.
func TestScripts(t *testing.T) {
	runScripts(t, func(name string) bool {
		return !strings.HasPrefix(name, "pack") && (!testing.Short() || slices.Contains(workers, name))
	}, nil)
}

func TestPackScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("no several workers: run without -short")
	}
	dir := shared.Dir(t)
	runScripts(t, func(name string) bool { return strings.HasPrefix(name, "pack") }, func(e *testscript.Env) error {
		e.Setenv("SHARED", dir)
		return nil
	})
}

func runScripts(t *testing.T, which func(string) bool, setup func(*testscript.Env) error) {
	t.Helper()
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range all {
		if which(filepath.Base(f)) {
			files = append(files, f)
		}
	}
	testscript.Run(t, testscript.Params{Files: files, Setup: setup, Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": exitCode}})
}

// exitCode is the script command `exit CODE COMMAND…`: the command must end with
// that code. Its output is there for stdout and stderr as after exec.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		got = strconv.Itoa(ended.ExitCode())
	}
	if got != args[0] {
		ts.Fatalf("%s ended with %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}
