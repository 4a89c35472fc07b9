package rules

import (
	"context"
	"strings"
	"testing"

	"taste/tau"
)

// troubled are gold sequences of the built-in telecom domain, one for each kind
// of fault and some that mix them with wishes.
var troubled = [][]string{
	{"toggle_airplane_mode"},
	{"reset_apn_settings", "toggle_data", "reboot_device"},
	{"suspend_line", "toggle_data_saver_mode", "disconnect_vpn"},
	{"send_payment_request", "make_payment", "resume_line", "reboot_device"},
	{"resume_line", "toggle_airplane_mode", "refuel_data"},
	{"grant_app_permission", "toggle_wifi_calling", "grant_app_permission", "enable_roaming", "toggle_roaming"},
	{"set_network_mode_preference", "refuel_data", "suspend_line"},
	{"toggle_data_saver_mode", "toggle_airplane_mode", "transfer_to_human_agents"},
	{"transfer_to_human_agents"},
	{"reboot_device"},
	{"send_payment_request", "make_payment", "suspend_line", "reseat_sim_card", "disable_roaming"},
}

// drafted makes the task of a sequence.
func drafted(t *testing.T, w testWorld, seq []string, seed uint64) *tau.Task {
	t.Helper()
	a := NewAuthor(w.domain, w.contract, w.book)
	d, err := a.Draft(context.Background(), "t", seq, seed)
	if err != nil {
		t.Errorf("%v: %v", seq, err)
		return nil
	}
	task, err := a.Tell(context.Background(), d, seed)
	if err != nil {
		t.Errorf("%v: %v", seq, err)
		return nil
	}
	t.Logf("%v: %v %v\n%s\n%s\n%s", seq, d.Meta.Wishes, d.Meta.Faults, task.UserScenario.Instructions.Structured.ReasonForCall, *task.UserScenario.Instructions.Structured.KnownInfo, task.UserScenario.Instructions.Structured.TaskInstructions)
	return &task
}

func TestTroublesAreSolved(t *testing.T) {
	w := worldOf(t, "telecom", false)
	for _, seq := range troubled {
		task := drafted(t, w, seq, 1)
		if task == nil {
			continue
		}
		passesChecks(t, w, seq, task)
		for name, agent := range map[string]func() Play{
			"careful": func() Play { return Play{Agent: Careful(w.contract, w.book)} },
			"oracle":  func() Play { return Play{Agent: Oracle(task, w.book)} },
			"noop":    func() Play { return Play{Agent: Noop()} },
		} {
			p := agent()
			p.Target, p.User = targetOf(t, w.domain, task), Customer(w.book)
			o := play(t, p)
			if (o.Reward == 1) != (name != "noop") {
				t.Errorf("%v: %s earns %v in %d messages: %s %s", seq, name, o.Reward, len(o.Messages), o.Termination, o.Why)
				for _, m := range o.Messages {
					t.Logf("%s: %s %v", m.Role, m.Body(), m.ToolCalls)
				}
			}
		}
	}
}

// TestHandOffsSayWhy: who is handed over because nobody here can repair what is wrong
// hears the reason.
func TestHandOffsSayWhy(t *testing.T) {
	w := worldOf(t, "telecom", false)
	for _, seq := range [][]string{{"toggle_airplane_mode", "transfer_to_human_agents"}, {"toggle_data", "toggle_data_saver_mode", "transfer_to_human_agents"}} {
		said := map[string]int{}
		for seed := range uint64(6) {
			task := drafted(t, w, seq, seed)
			if task == nil || strings.Contains(*task.Description.Purpose, "outside") {
				continue
			}
			o := play(t, Play{Target: targetOf(t, w.domain, task), Agent: Careful(w.contract, w.book), User: Customer(w.book)})
			for _, why := range []string{"the SIM card is locked", "the contract of a suspended line has ended"} {
				if strings.Contains(transcript(o.Result), why+". "+w.contract.Protocol.Notice) {
					said[why]++
				}
			}
			said["all"]++
		}
		if reasons := len(said) - 1; reasons == 0 || said["the SIM card is locked"]+said["the contract of a suspended line has ended"] != said["all"] {
			t.Errorf("%v: %v", seq, said)
		}
	}
}

// passesChecks fails for a finding of the reviewer, and where the verifier earns nothing.
func passesChecks(t *testing.T, w testWorld, seq []string, task *tau.Task) {
	t.Helper()
	found, err := NewReviewer(w.domain, w.contract, w.book).Review(context.Background(), task)
	if err != nil || len(found) > 0 {
		t.Errorf("%v: %v %v", seq, found, err)
	}
	attempts, err := NewVerifier(w.domain, w.contract, w.book).Verify(context.Background(), task, 1)
	if err != nil {
		t.Errorf("%v: %v", seq, err)
	}
	for _, a := range attempts {
		if a.Reward != 1 {
			t.Errorf("%v: the verifier earns %v in %d messages: %s", seq, a.Reward, a.Turns, a.Why)
		}
	}
}
