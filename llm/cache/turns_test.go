package cache

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/internal/hint"
	"taste/llm"
)

// talk has a conversation of so many calls, which begins with a request, and returns
// their keys.
func talk(t *testing.T, m llm.Model, r *llm.Request, calls int) (keys []string) {
	t.Helper()
	for range calls {
		keys = append(keys, keyHex(t, "test/m", r))
		res := call(t, m, r)
		r.Messages = append(r.Messages, res.Message, llm.Message{Role: chat.Tool, CallID: "1", Text: "so"})
	}
	return keys
}

// lines reads the calls of a file.
func lines(t *testing.T, path string) (out []line) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(text)) {
		var l line
		if err := json.Unmarshal([]byte(row), &l); err != nil {
			t.Fatal(err)
		}
		if l.Key != "" {
			out = append(out, l)
		}
	}
	return out
}

// Of a conversation each turn is written once, in the same process and in one that
// goes on with the file.
func TestStoreWritesTurnsOnce(t *testing.T) {
	path, r := file1(t), asks("a")
	keys := talk(t, opened(t, path).Model(&echo{}), r, 2)
	keys = append(keys, talk(t, opened(t, path).Model(&echo{}), r, 2)...)
	for i, l := range lines(t, path) {
		after, turns := "", `[{"role":"user","text":"a"}]`
		if i > 0 {
			after, turns = keys[i-1], `[{"role":"tool","text":"so","call_id":"1"}]`
		}
		if got, _ := compact(l.Turns); l.Key != keys[i] || l.After != after || string(got) != turns || strings.Contains(string(l.Request), "messages") {
			t.Errorf("line %d: key %s after %q with %s", i, l.Key, l.After, got)
		}
	}
	e := &echo{}
	talk(t, opened(t, path).Model(e), asks("a"), 4)
	if e.calls != 0 {
		t.Errorf("%d calls are made again", e.calls)
	}
}

