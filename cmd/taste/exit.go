package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"taste/env"
	"taste/internal/hint"
	"taste/llm"
	"taste/run"
	"taste/tau"
)

// The exit codes.
const (
	codeDone        = 0
	codeFindings    = 1
	codeInput       = 2
	codeRefused     = 3
	codeFault       = 4
	codeInterrupted = 130
)

// errFindings ends a command that did its work and found something. What it
// found is printed already.
var errFindings = errors.New("findings")

// inputError marks what the caller can correct.
type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

// usage makes an inputError with advice.
func usage(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return inputError{hint.Add(err, format, args...)}
}

// exit prints an error with its advice and returns the exit code.
func (a *app) exit(err error) int {
	if err == nil {
		return codeDone
	}
	if errors.Is(err, errFindings) {
		return codeFindings
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.log, "taste: interrupted; the same command goes on from here")
		return codeInterrupted
	}
	fmt.Fprintln(a.log, "taste:", err)
	if h := hint.Of(err); h != "" {
		fmt.Fprintln(a.log, "  hint:", h)
	}
	return code(err)
}

func code(err error) int {
	var input inputError
	var pack *env.PackError
	var file *tau.FileError
	class := llm.ClassOf(err)
	switch {
	case errors.Is(err, run.ErrTooFew), class == llm.OverBudget:
		return codeFindings
	case class == llm.Auth, class == llm.Refused, class == llm.Miss, errors.Is(err, llm.ErrUseless), errors.As(err, &input), errors.As(err, &pack), errors.As(err, &file), errors.Is(err, fs.ErrNotExist):
		return codeInput
	case errors.Is(err, fs.ErrExist), errors.Is(err, run.ErrDifferent), errors.Is(err, run.ErrLocked), errors.Is(err, run.ErrNoRun), errors.Is(err, run.ErrMissing), errors.Is(err, run.ErrEdited), errors.Is(err, run.ErrGone), errors.Is(err, run.ErrManifest):
		return codeRefused
	}
	return codeFault
}
