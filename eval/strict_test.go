package eval_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/eval"
	"taste/internal/shared"
	"taste/pyjson"
	"taste/tau"
)

// TestStrictSaysWhyItDiffers scores every recorded conversation in both modes:
// compat as recorded, and strict with a reason wherever it differs.
func TestStrictSaysWhyItDiffers(t *testing.T) {
	for domain := range natives {
		t.Run(domain, func(t *testing.T) {
			pack := loadPack(t, domain)
			files, _ := filepath.Glob(filepath.Join(shared.Dir(t), "parity", "tau2-"+domain+"-*rewards.jsonl.gz"))
			if len(files) == 0 {
				t.Skip("parity/tau2-" + domain + "-*rewards.jsonl.gz are missing")
			}
			for _, f := range files {
				set := "default"
				if strings.Contains(f, "verified") {
					set = "verified"
				}
				bothModes(t, pack, set, f)
			}
		})
	}
}

func bothModes(t *testing.T, pack *env.Pack, set, path string) {
	t.Helper()
	tasks, err := pack.Tasks(set)
	if err != nil {
		t.Fatal(err)
	}
	scorers := map[string]*eval.Scorer{}
	for i := range tasks {
		scorers[tasks[i].ID] = eval.NewScorer(pack.Domain, &tasks[i])
	}
	reasons := map[string]int{}
	n := 0
	for line := range recordedLines(t, path) {
		n++
		r := chat.NewReader(line, "")
		id, c := r.String("task"), recorded(r)
		s := scorers[id].Score(c, eval.Options{})
		where := filepath.Base(path) + " " + id + " " + r.StringOr("variant", "")
		want := chat.NewReader(r.Object("reward_info"), "").OptFloat("reward")
		reward, ok := s.CompatReward()
		if raised := r.OptString("raised"); raised != nil && s.Raised == nil || raised == nil && (!ok || reward != *want) {
			t.Errorf("%s: compat has %v, %v", where, reward, s.Raised)
		}
		if same := ok && s.Strict != nil && *s.Strict == reward; !same && len(s.Differs) == 0 {
			t.Errorf("%s: strict differs without a why: %+v", where, s)
		}
		for _, k := range s.Checks {
			if k.InBasis && k.Strict == eval.Failed && len(k.Evidence) == 0 {
				t.Errorf("%s: %s failed without evidence", where, k.Kind)
			}
			if k.Kind == tau.EnvAssertionReward && k.Strict == eval.Failed && !strings.Contains(k.Evidence[0], ", want ") && !strings.Contains(k.Evidence[0], " fails: ") {
				t.Errorf("%s: what fails does not stand first: %q", where, k.Evidence)
			}
			if differs := k.Compat != nil && (k.Strict == eval.Met) != (*k.Compat == 1); differs && k.Why == "" {
				t.Errorf("%s: %s is %v in compat, %s in strict without a why", where, k.Kind, *k.Compat, k.Strict)
			}
		}
		if d := strings.Join(s.Differs, "; "); d != "" {
			if strings.Contains(d, ": ;") || strings.HasSuffix(d, ": ") {
				t.Errorf("%s: an empty why: %s", where, d)
			}
			reasons[fmt.Sprintf("strict %s %s", strictly(s), d)]++
		}
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%s: %d of %d: %s", filepath.Base(path), reasons[why], n, why)
	}
}

func strictly(s *eval.Score) string {
	if s.Strict == nil {
		return "open"
	}
	return fmt.Sprint(*s.Strict)
}

// recorded is the conversation of a trace.
func recorded(r *chat.Reader) *eval.Conversation {
	c := &eval.Conversation{Termination: r.String("termination_reason"), Messages: chat.ReadList(r, "messages", chat.ReadMessage)}
	list, _ := r.List("nl_verdicts")
	for _, v := range list {
		c.Verdicts = append(c.Verdicts, eval.Verdict{Met: v.(bool)})
	}
	return c
}

// recordedLines reads a gzipped file of JSON lines.
func recordedLines(t *testing.T, path string) iter.Seq[*pyjson.Object] {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<26)
	return func(yield func(*pyjson.Object) bool) {
		for lines.Scan() {
			o, err := pyjson.DecodeObject(lines.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if !yield(o) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
