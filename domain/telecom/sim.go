package telecom

import "taste/pyjson"

// sim is the status of the SIM card as the phone sees it.
func (p *Phone) sim() string {
	if p.SIMMissing {
		return SIMMissing
	}
	return p.SIMStatus
}

var simAnswers = map[string]string{
	SIMActive:    "Your SIM card is active and working.",
	SIMMissing:   "No SIM card detected in the phone.",
	SIMLockedPIN: "The SIM card is locked with a PIN code.",
	SIMLockedPUK: "The SIM card is locked with a PUK code.",
}

func checkSIMStatus(s *state, _ []any) (any, error) { return simAnswers[s.phone().sim()], nil }

// reseatSIM puts the card back, or takes it out and puts it in. A card whose
// status says that it is missing stays so, which the reference takes for a
// broken assertion.
func reseatSIM(s *state, _ []any) (string, error) {
	s.mutPhone().SIMMissing = false
	if err := s.search(); err != nil {
		return "", err
	}
	return "SIM card re-seated successfully.", assertion(s.phone().sim() != SIMMissing)
}

func unseatSIM(s *state, _ []any) (any, error) {
	s.mutPhone().SIMMissing = true
	return "SIM card un-seated successfully.", s.search()
}

// lockSIM locks the card, which no tool undoes. Other modes than pin and puk do
// nothing.
func lockSIM(s *state, a []any) (any, error) {
	switch a[0] {
	case "pin":
		s.mutPhone().SIMStatus = SIMLockedPIN
	case "puk":
		s.mutPhone().SIMStatus = SIMLockedPUK
	}
	return "SIM card locked successfully in " + pyjson.Str(a[0]) + " mode.", s.search()
}
