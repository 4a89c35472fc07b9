package models

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"taste/contract"
	"taste/env"
	"taste/llm"
	"taste/prompts"
)

// Base is what every role played by a model is made from. It is not changed
// once it is used.
type Base struct {
	Model   llm.Model    // with what its requests say beside the prompt: temperature, limits and the like
	Domain  *env.Domain  // of an agent or user, whose tools and policy come with each conversation, it may be nil
	Prompts *prompts.Set // nil: those that the program carries
	// Contract says what tasks can assert of a domain whose user has tools; the
	// authors of other domains do without.
	Contract *contract.Contract
	Tries    int // at one structured answer, the first included; 0: 2

	// Price says what a call costs in dollars, nil where it is not known; it goes
	// into the record of conversations. It may be missing.
	Price func(llm.Usage) *float64
}

const defaultTries = 2

func (b *Base) prompt(name string) (*prompts.Prompt, error) {
	return cmp.Or(b.Prompts, prompts.Builtin()).Get(name)
}

// about is what a call is for: see llm.Label.
type about struct {
	role, item string
	seed       uint64 // of the work: the same question under another seed is another call
}

// label fills in what tells the call from others.
func (a about) label(r *llm.Request) {
	r.Label = llm.Label{Role: a.role, Item: a.item}
	if a.seed != 0 {
		r.Trial = trialOf(a.seed, 0)
	}
}

// trialOf derives the number of a call's trial from the seed of the work and
// how often the same was asked before.
func trialOf(seed uint64, again int) int {
	return int(rand.New(rand.NewPCG(seed, trialStream+uint64(again))).Uint32() >> 1)
}

// trialStream keeps these draws apart from others of the same seed.
const trialStream = 0x747269616c

// ask puts a question and reads its structured answer. check is as for llm.Ask.
func ask[T any](ctx context.Context, b *Base, name string, data any, a about, check func(*T) error) (*T, *llm.Exchange, error) {
	return askWith(ctx, b, name, data, a, nil, check)
}

// askWith is ask with a last hand on the request, which may say more in the
// schema of the answer; nil leaves it as it is.
func askWith[T any](
	ctx context.Context, b *Base, name string, data any, a about, edit func(*llm.Request) error, check func(*T) error,
) (*T, *llm.Exchange, error) {
	p, err := b.prompt(name)
	if err != nil {
		return nil, &llm.Exchange{}, err
	}
	r, err := p.Request(data)
	if err != nil {
		return nil, &llm.Exchange{}, err
	}
	a.label(&r)
	if edit != nil {
		if err := edit(&r); err != nil {
			return nil, &llm.Exchange{}, fmt.Errorf("ask %s: %w", a.role, err)
		}
	}
	v, x, err := llm.Ask(ctx, b.Model, r, cmp.Or(b.Tries, defaultTries), check)
	if err != nil {
		return nil, x, fmt.Errorf("ask %s: %w", a.role, err)
	}
	return v, x, nil
}
