package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// Word implements role.Evolver.
func (e *Evolver) Word(_ context.Context, t *tau.Task, d *role.Design, level role.Level, flops []role.Flop, seed uint64) (role.Evolved, error) {
	draw := rand.New(rand.NewPCG(seed, 5))
	e.forget(t.ID)
	out, s, err := e.word(t, d, level, flops, draw)
	if err != nil {
		return role.Evolved{}, fmt.Errorf("word task %s: %w", t.ID, err)
	}
	e.told.Add(s)
	for _, x := range out.Techniques {
		if !slices.Contains(e.last[t.ID], x.Technique) {
			e.worn[x.Technique]++
			e.last[t.ID] = append(e.last[t.ID], x.Technique)
		}
	}
	return out, nil
}

// forget takes back what an earlier wording of the task counted.
func (e *Evolver) forget(id string) {
	for _, x := range e.last[id] {
		e.worn[x]--
	}
	delete(e.last, id)
}

func (e *Evolver) word(t *tau.Task, d *role.Design, level role.Level, flops []role.Flop, draw *rand.Rand) (role.Evolved, phrase.Scenario, error) {
	out := role.Evolved{Task: *t, Level: level}
	p, why, err := e.author.plot(t)
	if err == nil && why != "" {
		err = &role.Tame{Why: why}
	}
	if err != nil || level == role.Base {
		return out, phrase.Scenario{}, err
	}
	p.draw = draw
	var chosen []pick
	if level == role.Full {
		if chosen, err = e.choose(p, d, flops, draw); err != nil {
			return out, phrase.Scenario{}, err
		}
	} else if p.foreign {
		return out, phrase.Scenario{}, &role.Tame{Why: "prose of others is not worded anew"}
	}
	var s phrase.Scenario
	if out.Task.UserScenario, s, err = e.reword(t, p, chosen, draw); err != nil {
		return out, s, &role.Tame{Why: err.Error()} // there are no words for it
	}
	for _, c := range chosen {
		p.adds = append(p.adds, c.Records...)
		if c.Planted != nil {
			p.plants = append(p.plants, c.Planted.Calls...)
		}
	}
	if out.Task.InitialState, err = p.initial(); err != nil {
		return out, s, err
	}
	if len(p.plants) > 0 {
		if err = assertAnew(e.author.domain, e.author.contract, &out.Task); err != nil {
			return out, s, &role.Tame{Why: err.Error()}
		}
	}
	out.Techniques = e.techniques(p, chosen, &out.Task)
	for _, c := range chosen {
		out.Traps = append(out.Traps, c.number)
	}
	out.Adds = p.added(chosen)
	return out, s, nil
}

// reword words the whole scenario, or adds to prose that stays as it is.
func (e *Evolver) reword(t *tau.Task, p *plot, chosen []pick, draw *rand.Rand) (tau.UserScenario, phrase.Scenario, error) {
	if p.foreign {
		out, err := e.append(t, p, chosen, draw)
		return out, phrase.Scenario{}, err
	}
	s, err := e.compose(p.harder(chosen), draw)
	return scenario(e.author.domain.Name, s), s, err
}

// pick is a trap that was chosen.
type pick struct {
	snare
	number int // in the design
	item   int // its item in the evolved scenario
}

