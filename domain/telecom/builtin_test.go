package telecom

import (
	"testing"

	"taste/chat"
	"taste/domain/builtin/builtintest"
	"taste/env/native/nativetest"
)

var built = builtintest.Domain[DB]{World: World, Read: FromJSON, State: NewState, Domain: Builtin, Tasks: Seeds}

// TestBuiltinDescribesEveryTool: each tool is there, and said to change the state
// exactly if it writes.
func TestBuiltinDescribesEveryTool(t *testing.T) {
	d := built.Of(t, 1)
	for _, side := range []string{chat.Assistant, chat.User} {
		known := map[string]bool{}
		for _, s := range Native.Tools(side) {
			known[s.Name] = true
		}
		n := 0
		for _, spec := range d.Tools {
			if spec.Requestor != side {
				continue
			}
			n++
			if !known[spec.Name] || spec.MutatesState != (spec.Type == chat.Write) {
				t.Errorf("%s: known %v, type %s, mutates state %v", spec.Name, known[spec.Name], spec.Type, spec.MutatesState)
			}
		}
		if n != len(known) {
			t.Errorf("%d of the %d tools of the %s are described", n, len(known), side)
		}
	}
}

func TestBuiltinToolsTakeTheReferenceArguments(t *testing.T) {
	builtintest.TakesReferenceArguments(t, built.Of(t, 1), Native)
}

// TestBuiltinPhoneIsWhole: before anything is planted nothing is wrong with the
// phone, and it is nobody's.
func TestBuiltinPhoneIsWhole(t *testing.T) {
	nativetest.Script(t, built.Of(t, 1).Environment(), `
		user check_network_status {} → Airplane Mode: OFF↵SIM Card Status: active↵Cellular Connection: connected…
		user can_send_mms {} → Your messaging app can send MMS messages.
		user check_payment_request {} → No payment request has been made.
		ENV user set_user_info {"name": "Ingrid Vasquez", "phone_number": "555-318-4471"} → None
		ENV user assert_mobile_data_status {"expected_status": true} → True
	`)
}
