package telecom

import (
	"strings"

	"taste/env"
	"taste/pyjson"
)

// dropVPN says whether there was a connection.
func (p *Phone) dropVPN() bool {
	if !p.VPNConnected {
		return false
	}
	p.VPNConnected, p.VPN = false, nil
	return true
}

func checkVPN(s *state, _ []any) (any, error) {
	p := s.phone()
	switch {
	case p.VPNConnected && p.VPN != nil:
		v := p.VPN
		return "VPN is ON and connected. Details: {'server_address': " + pyjson.Repr(orNull(v.Server)) + ", 'protocol': " + pyjson.Repr(orNull(v.Protocol)) +
			", 'server_performance': <PerformanceLevel." + strings.ToUpper(v.Performance) + ": '" + v.Performance + "'>}", nil
	case p.VPNConnected:
		return "VPN is ON and connected (no specific details available).", nil
	case p.VPNSetting:
		return "VPN is turned ON in settings, but currently not connected.", nil
	}
	return "VPN is turned OFF.", nil
}

// connect makes the connection that the phone knows, and says whether there was
// none before. It is fast; but the reference has one record of it for all phones
// of a process, which the first breakVPN slows down for good. Recorded behaviour
// is that of a process where this had happened.
func (s *state) connect() bool {
	if s.phone().VPNConnected {
		return false
	}
	performance := Poor
	if s.strict {
		performance = Excellent
	}
	p := s.mutPhone()
	p.VPNConnected, p.VPN = true, &VPN{Server: text("192.168.1.1"), Protocol: text("OpenVPN"), Performance: performance}
	return true
}

func connectVPN(s *state, _ []any) (any, error) {
	if !s.connect() {
		return "VPN already connected.", nil
	}
	return s.withBar("VPN connected successfully."), nil
}

func disconnectVPN(s *state, _ []any) (string, error) {
	if s.mutPhone().dropVPN() {
		return "VPN disconnected successfully.", nil
	}
	return "No active VPN connection to disconnect.", nil
}

// breakVPN connects and makes the connection slow.
func breakVPN(s *state, _ []any) (any, error) {
	s.connect()
	v := s.mutPhone().VPN
	if v == nil {
		return nil, env.NoAttribute(nil, "server_performance")
	}
	v.Performance = Poor
	return "VPN connection broken.", nil
}
