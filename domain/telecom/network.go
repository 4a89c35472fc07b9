package telecom

import (
	"slices"
	"strconv"
	"strings"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

// search is the phone looking for a network: it settles connection, technology
// and signal. Where the settings of the access point are no settings it fails
// half way.
func (s *state) search() error {
	p := s.mutPhone()
	p.lose()
	if p.sim() == SIMActive {
		p.Connection = Connected
		p.Technology, p.Signal = s.choose(p.Mode)
	}
	if p.Airplane {
		p.lose()
	}
	if p.APN.raw != nil {
		return env.NoAttribute(*p.APN.raw, "apn_name")
	}
	if p.APN.Name == APNBroken || !s.around().LineActive {
		p.lose()
	}
	return nil
}

// lose leaves the phone without a network.
func (p *Phone) lose() { p.Connection, p.Technology, p.Signal = NoService, None, None }

// choose returns the technology for a preferred mode, and its signal here.
func (s *state) choose(mode any) (technology, signal string) {
	technology = Tech4G
	switch mode {
	case Prefer4G5G:
		if s.around().signal(Tech5G) != None {
			technology = Tech5G
		}
	case Only3G:
		technology = Tech3G
	case Only2G:
		technology = Tech2G
	}
	return technology, s.around().signal(technology)
}

func simulateNetworkSearch(s *state, _ []any) (any, error) { return nil, s.search() }

var signalIcons = map[string]string{None: "📵 No Signal", Poor: "📶¹ Poor", Fair: "📶² Fair", Good: "📶³ Good", Excellent: "📶⁴ Excellent"}

// statusBar is what the phone shows on top of its screen.
func (p *Phone) statusBar() string {
	var icons []string
	if p.Airplane {
		icons = append(icons, "✈️ Airplane Mode")
	} else {
		icons = append(icons, signalIcons[p.Signal])
		icons = append(icons, p.dataIcons()...)
	}
	if p.WiFi && p.WiFiConnected {
		if p.WiFiName != nil && *p.WiFiName != "" {
			icons = append(icons, "📡 Connected to "+*p.WiFiName)
		} else {
			icons = append(icons, "📡 Enabled")
		}
	}
	if p.VPNConnected {
		icons = append(icons, "🔒 VPN Connected")
	}
	icons = append(icons, "🔋 "+pyjson.Str(p.Battery.Value())+"%")
	return strings.Join(icons, " | ")
}

func (p *Phone) dataIcons() []string {
	if p.Technology == None {
		return []string{"📵 Data Disabled"}
	}
	icons := []string{p.Technology}
	if !p.Data {
		return append(icons, "📵 Data Disabled")
	}
	icons = append(icons, "📱 Data Enabled")
	if p.DataSaver {
		icons = append(icons, "🔽 Data Saver")
	}
	return icons
}

// withBar adds the status bar to an answer.
func (s *state) withBar(text string) string { return text + "\nStatus Bar: " + s.phone().statusBar() }

func checkStatusBar(s *state, _ []any) (any, error) {
	return "Status Bar: " + s.phone().statusBar(), nil
}

func onOff(on bool) string {
	if on {
		return "ON"
	}
	return "OFF"
}

func yesNo(yes bool) string {
	if yes {
		return "Yes"
	}
	return "No"
}

func checkNetworkStatus(s *state, _ []any) (any, error) {
	p := s.phone()
	lines := []string{
		"Airplane Mode: " + onOff(p.Airplane),
		"SIM Card Status: " + p.sim(),
		"Cellular Connection: " + p.Connection,
		"Cellular Signal: " + p.Signal,
		"Cellular Network Type: " + p.Technology,
		"Mobile Data Enabled: " + yesNo(p.Data),
		"Data Roaming Enabled: " + yesNo(p.Roaming),
		"Wi-Fi Radio: " + onOff(p.WiFi),
		"Wi-Fi Connected: " + yesNo(p.WiFiConnected),
	}
	if p.WiFiConnected {
		lines = append(lines, "Connected Wi-Fi Network: "+pyjson.Str(orNull(p.WiFiName)))
	}
	return strings.Join(lines, "\n"), nil
}

func checkNetworkMode(s *state, _ []any) (any, error) {
	mode, ok := s.phone().Mode.(string)
	if !ok {
		return nil, env.NoAttribute(s.phone().Mode, "value")
	}
	return "Network Mode Preference: " + mode, nil
}

// setNetworkMode knows the modes by name. Anything else than a text is stored
// as it is.
func setNetworkMode(s *state, a []any) (any, error) {
	name, isText := a[0].(string)
	known := !isText || slices.Contains(modes, name)
	if known {
		s.mutPhone().Mode = a[0]
		if err := s.search(); err != nil {
			return nil, err
		}
	}
	if !known || a[0] == nil {
		return s.withBar("Failed to set network mode: '" + pyjson.Str(a[0]) + "' is not a valid option. Please use one of: " + strings.Join(modes, ", ")), nil
	}
	if !isText {
		return nil, env.NoAttribute(a[0], "value")
	}
	return s.withBar("Preferred Network Mode set to: " + name), nil
}

// dataWorks says whether mobile data get through.
func (s *state) dataWorks() bool {
	p, around := s.phone(), s.around()
	abroad := truth(around.Abroad)
	return !p.Airplane && p.Signal != None && p.Connection != NoService && (!abroad || p.Roaming && around.RoamingAllowed) &&
		p.Data && !around.UsageExceeded
}

// speeds are the slowest and the fastest of a technology, in Mbps.
var speeds = map[string][2]float64{Tech2G: {0.1, 0.4}, Tech3G: {1, 5}, Tech4G: {10, 100}, Tech5G: {50, 500}}

// signalFactors are what a signal leaves of the speed.
var signalFactors = map[string]float64{Poor: 0.2, Fair: 0.5, Good: 0.8, Excellent: 1}

const noConnection = "No Connection"

// speed measures the connection in Mbps; 0 and noConnection where there is none.
func (s *state) speed() (mbps float64, description string) {
	if !s.dataWorks() {
		return 0, noConnection
	}
	p := s.phone()
	factor := 1.0
	if p.VPNConnected && p.VPN != nil && p.VPN.Performance == Poor {
		factor = 0.1
	}
	if p.DataSaver {
		factor *= 0.2
	}
	between := speeds[p.Technology]
	mbps = pyjson.Round2((between[0] + between[1]) / 2 * signalFactors[p.Signal] * factor)
	for _, d := range descriptions {
		if mbps < d.below {
			return mbps, d.words
		}
	}
	return mbps, "Excellent"
}

var descriptions = []struct {
	below float64 // Mbps
	words string
}{{1, "Very Poor"}, {5, "Poor"}, {25, "Fair"}, {100, "Good"}}

var speedAdvice = map[string]string{
	"Very Poor": "Connection is very slow. Basic web browsing might be difficult.",
	"Poor":      "Connection is slow. Web browsing may be sluggish, streaming difficult.",
	"Fair":      "Connection is okay for web browsing and some standard definition streaming.",
	"Good":      "Connection is good for most activities, including HD streaming.",
	"Excellent": "Connection is very fast.",
}

func runSpeedTest(s *state, _ []any) (any, error) {
	mbps, description := s.speed()
	if description == noConnection {
		return "Speed test failed: " + noConnection + ".", nil
	}
	return "Speed Test Result: " + strconv.FormatFloat(mbps, 'f', 2, 64) + " Mbps (" + description + "). " + speedAdvice[description], nil
}

func setUserInfo(s *state, a []any) (any, error) {
	around := s.mutAround()
	around.Name, around.Number = a[0], a[1]
	return nil, nil
}

func setUserLocation(s *state, a []any) (any, error) {
	s.mutAround().Abroad = a[0]
	return nil, nil
}

// bar makes a tool of what answers with a text and the status bar.
func bar(do func(s *state, a []any) (string, error), params ...string) tool {
	return tool{Params: params, Run: func(s *state, a []any) (any, error) {
		text, err := do(s, a)
		if err != nil {
			return nil, err
		}
		return s.withBar(text), nil
	}}
}

type tool = native.Tool[*state]