// added names the records that the plot adds or changes, in order.
func (p *plot) added(chosen []pick) []string {
	var out []string
	for _, c := range chosen {
		if c.Planted != nil {
			out = append(append(out, c.Planted.Record), c.Planted.Changes...)
		}
	}
	for _, a := range p.adds {
		out = append(out, a.name())
		for _, kind := range p.a.contract.Records {
			if owner := p.a.contract.Customer.Table + "/" + fmt.Sprint(a.Fields[kind.Owner]); kind.Table == a.Table && !slices.Contains(out, owner) {
				out = append(out, owner)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// harder is the brief with the traps in it; it tells each pick its item.
func (p *plot) harder(chosen []pick) phrase.Brief {
	out := phrase.Brief{Facts: p.brief.Facts, Persona: p.brief.Persona, Terse: true, Hidden: p.task.EvaluationCriteria.CommunicateInfo}
	for i := 0; i <= len(p.brief.Items); i++ {
		for k := range chosen {
			if c := &chosen[k]; c.New != nil && c.At == i {
				c.item = len(out.Items)
				out.Items = append(out.Items, *c.New)
			}
		}
		if i == len(p.brief.Items) {
			break
		}
		own := p.brief.Items[i]
		for k := range chosen {
			c := &chosen[k]
			if c.New != nil || c.At != i {
				continue
			}
			c.item = len(out.Items)
			if c.Twist != nil {
				own.Twists = append(slices.Clip(own.Twists), *c.Twist)
			}
		}
		out.Items = append(out.Items, own)
	}
	return out
}

// compose words a brief so that no answer is given away.
func (e *Evolver) compose(brief phrase.Brief, draw *rand.Rand) (s phrase.Scenario, err error) {
	for range wordings {
		if s, err = phrase.Compose(e.author.book, brief, draw, &e.told); err != nil {
			return s, err
		}
		if err = spoilt(s, brief.Hidden); err == nil {
			return s, nil
		}
	}
	return s, err
}

// techniques describes the chosen traps with the sentences that carry them.
func (e *Evolver) techniques(p *plot, chosen []pick, t *tau.Task) []role.Technique {
	own, twists := e.sentences(t.UserScenario)
	at := func(c pick) int { return c.item } // where its sentences were read
	if p.foreign {
		at = p.behindProse(chosen)
	}
	var out []role.Technique
	for _, c := range chosen {
		x := role.Technique{Technique: c.Technique, Item: c.item, Aim: c.Aim, Sentences: []string{}, Decoys: []string{}, Adds: []string{}, Differs: []string{}}
		switch {
		case c.New != nil:
			x.Sentences = append(x.Sentences, own[at(c)]...)
		case c.Twist != nil:
			x.Sentences = append(x.Sentences, twists[at(c)][c.Twist.String()])
		}
		for _, a := range c.Records {
			if c.Decoy == "" {
				x.Adds = append(x.Adds, a.name())
			} else {
				x.Decoys, x.Differs = append(x.Decoys, a.name()), append(x.Differs, c.Decoy)
			}
		}
		if c.Planted != nil {
			x.Decoys, x.Differs = append(x.Decoys, c.Planted.Record), append(x.Differs, c.Decoy)
			x.Adds, x.Plants = append(x.Adds, c.Planted.Changes...), c.Planted.Calls
		}
		out = append(out, x)
	}
	return out
}

// sentences lists, per item, all sentences of a scenario that belong to it, and
// of its twists which sentence says it.
func (e *Evolver) sentences(s tau.UserScenario) (own [][]string, twists []map[string]string) {
	for _, f := range scenarioFields(&s) {
		for _, at := range phrase.Sentences(*f.text) {
			text := (*f.text)[at[0]:at[1]]
			acts, _ := e.author.book.Parse(text, phrase.Second)
			if len(acts) != 1 {
				continue
			}
			switch e.author.book.Spec(acts[0].Name).Role {
			case phrase.Wish, phrase.Ask, phrase.Lead:
				own, twists = append(own, []string{text}), append(twists, map[string]string{})
			case phrase.Detail, phrase.Default, phrase.Conduct:
				own[len(own)-1] = append(own[len(own)-1], text)
			case phrase.Twist:
				own[len(own)-1] = append(own[len(own)-1], text)
				twists[len(own)-1][acts[0].String()] = text
			}
		}
	}
	return own, twists
}

// snares reads the traps of a design; numbers keep their text.
func snares(d *role.Design) ([]snare, error) {
	var out []snare
	if err := decodeNumbers(d.Traps, &out); err != nil {
		return nil, fmt.Errorf("read traps: %w", err)
	}
	return out, nil
}
