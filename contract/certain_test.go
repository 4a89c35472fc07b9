package contract_test

import (
	"strings"
	"testing"
)

func TestCertain(t *testing.T) {
	c := load(t, "airline")
	for name, tc := range map[string]struct {
		sequence string
		want     bool
	}{
		"plausible":                    {"get_reservation_details cancel_reservation", false},
		"nothing":                      {"", true},
		"unknown tool":                 {"get_reservation_details fly", true},
		"three in a row":               {"get_reservation_details get_reservation_details get_reservation_details cancel_reservation", true},
		"something after the hand-off": {"transfer_to_human_agents get_user_details", true},
		"one rule of the flow":         {"book_reservation", false},
		"the same rule twice":          {"cancel_reservation search_direct_flight cancel_reservation", false},
		"two rules of the flow":        {"book_reservation cancel_reservation", true},
		"too many look-ups":            {strings.Repeat("get_flight_status calculate get_reservation_details ", 4), false},
	} {
		if got := c.Certain(c.Judge(strings.Fields(tc.sequence))); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// TestReadersShareCertainty: no reader of the policy accepts what the judge is
// certain to reject, and that is most of what it rejects.
func TestReadersShareCertainty(t *testing.T) {
	for _, domain := range labelled {
		c := load(t, domain)
		rejected, certain := 0, 0
		for _, l := range labels(t, domain) {
			v := c.Judge(l.Sequence)
			if !v.Plausible {
				rejected++
			}
			if !c.Certain(v) {
				continue
			}
			certain++
			if v.Plausible || l.A.Plausible || l.B.Plausible {
				t.Errorf("%s: %s: %v, said to be certain: %s", domain, l.ID, l.Sequence, v.Why())
			}
		}
		t.Logf("%s: certain of %d of %d rejections", domain, certain, rejected)
		if 10*certain < 6*rejected {
			t.Errorf("%s: certain of %d of %d rejections only", domain, certain, rejected)
		}
	}
}
