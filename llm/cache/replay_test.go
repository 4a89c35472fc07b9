package cache

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"taste/internal/hint"
	"taste/llm"
)

func TestReplayMissNamesTheCall(t *testing.T) {
	path := file1(t)
	m := opened(t, path).Model(&echo{})
	kept := asks("Is this a plausible sequence of calls? get_user, book")
	kept.MaxTokens = 5
	call(t, m, kept)
	call(t, m, asks("quite another one"))
	other := asks("x")
	other.Label.Role = "author"
	call(t, m, other)

	s, err := OpenReplay(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	asked := asks("Is this a plausible sequence of calls? get_user, cancel")
	asked.MaxTokens, asked.Label = 5, llm.Label{Role: "judge", Stage: "sample", Item: "attempt 17"}
	for want, change := range map[string]func(r *llm.Request){
		`differs in messages[0].text: kept "…of calls? get_user, book", asked "…of calls? get_user, cancel"`: func(*llm.Request) {},
		`differs in max_tokens: kept 5, asked 6`:          func(r *llm.Request) { r.MaxTokens = 6; r.Messages = kept.Messages },
		`differs in trial: kept nothing, asked 3`:         func(r *llm.Request) { r.Trial = 3; r.Messages = kept.Messages },
		`differs in messages[1]: kept nothing, asked {"r`: func(r *llm.Request) { r.Messages = []llm.Message{kept.Messages[0], {Role: "user"}} },
		`differs in max_tokens: kept 5, asked nothing`:    func(r *llm.Request) { r.MaxTokens = 0; r.Messages = kept.Messages },
		`differs in schema: kept nothing, asked {"json`:   func(r *llm.Request) { r.Schema = &llm.Schema{JSON: json.RawMessage("{}")}; r.Messages = kept.Messages },
	} {
		r := *asked
		change(&r)
		_, err := s.Replay("test/m").Call(t.Context(), &r)
		if llm.ClassOf(err) != llm.Miss || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "judge, sample, attempt 17: no such call is kept in "+path) || hint.Of(err) == "" {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	r := *kept
	if _, err := s.Replay("test/n").Call(t.Context(), &r); err == nil || !strings.Contains(err.Error(), "differs in the model: kept \"test/m\", asked \"test/n\"") {
		t.Error(err)
	}
	r.Label = llm.Label{Role: "evolver"}
	r.Trial = 5
	if _, err := s.Replay("test/m").Call(t.Context(), &r); err == nil || strings.Contains(err.Error(), "nearest") {
		t.Error(err)
	}
}

func TestReplayLeavesTheFile(t *testing.T) {
	path := file1(t)
	if _, err := OpenReplay(path); err == nil {
		t.Error("no file is no error")
	}
	call(t, opened(t, path).Model(&echo{}), asks("a"))
	before, _ := os.ReadFile(path)
	torn := string(before) + `{"key":"`
	if err := os.WriteFile(path, []byte(torn), 0o444); err != nil {
		t.Fatal(err)
	}
	s, err := OpenReplay(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	call(t, s.Replay("test/m"), asks("a"))
	if _, err := s.Replay("test/m").Call(t.Context(), asks("b")); llm.ClassOf(err) != llm.Miss {
		t.Error(err)
	}
	if after, _ := os.ReadFile(path); string(after) != torn {
		t.Errorf("the file became %q", after)
	}
}
