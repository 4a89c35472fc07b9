package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"text/tabwriter"

	"taste/llm"
	"taste/llm/connect"
	playing "taste/llm/scripted"
	"taste/models"
	"taste/prompts"
	"taste/sim"
)

// rehearsal has the rules answer in the place of every model, within the process
// and from the models' own prompts, and meters what the models' calls would take.
type rehearsal struct {
	prices *llm.Prices
	meter  *llm.Meter
	play   playing.Func
	lost   atomic.Bool // somebody did not understand what to do
}

// rehearsed is how many tasks are rehearsed at most: the others are taken to be like them.
const rehearsed = 8

func newRehearsal(prices *llm.Prices, kits ...models.Kit) (*rehearsal, error) {
	play, err := models.RulesScript(kits...)
	if err != nil {
		return nil, err
	}
	return &rehearsal{prices: prices, meter: llm.NewMeter(prices), play: withOpinions(play)}, nil
}

// withOpinions adds to what the rules play the judge of assertions in words: one
// that finds each of them met, in a sentence.
func withOpinions(play playing.Func) playing.Func {
	return func(ctx context.Context, r *llm.Request) (*llm.Response, error) {
		if name, _ := prompts.RoleOf(r.System); name != "nl-judge" || len(r.Messages) == 0 {
			return play(ctx, r)
		}
		var asked struct {
			Statements []string `json:"statements"`
		}
		if err := prompts.Input(r.Messages[0].Text, &asked); err != nil {
			return nil, err
		}
		text, err := json.Marshal(opinions(asked.Statements))
		return &llm.Response{Message: llm.Message{Text: string(text)}}, err
	}
}

func opinions(statements []string) models.NLAnswer {
	var a models.NLAnswer
	a.Results = slices.Grow(a.Results, len(statements))[:len(statements)]
	for i, s := range statements {
		a.Results[i].Statement, a.Results[i].Met = s, true
		a.Results[i].Reasoning = "The agent says so to the customer after looking it up, and the tool's answer in the record bears it out."
	}
	return a
}

// announce says what is going on: it can take a minute.
func (a *app) announce() {
	fmt.Fprintln(a.log, "dry run: rules rehearse what models are to do; nothing is sent")
}

// model is what a specification stands for in a rehearsal. It needs no key.
func (r *rehearsal) model(spec, _ string) (llm.Model, error) {
	s, err := connect.Parse(spec)
	if err != nil {
		return nil, err
	}
	return r.meter.Watch(playing.Model(s.Name(), r.noting)), nil
}

// noting notes who gives up: a conversation that ends so tells nothing of others.
func (r *rehearsal) noting(ctx context.Context, q *llm.Request) (*llm.Response, error) {
	res, err := r.play(ctx, q)
	if err == nil && res.Message.Text == sim.OutOfScope {
		r.lost.Store(true)
	}
	return res, err
}

// noReplay refuses a dry run of what is replayed.
func noReplay(replay string) error {
	if replay == "" {
		return nil
	}
	return usage(errors.New("--dry-run beside --replay"), "replayed calls cost nothing")
}

// errNotRehearsed says that there is no basis for an estimate.
var errNotRehearsed = errors.New("dry run: the rules cannot play what models are to do here")

// sample chooses n of a list, evenly spread.
func sample[T any](all []T, n int) []T {
	n = min(n, len(all))
	out := make([]T, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}

// printEstimate prints what a run will take.
func (a *app) printEstimate(b *llm.Bill, machine bool) error {
	if machine {
		return printJSON(a.out, b)
	}
	return estimateTable(a.out, b)
}

func estimateTable(out io.Writer, b *llm.Bill) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintf(w, "role\tmodel\t%8s  %10s  %10s  %12s\n", "calls", "input", "output", "dollars")
	line := func(role, model string, u llm.Usage, dollars *llm.Money) {
		n := max(u.Calls, 1)
		_, e := fmt.Fprintf(w, "%s\t%s\t%8d  %10d  %10d  %12s\n", role, model, u.Calls, u.Input/n, u.Output/n, price(dollars))
		err = errors.Join(err, e)
	}
	for _, r := range b.Rows {
		line(r.Role, r.Model, r.Usage, r.Dollars)
	}
	line("all", "", b.Usage, b.Dollars)
	_, e := fmt.Fprintf(w, `input and output are tokens of a call on average; prices of %s
An estimate: the rules played the models on a part of the work. Models think before they answer, which is output, and where more of
what they write is refused, more is asked. A budget bounds what is spent.
`, b.AsOf)
	return errors.Join(err, e, w.Flush())
}
