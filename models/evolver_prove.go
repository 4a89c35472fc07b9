package models

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"taste/eval"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// Prove implements role.Evolver. By rules it holds what an evolved task says of
// its traps to the task: gold ends as it does without their records, these aside;
// no gold call names a decoy; and each trap can be cut out. That the task can still
// be solved the checks of all tasks show.
func (e *Evolver) Prove(_ context.Context, x *role.Evolved, _ uint64) ([]role.Flop, error) {
	var out []role.Flop
	for i, t := range x.Techniques {
		why, err := e.refuted(x, &t)
		if err != nil {
			return nil, fmt.Errorf("prove traps of task %s: %w", x.Task.ID, err)
		}
		if why != "" {
			out = append(out, role.Flop{Trap: x.Traps[i], Technique: t.Technique, Why: why})
		}
	}
	return out, nil
}

// refuted says what is wrong with a trap, "" if nothing is.
func (e *Evolver) refuted(x *role.Evolved, t *role.Technique) (string, error) {
	if decoy := named(x.Task.EvaluationCriteria.Actions, t.Decoys); decoy != "" {
		return fmt.Sprintf("a gold call names its decoy %s", decoy), nil
	}
	less, err := rules.Strip(&x.Task, []role.Technique{*t}, t.Technique)
	if err != nil {
		return err.Error(), nil
	}
	with, err := eval.NewTarget(e.base.Domain, &x.Task)
	if err != nil {
		return "", err
	}
	without, err := eval.NewTarget(e.base.Domain, less)
	if err != nil {
		return fmt.Sprintf("without its records the task cannot be set up: %v", err), nil
	}
	if n := len(without.Errors); n > len(with.Errors) {
		return "gold fails without its records: " + without.Errors[n-1].Message, nil
	}
	for _, line := range without.Gold().Diff(with.Gold()) {
		if !expected(line, x, t) {
			return "gold ends otherwise without its records: " + line, nil
		}
	}
	return "", nil
}

// named finds a decoy whose key is an argument of a gold call.
func named(actions []tau.Action, decoys []string) string {
	for i := range actions {
		for _, text := range leaves(actions[i].Args(), nil) {
			for _, d := range decoys {
				if _, key, _ := strings.Cut(d, "/"); key == text {
					return d
				}
			}
		}
	}
	return ""
}

// expected tells whether a difference is no more than that a trap's records are
// there: these themselves, and entries of lists in records that were given more.
func expected(line string, x *role.Evolved, t *role.Technique) bool {
	about := func(r string) bool {
		rest, ok := strings.CutPrefix(line, strings.Replace(r, "/", ".", 1))
		return ok && rest != "" && strings.ContainsRune(":.[", rune(rest[0]))
	}
	if slices.ContainsFunc(slices.Concat(t.Decoys, t.Adds), about) {
		return true
	}
	place, _, _ := strings.Cut(line, ": ")
	return slices.ContainsFunc(x.Adds, about) && (strings.Contains(place, "[") || strings.Contains(line, "absent → "))
}