// Whoever asks once more, says something else or was answered otherwise gets a call of
// its own, after what it has in common with one that is kept.
func TestStoreTurnsPart(t *testing.T) {
	path := file1(t)
	s := opened(t, path)
	r := asks("a")
	keys := talk(t, s.Model(&echo{}), r, 2)
	again, other, changed := *r, *r, *r
	again.Messages, again.Trial = r.Messages[:3], 5
	other.Messages = append(append([]llm.Message{}, r.Messages[:4]...), llm.Message{Role: chat.User, Text: "no"})
	changed.Messages = append([]llm.Message{}, r.Messages...)
	changed.Messages[1].Text = "another answer"
	for _, x := range []*llm.Request{&again, &other, &changed} {
		call(t, s.Model(&echo{}), x)
	}
	got := lines(t, path)[2:]
	for i, want := range []struct {
		after string
		turns int
	}{{keys[0], 1}, {keys[1], 1}, {"", 5}} {
		if got[i].After != want.after || len(got[i].Turns) != want.turns {
			t.Errorf("%d: after %q come %d turns, want %q, %d", i, got[i].After, len(got[i].Turns), want.after, want.turns)
		}
	}
	// What is kept is found, and told in full where it is not what is asked for.
	ro, err := OpenReplay(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	for _, x := range []*llm.Request{&again, &other, &changed} {
		call(t, ro.Replay("test/m"), x)
	}
	other.Messages[4].Text = "yes"
	if _, err := ro.Replay("test/m").Call(t.Context(), &other); err == nil || !strings.Contains(err.Error(), `differs in messages[4].text: kept "no", asked "yes"`) {
		t.Error(err)
	}
}

// A conversation of many turns takes room by what is said, not by how often.
func TestStoreGrowsByWhatIsSaid(t *testing.T) {
	path := file1(t)
	r := asks(strings.Repeat("x", 10_000))
	r.Label = llm.Label{}
	talk(t, opened(t, path).Model(&echo{}), r, 60)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(61*10_000 + 60*1_000); info.Size() > most { // the echo says it 60 times
		t.Errorf("%d bytes", info.Size())
	}
}

// Calls that rest on a line which is gone are not kept, whichever line that is: they are
// made again, replay says of what it lacks, and the file is whole from then on.
func TestStoreMissesTheCallBefore(t *testing.T) {
	begin := func() *llm.Request {
		r := asks("a")
		r.System = "policy"
		return r
	}
	path := file1(t)
	talk(t, opened(t, path).Model(&echo{}), begin(), 4)
	text, _ := os.ReadFile(path)
	for gone, kept := range []int{0, 0, 1, 2, 3} { // lines: shared, and four calls
		rows := slices.Delete(strings.SplitAfter(string(text), "\n"), gone, gone+1)
		if err := os.WriteFile(path, []byte(strings.Join(rows, "")), 0o666); err != nil {
			t.Fatal(err)
		}
		ro, err := OpenReplay(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(slices.Collect(ro.All())); n != kept {
			t.Errorf("without line %d: %d calls are kept, want %d", gone+1, n, kept)
		}
		_, err = ro.Replay("test/m").Call(t.Context(), asks("b"))
		orphans := len(rows) - 1 - kept // less the empty rest
		if gone > 0 {
			orphans-- // what is shared
		}
		if says := err != nil && strings.Contains(err.Error(), fmt.Sprintf("are gone from the file, so that calls do not count that stand in it: %d,", orphans)); llm.ClassOf(err) != llm.Miss || says != (orphans > 0) {
			t.Errorf("without line %d: replay says %v", gone+1, err)
		}
		_ = ro.Close()
		for _, want := range []int{4 - kept, 0} {
			e := &echo{}
			s := opened(t, path)
			talk(t, s.Model(e), begin(), 4)
			if e.calls != want {
				t.Errorf("without line %d: %d calls, want %d", gone+1, e.calls, want)
			}
		}
	}
}

// A line that holds nothing is told apart from one that is torn, and may be taken out.
func TestStoreRefusesLinesOfNothing(t *testing.T) {
	for want, bad := range map[string]string{"2: it is blank": " \t", "2: 2 of its 2 bytes are zero": "\x00\x00", "2: 1 of its 3 bytes are zero": "{}\x00"} {
		path := file1(t)
		talk(t, opened(t, path).Model(&echo{}), asks("a"), 2)
		text, _ := os.ReadFile(path)
		head, rest, _ := strings.Cut(string(text), "\n")
		if err := os.WriteFile(path, []byte(head+"\n"+bad+"\n"+rest), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(hint.Of(err), "take the line out") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Files of an earlier program, which wrote all turns into each request, are read, gone
// on with, and held to their hashes.
func TestStoreReadsEarlierFiles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "earlier.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := file1(t)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	s, e := opened(t, path), &echo{}
	r := asks("a")
	r.System, r.MaxTokens, r.Extra = "policy", 7, map[string]any{"top_k": 40}
	for range 5 {
		res := call(t, s.Model(e), r)
		r.Messages = append(r.Messages, res.Message, llm.Message{Role: chat.Tool, CallID: "1", Text: "<so>"})
	}
	if after, _ := os.ReadFile(path); e.calls != 2 || !strings.HasPrefix(string(after), string(text)) {
		t.Errorf("%d calls are made, and the file is\n%s", e.calls, after)
	}
	if all := lines(t, path); len(all) != 5 || all[3].After != "" || len(all[3].Turns) != 7 || all[4].After != all[3].Key || len(all[4].Turns) != 1 {
		t.Errorf("kept %+v", all[3:])
	}
	r = asks("a")
	r.System, r.MaxTokens = "policy", 7
	if _, err := s.Replay("test/m").Call(t.Context(), r); err == nil || !strings.Contains(err.Error(), `differs in extra: kept {"top_k":40}, asked nothing`) {
		t.Error(err)
	}
	for i, old := range []string{`"role":"user"`, `"max_tokens":7`, `"text":"<so>"`} {
		edited := fmt.Sprint(`"edited":`, i)
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, edited, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenReplay(path); err == nil || !strings.Contains(err.Error(), "edited") {
			t.Errorf("%s: %v", old, err)
		}
	}
}
