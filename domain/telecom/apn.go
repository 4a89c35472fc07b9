package telecom

import (
	"taste/env"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// settings fails where something else stands in the place of the settings;
// field is what is looked for.
func (a *APN) settings(field string) error {
	if a.raw != nil {
		return env.NoAttribute(*a.raw, field)
	}
	return nil
}

func checkAPN(s *state, _ []any) (any, error) {
	apn := &s.phone().APN
	if err := apn.settings("model_copy"); err != nil {
		return nil, err
	}
	url := "Not Set"
	if apn.MMSCURL != nil && *apn.MMSCURL != "" {
		url = *apn.MMSCURL
	}
	return "Current APN Name: " + apn.Name + "\nMMSC URL (for picture messages): " + url + "\n(These are technical settings, usually best left unchanged.)", nil
}

// setAPN takes settings as an object. Anything else is stored before it turns
// out to be none.
func setAPN(s *state, a []any) (string, error) {
	o, ok := a[0].(*pyjson.Object)
	if !ok {
		raw := a[0]
		s.mutPhone().APN = APN{raw: &raw}
		return "", env.NoAttribute(raw, "apn_name")
	}
	c := lax.New("APNSettings")
	apn := readAPN(c, o)
	if err := c.Err(); err != nil {
		return "", err
	}
	s.mutPhone().APN = apn
	return "APN settings set to: " + apn.Name, s.search()
}

// resetAPN takes effect when the phone restarts.
func resetAPN(s *state, _ []any) (string, error) {
	if err := s.phone().APN.settings("reset_at_reboot"); err != nil {
		return "", err
	}
	s.mutPhone().APN.ResetAtReboot = true
	return "APN settings will reset at reboot.", s.search()
}

func breakAPN(s *state, _ []any) (any, error) {
	if err := s.phone().APN.settings("apn_name"); err != nil {
		return nil, err
	}
	s.mutPhone().APN.Name = APNBroken
	return "APN settings broken. Please call reset_apn_settings() to fix.", s.search()
}

func breakMMSSetting(s *state, _ []any) (any, error) {
	if err := s.phone().APN.settings("mmsc_url"); err != nil {
		return nil, err
	}
	s.mutPhone().APN.MMSCURL = nil
	return "APN MMS setting broken. Please call reset_apn_settings() to fix.", nil
}

// reboot restarts the phone, which resets the access point if that was asked for.
func reboot(s *state, _ []any) (string, error) {
	if err := s.phone().APN.settings("reset_at_reboot"); err != nil {
		return "", err
	}
	p, text := s.mutPhone(), "Restarting network services..."
	if p.APN.ResetAtReboot {
		p.APN, text = defaultAPN(), "Resetting APN settings...\n"+text
	}
	p.Connection = Searching
	return text, s.search()
}
