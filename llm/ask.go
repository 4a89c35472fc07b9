package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"taste/chat"
)

// Exchange is what was said until an answer was usable, or until no more was tried.
type Exchange struct {
	Answers []string // raw, in order; the last is the usable one, if any is
	Faults  []string // what was wrong with each answer but a usable one
	Usage   Usage    // of all calls
}

// Unusable says that no answer was what it had to be. The raw answers are kept.
type Unusable struct {
	Model   string
	Label   Label
	Answers []string
	Why     error // what is wrong with the last one
}

func (e *Unusable) Error() string {
	times := fmt.Sprintf("in %d tries", len(e.Answers))
	if len(e.Answers) == 1 {
		times = "at the only try"
	}
	return fmt.Sprintf("ask %s%s: no usable answer %s: %v", e.Model, e.Label.about(), times, e.Why)
}

func (e *Unusable) Unwrap() error { return e.Why }

// Ask calls until the answer is JSON of r.Schema, bare or fenced, that T takes
// and check (which may be nil) accepts: at most tries times, at least once.
// Each further call appends the answer and what is wrong with it, check's
// words included. After the last try the error is *Unusable; other errors are
// the model's, and r.Schema's where it is none. The exchange is never nil.
func Ask[T any](ctx context.Context, m Model, r Request, tries int, check func(*T) error) (*T, *Exchange, error) {
	x := &Exchange{}
	valid, err := validator(r.Schema)
	if err != nil {
		return nil, x, err
	}
	r.Messages = append([]Message(nil), r.Messages...)
	for {
		res, err := m.Call(ctx, &r)
		if err != nil {
			return nil, x, err
		}
		x.Usage.Add(res.Usage)
		x.Answers = append(x.Answers, res.Message.Text)
		value, err := readAnswer(res, valid, check)
		if err == nil {
			return value, x, nil
		}
		x.Faults = append(x.Faults, err.Error())
		if len(x.Answers) >= tries {
			return nil, x, &Unusable{Model: m.Name(), Label: r.Label, Answers: x.Answers, Why: err}
		}
		r.Messages = append(r.Messages, repair(&res.Message, err)...)
	}
}

// readAnswer takes the value out of an answer, or says in words for the model
// why it cannot.
func readAnswer[T any](res *Response, valid func([]byte) error, check func(*T) error) (*T, error) {
	text, err := answerJSON(res.Message.Text)
	if err != nil {
		return nil, cmp.Or(stopped(res), err)
	}
	if err := valid(text); err != nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("it does not have the form asked for: %w", err)
	}
	if check != nil {
		if err := check(v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// stopped is what is wrong with an answer that did not come to its end.
func stopped(res *Response) error {
	switch res.Stop {
	case Length:
		return errors.New("it was cut off at the limit of its length: answer more briefly")
	case Refusal:
		return errors.New("it declines, and holds no JSON")
	case Filtered:
		return errors.New("a filter withheld it")
	case ToolCalls:
		return errors.New("it calls tools, where an answer is wanted")
	}
	return nil
}

// repair is what is added to a conversation after an answer of no use. Calls
// are left out, as nobody answers them, and so is an answer without a word,
// which providers do not take back.
func repair(answer *Message, fault error) []Message {
	problem := Message{Role: chat.User, Text: "Your answer is of no use: " + fault.Error() +
		"\nAnswer anew, with the whole JSON value and nothing else."}
	if strings.TrimSpace(answer.Text) == "" {
		return []Message{problem}
	}
	back := Message{Role: chat.Assistant, Text: answer.Text}
	if len(answer.Calls) == 0 {
		back.Thought = answer.Thought
	}
	return []Message{back, problem}
}
