package rules

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"taste/contract"
	"taste/domain/airline"
	"taste/env"
	"taste/internal/shared"
	"taste/phrase"
	"taste/role"
)

func packDomain(t testing.TB) (*env.Domain, *contract.Contract, *phrase.Book) {
	t.Helper()
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-airline"), env.Registry{env.Key("airline", "tau2"): airline.Native})
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(airline.Contract())
	if err != nil {
		t.Fatal(err)
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, airline.Phrases()...)...)
	if err != nil {
		t.Fatal(err)
	}
	return pack.Domain, c, b
}

func TestDraftLabels(t *testing.T) {
	d, c, b := packDomain(t)
	a := NewAuthor(d, c, b)
	f, err := os.Open(filepath.Join(shared.Dir(t), "labels", "airline.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	n, ok := 0, 0
	for sc.Scan() {
		var l struct {
			ID       string
			Sequence []string
		}
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if !c.Judge(l.Sequence).Plausible {
			continue
		}
		n++
		start := time.Now()
		dr, err := a.Draft(context.Background(), l.ID, l.Sequence, uint64(n))
		if errors.Is(err, role.ErrUnbuildable) {
			t.Logf("%v %s %v: %v", time.Since(start).Round(time.Millisecond), l.ID, l.Sequence, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		task, err := a.Tell(context.Background(), dr, uint64(n))
		if err != nil {
			t.Logf("%s: %v", l.ID, err)
			continue
		}
		ok++
		t.Logf("%v %s tries %d adds %v wishes %v rules %d", time.Since(start).Round(time.Millisecond), l.ID, dr.Meta.Tries, dr.Meta.Adds, dr.Meta.Wishes, len(dr.Meta.Rules))
		if ok%10 == 1 {
			t.Logf("%+v", *task.UserScenario.Instructions.Structured)
			for _, act := range task.EvaluationCriteria.Actions {
				t.Logf("   %s %v", act.Name, act.Arguments)
			}
			t.Logf("   %v", task.EvaluationCriteria.CommunicateInfo)
		}
	}
	t.Logf("%d of %d", ok, n)
}
