package main

import (
	"fmt"

	"taste/results"
)

// finished is a system with all its simulations.
type finished struct {
	*scoredFile
	name    string
	results *results.Results
}

// pairLine is what machines read of two systems on the same tasks.
type pairLine struct {
	Event  string `json:"event"`
	First  string `json:"first"`
	Second string `json:"second"`
	*results.Comparison
}

// printEval prints each system, then each pair of systems on the same tasks.
func (a *app) printEval(all []*finished, seed uint64, machine bool) error {
	for _, x := range all {
		var err error
		if machine {
			err = x.json(a.out)
		} else {
			err = x.print(a.out)
		}
		if err != nil {
			return err
		}
	}
	for i, first := range all {
		for _, second := range all[i+1:] {
			if err := a.printPair(first, second, seed, machine); err != nil {
				return err
			}
		}
	}
	return nil
}

// printPair compares two systems; those on other tasks are passed over.
func (a *app) printPair(first, second *finished, seed uint64, machine bool) error {
	c, err := results.Compare(first.results, second.results, seed)
	if err != nil || len(c.Tasks) == 0 {
		return nil //nolint:nilerr // they have no task in common
	}
	if machine {
		return printLine(a.out, pairLine{"pair", first.path, second.path, c})
	}
	fmt.Fprintf(a.out, "%s → %s: ", first.name, second.name)
	if d := c.Difference; d != nil {
		fmt.Fprintf(a.out, "%+.3f in the share of successes", d.Mean)
		if d.SE != nil {
			fmt.Fprintf(a.out, " (%s)", uncertainty(c))
		}
		fmt.Fprint(a.out, ",\n  ")
	}
	_, err = fmt.Fprintf(a.out, "of trials that both evaluated %s\n", pairs(c))
	return err
}
