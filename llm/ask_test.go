package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"taste/chat"
)

// script is a model that gives the answers in turn and keeps what it was asked.
type script struct {
	answers []any // *Response or error
	asked   []Request
}

func (s *script) Name() string { return "test/m" }

func (s *script) Call(_ context.Context, r *Request) (*Response, error) {
	s.asked = append(s.asked, *r)
	if len(s.answers) == 0 {
		return nil, fmt.Errorf("call %d is not in the script", len(s.asked))
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	if err, ok := a.(error); ok {
		return nil, err
	}
	return a.(*Response), nil
}

func says(text string) *Response {
	return &Response{Message: Message{Role: chat.Assistant, Text: text}, Stop: End, Usage: Usage{Input: 10, Output: 2, Calls: 1}}
}

func ends(text string, stop Stop) *Response {
	r := says(text)
	r.Stop = stop
	return r
}

// verdicts is what a judge of assertions answers.
type verdicts struct {
	Results []bool `json:"results"`
}

var verdictSchema = &Schema{Name: "verdicts", JSON: json.RawMessage(`{
	"type": "object", "required": ["results"], "additionalProperties": false,
	"properties": {"results": {"type": "array", "items": {"type": "boolean"}}}}`)}

func two(v *verdicts) error {
	if len(v.Results) != 2 {
		return fmt.Errorf("there are 2 assertions, and %d results", len(v.Results))
	}
	return nil
}

func ask(s *script, tries int) (*verdicts, *Exchange, error) {
	r := Request{Schema: verdictSchema, Messages: []Message{{Role: chat.User, Text: "Judge."}}, Label: Label{Role: "judge", Item: "task 3"}}
	return Ask(context.Background(), s, r, tries, two)
}

const good = `{"results": [true, false]}`

func TestAskFindsTheAnswer(t *testing.T) {
	for name, text := range map[string]string{
		"bare":             good,
		"spaces":           "\n  " + good + "\n",
		"fenced":           "```json\n" + good + "\n```",
		"fence unnamed":    "```\n" + good + "\n```",
		"fence in a line":  "```json" + good + "```",
		"fence in prose":   "First `{}`, then:\n```json\n{\"draft\": 1}\n```\nNo, rather:\n```json\n" + good + "\n```\nThat is it.",
		"braces in prose":  "Well {so} it is {\"a\": 1}, no: " + good + " {bye}",
		"prose around":     "Here you are: " + good + " Anything else?",
		"thoughts in text": "<think>{what} would be best? ```x```</think>\n" + good,
	} {
		s := &script{answers: []any{says(text)}}
		v, x, err := ask(s, 1)
		if err != nil || !slices.Equal(v.Results, []bool{true, false}) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		if len(x.Answers) != 1 || len(x.Faults) != 0 || x.Usage != (Usage{Input: 10, Output: 2, Calls: 1}) {
			t.Errorf("%s: exchange %+v", name, x)
		}
	}
}

// Behaviour 9: too few results are no verdict, and the judge alone is asked again.
func TestAskRepairs(t *testing.T) {
	s := &script{answers: []any{says(`{"results": []}`), says("```json\n" + good + "\n```")}}
	v, x, err := ask(s, 3)
	if err != nil || !v.Results[0] || v.Results[1] {
		t.Fatalf("%v, %v", v, err)
	}
	if x.Usage.Calls != 2 || !slices.Equal(x.Faults, []string{"there are 2 assertions, and 0 results"}) {
		t.Errorf("exchange %+v", x)
	}
	turns := s.asked[1].Messages
	if len(turns) != 3 || turns[1].Role != chat.Assistant || turns[1].Text != `{"results": []}` ||
		turns[2].Role != chat.User || !strings.Contains(turns[2].Text, "there are 2 assertions, and 0 results") {
		t.Errorf("asked anew with %+v", turns)
	}
	if len(s.asked[0].Messages) != 1 {
		t.Error("the first request was changed")
	}
}

func TestAskSaysWhatIsWrong(t *testing.T) {
	for want, answer := range map[string]*Response{
		"it is empty":                                         says(" \n"),
		"it is no JSON value":                                 says("I would rather not."),
		"at the top: missing property 'results'":              says(`{}`),
		"at /results/1: got string, want boolean":             says(`{"results": [true, "no"]}`),
		"additional properties 'why' not allowed":             says(`{"results": [true, true], "why": 1}`),
		"cut off at the limit of its length":                  ends(`{"results": [tr`, Length),
		"it declines":                                         ends("I cannot help with that.", Refusal),
		"a filter withheld it":                                ends("", Filtered),
		"it calls tools":                                      ends("", ToolCalls),
		"there are 2 assertions, and 3 results":               says(`{"results": [true, true, true]}`),
		"got array, want object":                              says(`[true, false]`),
		"unexpected end of JSON input":                        ends(`{"results": [true`, Unknown),
		"at /results/7: got number, want boolean; and 2 more": says(`{"results": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}`),
	} {
		_, x, err := ask(&script{answers: []any{answer}}, 1)
		var u *Unusable
		if !errors.As(err, &u) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
			continue
		}
		if !slices.Equal(u.Answers, []string{answer.Message.Text}) || u.Label.Item != "task 3" || len(x.Faults) != 1 {
			t.Errorf("%q: kept %q, %+v", want, u.Answers, x)
		}
	}
}

