package trials

import (
	"errors"
	"fmt"
	"time"

	"taste/chat"
	"taste/pyjson"
	"taste/results"
)

// Budget caps what an evaluation may cost; 0 stands for no cap. What was made
// before counts, but for time. Simulations under way go on to their end, except
// when time is up: then they are broken off and lost.
type Budget struct {
	Simulations int
	ToolCalls   int           // of either side
	Tokens      int64         // of what models report
	Dollars     float64       // of what models report
	Time        time.Duration // from Run on
}

// ErrBudget says that a cap ended the work.
var ErrBudget = errors.New("the budget is used up")

// Spent is what simulations have cost, broken ones included.
type Spent struct {
	Simulations int // that ended
	ToolCalls   int
	Tokens      int64
	Dollars     float64
}

// add counts the cost of a simulation.
func (x *Spent) add(s *results.Simulation) {
	for i := range s.Messages {
		m := &s.Messages[i]
		x.ToolCalls += len(m.ToolCalls)
		x.Tokens += tokens(m)
	}
	for _, cost := range []*float64{s.AgentCost, s.UserCost} {
		if cost != nil {
			x.Dollars += *cost
		}
	}
}

func (x *Spent) plus(y Spent) {
	x.Simulations += y.Simulations
	x.ToolCalls += y.ToolCalls
	x.Tokens += y.Tokens
	x.Dollars += y.Dollars
}

// tokens are those that a message's model reports.
func tokens(m *chat.Message) (sum int64) {
	v, _ := m.Raw("usage")
	usage, ok := v.(*pyjson.Object)
	if !ok {
		return 0
	}
	for _, k := range []string{"prompt_tokens", "completion_tokens"} {
		if n, _ := usage.Get(k); n != nil {
			if n, ok := n.(int64); ok {
				sum += n
			}
		}
	}
	return sum
}

// cost sums up what the messages of one side report; nil where none does.
func cost(messages []chat.Message, role string) *float64 {
	var sum *float64
	for i := range messages {
		v, _ := messages[i].Raw("cost")
		if f, ok := v.(float64); ok && messages[i].Role == role {
			if sum == nil {
				sum = new(float64)
			}
			*sum += f
		}
	}
	return sum
}

// exceeded says which cap is reached of those that no plan can keep to.
func (b *Budget) exceeded(x Spent) error {
	switch {
	case b.ToolCalls > 0 && x.ToolCalls >= b.ToolCalls:
		return fmt.Errorf("%w: %d tool calls", ErrBudget, x.ToolCalls)
	case b.Tokens > 0 && x.Tokens >= b.Tokens:
		return fmt.Errorf("%w: %d tokens", ErrBudget, x.Tokens)
	case b.Dollars > 0 && x.Dollars >= b.Dollars:
		return fmt.Errorf("%w: %.2f dollars", ErrBudget, x.Dollars)
	}
	return nil
}
