package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// Judge decides on assertions in words. It is asked about one conversation at a
// time and may be asked from many goroutines.
type Judge interface {
	// Decide returns a verdict on each assertion, in order. What it returns
	// with an error counts for nothing.
	Decide(ctx context.Context, messages []chat.Message, assertions []string) ([]Verdict, error)
}

// Decide asks the judge where a score waits for its word: about a finished
// conversation whose task's reward rests on assertions in words. A judge that
// fails leaves the conversation as it is, unjudged for that reason; only a
// cancelled ctx is an error.
func (c *Conversation) Decide(ctx context.Context, j Judge, t *tau.Task) error {
	crit := t.EvaluationCriteria
	if !c.finished() || crit == nil || len(crit.NLAssertions) == 0 || !slices.Contains(crit.RewardBasis, tau.NLAssertion) {
		return nil
	}
	verdicts, err := j.Decide(ctx, c.Messages, crit.NLAssertions)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.Verdicts, c.Unjudged = nil, "the judge failed: "+err.Error()
		return nil
	}
	c.Verdicts, c.Unjudged = verdicts, ""
	return nil
}

// ErrReply says that a judge's reply holds no verdict on each assertion.
var ErrReply = errors.New("the judge's reply cannot be used")

// ModelJudge is a judge that puts its question to a language model.
type ModelJudge struct {
	// Ask sends one prompt and returns the reply. Its errors end the attempt:
	// what is worth repeating there is the transport's to repeat.
	Ask func(ctx context.Context, system, prompt string) (string, error)
	// Tries is how often an unusable reply is asked for again, the first time
	// included; at least 1.
	Tries int
}

// Decide asks until a reply can be used, Tries times at most.
func (m *ModelJudge) Decide(ctx context.Context, messages []chat.Message, assertions []string) ([]Verdict, error) {
	prompt := judgePrompt(messages, assertions)
	for try := 1; ; try++ {
		reply, err := m.Ask(ctx, judgeTask, prompt)
		if err != nil {
			return nil, err
		}
		v, err := ParseVerdicts(reply, assertions)
		if err == nil || try >= m.Tries {
			return v, err
		}
	}
}

// judgeTask tells a model what to do; the form of the reply is the one that
// τ²-bench's judges give.
const judgeTask = `You check the work of a customer service agent. You get the record of one conversation and a numbered list of statements about it. Decide for each statement by itself whether the record bears it out. What the record does not show counts as not borne out.

Reply with JSON alone, one entry a statement, in the order of the list:
{"results": [{"expectedOutcome": "the statement, repeated", "reasoning": "one sentence on what in the record decides it", "metExpectation": true or false}]}`

func judgePrompt(messages []chat.Message, assertions []string) string {
	var b strings.Builder
	b.WriteString("Record:\n")
	for i := range messages {
		m := &messages[i]
		if m.Content != nil {
			fmt.Fprintf(&b, "%s: %s\n", m.Role, *m.Content)
		}
		for c := range m.ToolCalls {
			fmt.Fprintf(&b, "%s calls %s%s\n", m.Role, m.ToolCalls[c].Name, pyjson.Dumps(m.ToolCalls[c].Args()))
		}
	}
	b.WriteString("\nStatements:\n")
	for i, a := range assertions {
		fmt.Fprintf(&b, "%d. %s\n", i+1, a)
	}
	return b.String()
}

// ParseVerdicts reads a judge's reply: JSON with one result an assertion, bare
// or in a code fence. Errors wrap ErrReply.
func ParseVerdicts(reply string, assertions []string) ([]Verdict, error) {
	o, err := pyjson.DecodeObject([]byte(unfenced(reply)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReply, err)
	}
	r := chat.NewReader(o, "")
	verdicts := chat.ReadList(r, "results", func(v any, path string) (Verdict, error) {
		e := chat.NewReader(v, path)
		return Verdict{Text: e.String("expectedOutcome"), Met: e.Bool("metExpectation"), Justification: e.StringOr("reasoning", "")}, e.Err()
	})
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReply, err)
	}
	if len(verdicts) != len(assertions) {
		return nil, fmt.Errorf("%w: it decides on %d of %d assertions", ErrReply, len(verdicts), len(assertions))
	}
	return verdicts, nil
}

// unfenced takes the content of a code fence, if there is one.
func unfenced(s string) string {
	_, inner, ok := strings.Cut(s, "```")
	if !ok {
		return s
	}
	if head, rest, ok := strings.Cut(inner, "\n"); ok && !strings.ContainsAny(head, "{}") {
		inner = rest
	}
	inner, _, _ = strings.Cut(inner, "```")
	return inner
}