func TestAskKeepsWhatFailed(t *testing.T) {
	s := &script{answers: []any{says("one"), says("")}}
	_, _, err := ask(s, 2)
	var u *Unusable
	if !errors.As(err, &u) || !slices.Equal(u.Answers, []string{"one", ""}) {
		t.Fatalf("got %v", err)
	}
	if got := err.Error(); got != "ask test/m (judge, task 3): no usable answer in 2 tries: it is empty" {
		t.Error(got)
	}
}

// An answer without words is not sent back: providers refuse empty turns, calls
// that nobody answers, and the thoughts that led to these.
func TestAskSendsBackWhatProvidersTake(t *testing.T) {
	empty := says("")
	empty.Message.Thought = json.RawMessage(`"mm"`)
	calls := ends("I look it up.", ToolCalls)
	calls.Message.Calls = []Call{{ID: "1", Name: "f"}}
	calls.Message.Thought = json.RawMessage(`"hm"`)
	thoughtful := says("no")
	thoughtful.Message.Thought = json.RawMessage(`"ah"`)
	s := &script{answers: []any{empty, calls, thoughtful, says(good)}}
	if _, _, err := ask(s, 4); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range s.asked[3].Messages {
		got = append(got, fmt.Sprintf("%s %d %s", m.Role, len(m.Calls), m.Thought))
	}
	if want := []string{"user 0 ", "user 0 ", "assistant 0 ", "user 0 ", `assistant 0 "ah"`, "user 0 "}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestAskPassesFailuresOn(t *testing.T) {
	s := &script{answers: []any{says("x"), &Error{Class: TooLong, Model: "test/m"}}}
	_, x, err := ask(s, 5)
	if ClassOf(err) != TooLong || len(x.Answers) != 1 || x.Usage.Calls != 1 {
		t.Errorf("%v, %+v", err, x)
	}
	r := Request{Schema: &Schema{Name: "bad", JSON: json.RawMessage(`{"type": 5}`)}}
	if _, _, err := Ask[verdicts](context.Background(), &script{}, r, 1, nil); err == nil || !strings.Contains(err.Error(), "schema bad") {
		t.Errorf("bad schema: %v", err)
	}
	r.Schema.JSON = json.RawMessage(`{"$ref": "https://example.com/x.json"}`)
	if _, _, err := Ask[verdicts](context.Background(), &script{}, r, 1, nil); err == nil {
		t.Error("a schema elsewhere was fetched")
	}
}
