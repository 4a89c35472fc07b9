package rules

import (
	"context"
	"slices"
	"testing"
)

// What can be behind a sequence is what the fault's repairs and exclusions leave.
func TestCanBeBehind(t *testing.T) {
	w := worldOf(t, "telecom", false)
	for _, c := range []struct {
		fault string
		gold  []string
		want  bool
	}{
		{"line_unpaid", []string{"send_payment_request", "make_payment", "resume_line", "reboot_device"}, true},
		{"line_unpaid", []string{"send_payment_request", "make_payment", "toggle_data", "resume_line", "toggle_roaming"}, true},
		{"line_unpaid", []string{"send_payment_request", "make_payment", "resume_line"}, false}, // nothing finds the network
		{"line_unpaid", []string{"toggle_data"}, false},
		{"stale", []string{"reboot_device"}, true},
		{"stale", []string{"reboot_device", "toggle_data"}, false}, // data that are off exclude it
		{"sim_locked", []string{"toggle_airplane_mode", "transfer_to_human_agents"}, true},
		{"sim_locked", []string{"toggle_data_saver_mode", "transfer_to_human_agents"}, false},
	} {
		if got := CanBeBehind(w.contract, w.contract.Defect(c.fault), c.gold); got != c.want {
			t.Errorf("%s behind %v: %v, want %v", c.fault, c.gold, got, c.want)
		}
	}
}

// Faults that few sequences can be about are planted where one can.
func TestRareFaultsArePlanted(t *testing.T) {
	w := worldOf(t, "telecom", false)
	for fault, seq := range map[string][]string{
		"line_unpaid": {"send_payment_request", "make_payment", "resume_line", "reboot_device"},
		"stale":       {"suspend_line", "reboot_device"},
		"sim_locked":  {"toggle_airplane_mode", "transfer_to_human_agents"},
	} {
		planted := 0
		for seed := range uint64(10) {
			d, err := NewAuthor(w.domain, w.contract, w.book).Draft(context.Background(), "t", seq, seed)
			if err == nil && slices.Contains(d.Meta.Faults, fault) {
				planted++
			}
		}
		if planted < 3 {
			t.Errorf("%s is planted in %d of 10 tasks of %v", fault, planted, seq)
		}
	}
}
