package rules

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"taste/env"
	"taste/role"
	"taste/toolseq"
)

func vocab(t testing.TB, d *env.Domain) toolseq.Vocab {
	var v toolseq.Vocab
	for _, s := range d.Tools {
		ty, err := toolseq.ParseType(strings.ToLower(string(s.Type)))
		if err != nil {
			t.Fatal(err)
		}
		v.Names, v.Types = append(v.Names, s.Name), append(v.Types, ty)
	}
	return v
}

// TestJudgeAndAuthorAgree: of the sequences that the judge accepts, the author
// finds a task for nearly all.
func TestJudgeAndAuthorAgree(t *testing.T) {
	d, c, b := packDomain(t)
	v := vocab(t, d)
	names := func(seq []int) []string {
		out := make([]string, len(seq))
		for i, x := range seq {
			out[i] = v.Names[x]
		}
		return out
	}
	judge := func(seq []int) toolseq.Verdict {
		x := c.Judge(names(seq))
		return toolseq.Verdict{Plausible: x.Plausible, Bad: x.Bad(), Reason: x.Why()}
	}
	p := toolseq.BestParams()
	start := time.Now()
	tr, err := toolseq.Train(context.Background(), v, p, 7, judge, nil, 3000)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("train %v %+v", time.Since(start), tr.Counts())
	f := tr.Model().Freeze(1.5)
	seqs, err := toolseq.Pool(f, 600, 11, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := NewAuthor(d, c, b)
	acc, built, n := 0, 0, 0
	start = time.Now()
	for i, s := range seqs {
		ok := c.Judge(names(s)).Plausible
		if ok {
			acc++
		}
		if !ok || n >= 300 {
			continue
		}
		n++
		t0 := time.Now()
		_, err := a.Draft(context.Background(), "x", names(s), uint64(i))
		if err == nil {
			built++
		} else if errors.Is(err, role.ErrUnbuildable) {
			t.Logf("%v %v: %v", time.Since(t0).Round(time.Millisecond), names(s), err)
		} else {
			t.Fatal(err)
		}
	}
	t.Logf("accepted %d of %d; built %d of %d in %v", acc, len(seqs), built, n, time.Since(start))
}
