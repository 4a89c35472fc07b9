package telecom

import "taste/pyjson"

// dropWiFi leaves the Wi-Fi network.
func (p *Phone) dropWiFi() { p.WiFiConnected, p.WiFiName, p.WiFiSignal = false, nil, None }

func checkWiFi(s *state, _ []any) (any, error) {
	p := s.phone()
	switch {
	case !p.WiFi:
		return "Wi-Fi is turned OFF.", nil
	case p.WiFiConnected:
		return "Wi-Fi is ON and connected to '" + pyjson.Str(orNull(p.WiFiName)) + "'. Signal strength: " + p.WiFiSignal + ".", nil
	}
	return "Wi-Fi is ON but not connected to any network.", nil
}

func toggleWiFi(s *state, _ []any) (string, error) {
	p := s.phone()
	if p.Airplane {
		return "Cannot change Wi-Fi settings while Airplane Mode is ON.", nil
	}
	p = s.mutPhone()
	if p.WiFi = !p.WiFi; !p.WiFi {
		p.dropWiFi()
	}
	return "Wi-Fi is now " + onOff(p.WiFi) + ".", nil
}

func checkWiFiCalling(s *state, _ []any) (any, error) {
	return "Wi-Fi Calling is currently turned " + onOff(s.phone().WiFiCalling) + ".", nil
}

// setWiFiCalling flips the switch where it is unlike the wanted value, of
// whatever type that is, and stores whether picture messages go over Wi-Fi.
func setWiFiCalling(s *state, a []any) (any, error) {
	enabled, mms := a[0], a[1]
	p := s.mutPhone()
	if !pyjson.Equal(p.WiFiCalling, enabled) {
		p.WiFiCalling = !p.WiFiCalling
	}
	text := "Wi-Fi Calling is now " + onOff(truth(enabled)) + "."
	if mms != nil {
		p.MMSOverWiFi = mms
		text += "\nMMS over Wi-Fi is now " + onOff(truth(mms)) + "."
	}
	return text, nil
}
