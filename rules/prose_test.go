package rules

import (
	"strings"
	"testing"

	"taste/tau"
)

// TestProseThatMeansMoreIsLeftAlone: what is quantified, silent or open in what
// it falls back on gets no trap, and says which words are to blame.
func TestProseThatMeansMoreIsLeftAlone(t *testing.T) {
	c := builtinAuthor(t).contract
	for _, x := range []struct{ prose, shut string }{
		{"Add a bag to AB12CD.", ""},
		{"Add a bag to AB12CD. Do it for the trip from Ulm to Bonn.", ""},
		{"Add a bag to AB12CD. If bags cannot be added, accept that.", ""},
		{"Add a bag. Get every booking cancelled.", "“Get every booking cancelled.”"},
		{"Move your earliest trip.", "any of the customer's records"},
		{"Upgrade your next flight.", "any of the customer's records"},
		{"Upgrade your upcoming flights.", "several records"},
		{"Three trips were booked by mix-up.", "any of the customer's records"},
		{"Cancel everything.", "any of the customer's records"},
		{"Be reactive.", "not to speak of more: “Be reactive.”"},
		{"Never volunteer any information.", "not to speak of more"},
		{"Then end the conversation.", "not to speak of more"},
		{"If that does not work, take what there is.", "may be about anything"},
	} {
		s := tau.UserScenario{Instructions: tau.Instructions{Plain: x.prose}}
		if got := readProse(c, s).shut; (got == "") != (x.shut == "") || !strings.Contains(got, x.shut) {
			t.Errorf("%q: %q, want %q", x.prose, got, x.shut)
		}
	}
}

// TestProseBarsWhatItSpeaksOf: nobody presses for what the prose wants itself, or
// for what its fallbacks make legal.
func TestProseBarsWhatItSpeaksOf(t *testing.T) {
	c := builtinAuthor(t).contract
	for _, x := range []struct{ prose, barred string }{
		{"Cancel AB12CD.", "cancel"},
		{"Upgrade AB12CD.", ""},
		{"You are willing to upgrade AB12CD.", "cancel move"},
		{"The delay was annoying.", "compensation"},
	} {
		p := readProse(c, tau.UserScenario{Instructions: tau.Instructions{Plain: x.prose}})
		if got := strings.Join(sortedKeys(p.barred), " "); p.shut != "" || got != x.barred {
			t.Errorf("%q: %q barred, want %q (%s)", x.prose, got, x.barred, p.shut)
		}
	}
}
