package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taste/chat"
	"taste/internal/hint"
	"taste/pyjson"
	"taste/role"
)

// asked is a line of a file of sequences; other keys are ignored.
type asked struct {
	ID       json.RawMessage
	Sequence []string
}

// answered is a line of the answer.
type answered struct {
	ID json.RawMessage `json:"id"`
	role.Verdict
}

// judgeFlags are those of `taste judge`.
type judgeFlags struct {
	source sourceFlags
	judge  string
	judges []string
	models string
	calls  string
	strict bool
}

func (a *app) judgeCommand() *cobra.Command {
	var f judgeFlags
	c := &cobra.Command{
		Use: "judge DOMAIN SEQUENCES.jsonl", Short: "Judge tool sequences by the domain's contract, or by models",
		Long: `Judge reads lines {"id", "sequence"} (a file, or - for standard input) and
writes lines {"id", "plausible", "bad", "why"}: bad lists 0-based positions. By the
contract no sequence of more than 200 calls is plausible. How many were
implausible is said at the end, on standard error.

With --judges several judge, rules among them if they are named, and the majority
decides: lines have the votes, and the end says how far they agree beyond chance.
docs/llm-roles.md tells how models judge.

Exit codes: 0 all were judged; 1 with --strict, some are implausible; 2 bad input.`,
		Args: positional(2, 2, "a domain and a file"),
	}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error { return a.judge(c.Context(), &f, args) }
	return c
}

func (f *judgeFlags) add(fs *pflag.FlagSet) {
	f.source.add(fs)
	fs.StringVar(&f.judge, "judge", "rules", "who judges: rules or MODEL")
	fs.StringSliceVar(&f.judges, "judges", nil, "several who judge together: MODELs, and rules if you like")
	fs.StringVar(&f.models, "models", "", "YAML file that says how models are reached")
	fs.StringVar(&f.calls, "calls", "", "file in which models' answers are kept, so that no question is asked twice")
	fs.BoolVar(&f.strict, "strict", false, "exit with 1 if any sequence is implausible")
}

func (a *app) judge(ctx context.Context, f *judgeFlags, args []string) (err error) {
	src, err := f.source.load(args[0])
	if err != nil {
		return err
	}
	b, err := a.bench(f, src)
	if err != nil {
		return err
	}
	defer func() {
		b.models.lose(ctx)
		err = errors.Join(err, b.models.close())
	}()
	in, err := a.open(args[1])
	if err != nil {
		return err
	}
	verdicts, err := judgeAll(ctx, b, args[1], in, a.out)
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	bad := 0
	for _, v := range verdicts {
		if !v.Plausible {
			bad++
		}
	}
	fmt.Fprintf(a.log, "judge: %s, %d plausible, %d implausible\n", plural(len(verdicts), "sequence"), len(verdicts)-bad, bad)
	b.agreement(a.log, verdicts)
	if f.strict && bad > 0 {
		return errFindings
	}
	return nil
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

// atOnce is how many lines are read before they are judged.
const atOnce = 256

// judging is a file of sequences under way.
type judging struct {
	bench   *bench
	out     *json.Encoder
	waiting []asked
	done    []role.Verdict
}

// judgeAll judges the sequences of a file. What stands before a line that is none is
// judged all the same.
func judgeAll(ctx context.Context, b *bench, name string, in io.Reader, out io.Writer) ([]role.Verdict, error) {
	w := bufio.NewWriter(out)
	j := &judging{bench: b, out: json.NewEncoder(w)}
	err := eachLine(in, func(n int, line []byte) error {
		q, err := readAsked(line)
		if err != nil {
			err = usage(fmt.Errorf("%s: line %d: %w", name, n, err), `a line is {"id": "a", "sequence": ["tool", …]}`)
			return cmp.Or(j.next(ctx), err)
		}
		if j.waiting = append(j.waiting, q); len(j.waiting) < atOnce {
			return nil
		}
		return j.next(ctx)
	})
	if err == nil {
		err = j.next(ctx)
	}
	if flushed := w.Flush(); err == nil { // a writer that failed says so again
		err = flushed
	}
	return j.done, err
}

// next judges the sequences that wait, and writes the verdicts.
func (j *judging) next(ctx context.Context) error {
	verdicts, err := j.bench.all(ctx, j.waiting)
	if err != nil {
		return err
	}
	for i, v := range verdicts {
		if v.Bad == nil {
			v.Bad = []int{}
		}
		j.done = append(j.done, v)
		if err := j.out.Encode(answered{j.waiting[i].ID, v}); err != nil {
			return err
		}
	}
	j.waiting = nil
	return nil
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
