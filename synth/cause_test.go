package synth_test

import (
	"slices"
	"testing"

	"taste/synth"
)

// A cause that no sequence of the pool can be about is grafted, and calls that it
// does not go with are cut off; what is chosen has it in its share of the tasks.
func TestEachCauseIsPossible(t *testing.T) {
	lone := func(gold []string) bool { return !slices.Contains(gold, "set_a") && gold[len(gold)-1] == "end" }
	begun := func(gold []string) bool { return len(gold) > 1 && gold[0] == "set_a" }
	in := input(t, judging(plausible))
	in.Method, in.Gold = synth.Best, changes
	in.Causes = []synth.Cause{
		{Name: "lone", Repairs: []string{"get_b", "set_b", "end"}, Behind: lone},
		{Name: "begun", Repairs: []string{"set_a"}, Behind: begun},
	}
	_, out := choose(t, in)
	for _, cause := range in.Causes {
		if !slices.ContainsFunc(out.Choices, func(c synth.Choice) bool { return cause.Behind(c.Sequence) }) {
			t.Errorf("%s can be behind none of %v", cause.Name, out.Choices)
		}
	}
	for _, c := range out.Choices {
		checkStripped(t, c)
	}
	in.Causes[0].Repairs = []string{"unheard_of"}
	if s, err := synth.NewSelector(in, nil); err != nil {
		t.Error(err)
	} else if _, err = s.Select(t.Context()); err == nil {
		t.Error("a repair by no tool of the domain is taken")
	}
}
