package models

import (
	"context"
	"fmt"
	"hash/fnv"

	"taste/chat"
	"taste/eval"
	"taste/pyjson"
)

// NLJudge has a model decide on assertions in words. It implements eval.Judge.
type NLJudge struct{ base Base }

// NewNLJudge makes a judge of assertions.
func NewNLJudge(b Base) (*NLJudge, error) {
	_, err := b.prompt("nl-judge")
	return &NLJudge{b}, err
}

// nlInput is the question: the record of a conversation and statements about it.
type nlInput struct {
	Record     []recordLine `json:"record"`
	Statements []string     `json:"statements"`
}

// recordLine is a message as the judge is shown it.
type recordLine struct {
	By      string    `json:"by"` // agent, customer or tool
	Says    string    `json:"says,omitempty"`
	Calls   []callDoc `json:"calls,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	Answers string    `json:"answers,omitempty"`
}

// NLAnswer is the answer: one result a statement, in order.
type NLAnswer struct {
	Results []struct {
		Statement string `json:"statement"`
		Reasoning string `json:"reasoning"`
		Met       bool   `json:"met"`
	} `json:"results"`
}

// Decide implements eval.Judge. An answer without a verdict on each assertion is
// asked for anew; in the end it is an error, and the conversation stays unjudged.
func (j *NLJudge) Decide(ctx context.Context, messages []chat.Message, assertions []string) ([]eval.Verdict, error) {
	in := nlInput{Record: recordOf(messages), Statements: assertions}
	check := func(a *NLAnswer) error {
		if len(a.Results) != len(assertions) {
			return fmt.Errorf("results has %d entries, but there are %d statements", len(a.Results), len(assertions))
		}
		return nil
	}
	a, _, err := ask(ctx, &j.base, "nl-judge", in, about{role: "nl-judge", item: digest(in)}, check)
	if err != nil {
		return nil, err
	}
	out := make([]eval.Verdict, len(assertions))
	for i, r := range a.Results {
		out[i] = eval.Verdict{Text: assertions[i], Met: r.Met, Justification: r.Reasoning}
	}
	return out, nil
}

func recordOf(messages []chat.Message) []recordLine {
	out := []recordLine{}
	for _, m := range chat.Parts(messages) {
		switch m.Role {
		case chat.System:
			continue
		case chat.Tool:
			line := recordLine{By: chat.Tool, Answers: m.Body()}
			if m.Answers != nil {
				line.Tool = m.Answers.Name
			}
			out = append(out, line)
			continue
		}
		line := recordLine{By: side(m.Role), Says: m.Body()}
		for c := range m.ToolCalls {
			line.Calls = append(line.Calls, callDoc{side(m.ToolCalls[c].Owner()), m.ToolCalls[c].Name, m.ToolCalls[c].Args()})
		}
		out = append(out, line)
	}
	return out
}

// digest names a conversation in reports.
func digest(in nlInput) string {
	h := fnv.New64a()
	for _, l := range in.Record {
		fmt.Fprintln(h, l.By, l.Says, l.Tool, l.Answers)
		for _, c := range l.Calls {
			fmt.Fprintln(h, c.Name, pyjson.Dumps(c.Arguments))
		}
	}
	return fmt.Sprintf("conversation %016x", h.Sum64())
}
