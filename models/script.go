package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/llm"
	"taste/phrase"
	"taste/prompts"
	"taste/rules"
	"taste/sim"
)

// Kit is a domain with what the rules roles work from.
type Kit struct {
	Domain   *env.Domain
	Contract *contract.Contract
	Book     *phrase.Book
}

// RulesScript plays language models by the rules roles: it answers each of the
// program's own prompts as the role of that name would, from the prompt alone, but for
// that of the judge of assertions in words, which no rules read. So
// the whole pipeline can be tried without a model. It remembers nothing from call to
// call and gives equal answers to equal requests. The author's tasks stand on the
// kit's database, which has to be the one that the run is about.
//
// Which kit is meant shows in the policy that prompts contain, whichever of the domain's, else in the
// domain that a scenario names. Errors are *llm.Error of class BadRequest, for
// what is none of the program's prompts.
func RulesScript(kits ...Kit) (func(context.Context, *llm.Request) (*llm.Response, error), error) {
	s := &script{}
	for _, k := range kits {
		c := &casting{Kit: k, author: rules.NewAuthor(k.Domain, k.Contract, k.Book)}
		var err error
		if c.world, err = newWorld(k.Domain); err != nil {
			return nil, fmt.Errorf("play models by rules: %w", err)
		}
		s.kits = append(s.kits, c)
	}
	return s.answer, nil
}

// script holds the kits that it plays.
type script struct{ kits []*casting }

// casting is a kit with what is made of it once.
type casting struct {
	Kit
	author *rules.Author // for drafts
	world  *world
	traps  sync.Map // designs that were found, by task: finding them takes longest
}

// part plays one prompt.
type part func(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error)

// parts are the prompts that can be played, by name.
var parts = map[string]part{
	"judge": playJudge, "reviewer": playReviewer,
	"verifier": playVerifier, "agent": playAgent, "user": playUser,
	"author-scenario": playScenario, "author-database": playDatabase, "author-repair": playRepair,
	"author-case": playScenario, "author-setup": playSetup, "author-mend": playMend,
	"evolver-strategy": playStrategy, "evolver-perturbation": playPerturbation, "evolver-rewrite": playRewrite, "evolver-lite": playLite,
}

func (s *script) answer(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	name, ok := prompts.RoleOf(r.System)
	play := parts[name]
	if !ok || play == nil {
		return nil, unplayable("the rules play no such role: %q", name)
	}
	c := s.meant(r)
	if c == nil {
		return nil, unplayable("the prompt is about none of the domains that the rules are given")
	}
	return play(ctx, c, r)
}

func unplayable(format string, args ...any) error {
	return &llm.Error{Class: llm.BadRequest, Model: "rules", Status: 400, Message: fmt.Sprintf(format, args...)}
}

// meant finds the kit that a prompt is about.
func (s *script) meant(r *llm.Request) *casting {
	for _, c := range s.kits {
		if c.governs(r.System) {
			return c
		}
	}
	var scenario struct {
		Instructions struct{ Domain string }
	}
	if prompts.Input(r.System, &scenario) != nil {
		return nil
	}
	i := slices.IndexFunc(s.kits, func(c *casting) bool { return c.Domain.Name == scenario.Instructions.Domain })
	if i < 0 {
		return nil
	}
	return s.kits[i]
}

// governs tells whether a text contains one of the domain's policies.
func (c *casting) governs(text string) bool {
	for _, p := range c.Domain.Policies {
		if strings.Contains(text, strings.TrimSpace(p)) {
			return true
		}
	}
	return strings.Contains(text, strings.TrimSpace(c.Domain.Policy))
}

// question reads what a prompt shows as JSON.
func question(r *llm.Request, into any) error {
	for _, text := range append([]string{r.System}, firstText(r)...) {
		err := prompts.Input(text, into)
		if !errors.Is(err, prompts.ErrNoInput) {
			if err != nil {
				return unplayable("%v", err)
			}
			return nil
		}
	}
	return unplayable("the prompt shows no input")
}

func firstText(r *llm.Request) []string {
	if len(r.Messages) == 0 {
		return nil
	}
	return []string{r.Messages[0].Text}
}

// answers is an answer in JSON.
func answers(v any) (*llm.Response, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	return words(string(text)), nil
}

// words is an answer in words.
func words(text string) *llm.Response {
	return &llm.Response{Message: llm.Message{Role: chat.Assistant, Text: text}}
}

func playJudge(_ context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var q JudgeInput
	if err := question(r, &q); err != nil {
		return nil, err
	}
	v := c.Contract.Judge(q.Sequence)
	why := v.Why()
	if v.Plausible {
		why = "no rule objects"
	}
	return answers(JudgeAnswer{Structure: why, Flow: why, Viability: why, Plausible: v.Plausible, Bad: append([]int{}, v.Bad()...), Why: why})
}

// seedOf draws a seed from a prompt, so that equal prompts are played alike.
func seedOf(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

func playVerifier(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var hints []callDoc
	if err := question(r, &hints); err != nil {
		return nil, err
	}
	calls, err := actionsOf(hints)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	return playParty(ctx, r, chat.Assistant, func() (mover, error) {
		return rules.Hinted(c.Contract, c.Book, calls)(ctx, sim.AgentStart{Seed: seedOf(r.System)})
	})
}
