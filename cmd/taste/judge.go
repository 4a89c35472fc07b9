package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"taste/chat"
	"taste/internal/hint"
	"taste/pyjson"
)

// asked is a line of a file of sequences; other keys are ignored.
type asked struct {
	ID       json.RawMessage
	Sequence []string
}

// answered is a line of the answer.
type answered struct {
	ID        json.RawMessage `json:"id"`
	Plausible bool            `json:"plausible"`
	Bad       []int           `json:"bad"`
	Why       string          `json:"why"`
}

func (a *app) judgeCommand() *cobra.Command {
	var f sourceFlags
	var strict bool
	c := &cobra.Command{
		Use: "judge DOMAIN SEQUENCES.jsonl", Short: "Judge tool sequences by the domain's contract",
		Long: `Judge reads lines {"id", "sequence"} (a file, or - for standard input) and
writes lines {"id", "plausible", "bad", "why"}: bad lists 0-based positions. No
sequence of more than 200 calls is plausible. How many were implausible is said
at the end, on standard error.

Exit codes: 0 all were judged; 1 with --strict, some are implausible; 2 bad input.`,
		Args: positional(2, 2, "a domain and a file"),
	}
	f.add(c.Flags())
	c.Flags().BoolVar(&strict, "strict", false, "exit with 1 if any sequence is implausible")
	c.RunE = func(c *cobra.Command, args []string) error {
		src, err := f.load(args[0])
		if err != nil {
			return err
		}
		in, err := a.open(args[1])
		if err != nil {
			return err
		}
		n, err := judgeAll(src, args[1], in, a.out)
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
		fmt.Fprintf(a.log, "judge: %s, %d plausible, %d implausible\n", plural(n.all, "sequence"), n.all-n.bad, n.bad)
		if strict && n.bad > 0 {
			return errFindings
		}
		return nil
	}
	return c
}

// open opens a file, or standard input for "-".
func (a *app) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(a.in), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usage(err, "give an existing file, or - for standard input")
	}
	return f, nil
}

// judged counts sequences.
type judged struct{ all, bad int }

func judgeAll(src *source, name string, in io.Reader, out io.Writer) (judged, error) {
	var counts judged
	w := bufio.NewWriter(out)
	err := eachLine(in, func(n int, line []byte) error {
		q, err := readAsked(line)
		if err != nil {
			return usage(fmt.Errorf("%s: line %d: %w", name, n, err), `a line is {"id": "a", "sequence": ["tool", …]}`)
		}
		v := src.Contract.Judge(q.Sequence)
		counts.all++
		if !v.Plausible {
			counts.bad++
		}
		bad := v.Bad()
		if bad == nil {
			bad = []int{}
		}
		return json.NewEncoder(w).Encode(answered{ID: q.ID, Plausible: v.Plausible, Bad: bad, Why: v.Why()})
	})
	if flushed := w.Flush(); err == nil { // a writer that failed says so again
		err = flushed
	}
	return counts, err
}

func readAsked(line []byte) (asked, error) {
	v, err := pyjson.Decode(line)
	if err != nil {
		return asked{}, fmt.Errorf("broken JSON: %w", err)
	}
	r := chat.NewReader(v, "")
	r.NeedList("sequence")
	q := asked{Sequence: r.Strings("sequence")}
	id, ok := r.Value("id")
	if !ok {
		r.Fail("id", "required value is missing")
	}
	if q.ID = pyjson.Append(nil, id, pyjson.UTF8); !json.Valid(q.ID) {
		r.Fail("id", "want what JSON can hold")
	}
	return q, r.Err()
}

// eachLine calls f for every line that is not blank; n counts from 1.
func eachLine(in io.Reader, f func(n int, line []byte) error) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<26)
	for n := 1; s.Scan(); n++ {
		line := bytes.TrimSpace(s.Bytes())
		if n == 1 {
			line = pyjson.CutBOM(line)
		}
		if len(line) == 0 {
			continue
		}
		if err := f(n, line); err != nil {
			return err
		}
	}
	return hint.Add(s.Err(), "a line may have 64 MB")
}
