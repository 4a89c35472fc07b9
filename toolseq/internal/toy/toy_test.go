package toy_test

import (
	"slices"
	"testing"

	"taste/toolseq/internal/toy"
)

func TestJudge(t *testing.T) {
	for name, tc := range map[string]struct {
		seq []int
		bad []int
	}{
		"plain change":           {[]int{toy.Record, toy.Direct, toy.Flights}, nil},
		"nothing":                {[]int{}, nil},
		"change without a read":  {[]int{toy.Direct, toy.Flights}, []int{1}},
		"same change twice":      {[]int{toy.Record, toy.Bags, toy.Bags}, []int{2}},
		"one change a record":    {[]int{toy.Record, toy.Record, toy.Bags, toy.Bags}, nil},
		"change after cancel":    {[]int{toy.Record, toy.Cancel, toy.Bags}, []int{2}},
		"booking needs a search": {[]int{toy.Profile, toy.Book}, []int{1}},
		"three in a row":         {[]int{toy.Record, toy.Record, toy.Record, toy.Cancel}, []int{2}},
		"hand-off before":        {[]int{toy.HandOff, toy.Record, toy.Cancel}, []int{0}},
		"hand-off last":          {[]int{toy.Record, toy.HandOff}, nil},
		"airports twice":         {[]int{toy.Airports, toy.Direct, toy.Airports, toy.Book}, []int{2}},
		"certificate":            {[]int{toy.Status, toy.Record, toy.Certificate}, nil},
		"unfounded certificate":  {[]int{toy.Record, toy.Certificate}, []int{1}},
		"sum without numbers":    {[]int{toy.Record, toy.Calculate, toy.Calculate, toy.Cancel}, []int{2}},
		"late profile":           {[]int{toy.Record, toy.Cancel, toy.Profile}, []int{2}},
		"idle end": {
			[]int{toy.Record, toy.Cancel, toy.Direct, toy.OneStop, toy.Direct, toy.OneStop, toy.Status}, []int{5, 6},
		},
	} {
		v := toy.Judge(tc.seq)
		if v.Plausible != (tc.bad == nil) || !slices.Equal(v.Bad, tc.bad) {
			t.Errorf("%s: %+v, want %v", name, v, tc.bad)
		}
		if v.Plausible != (v.Reason == "") {
			t.Errorf("%s: reason %q", name, v.Reason)
		}
	}
}
