package telecom

import (
	"taste/pyjson"
	"taste/pyjson/lax"
)

// strengths and technologies are all words of their kind.
var (
	strengths    = []string{None, Poor, Fair, Good, Excellent}
	technologies = []string{None, Tech2G, Tech3G, Tech4G, Tech5G}
	modes        = []string{Prefer4G5G, Only4G, Only3G, Only2G}
	connections  = []string{Connected, Searching, NoService, EmergencyOnly}
)

func text(s string) *string { return &s }

// defaultAPN is what a phone is delivered with.
func defaultAPN() APN {
	return APN{Name: APNInternet, MMSName: text("mms"), MMSCURL: text("http://mms.carrier.com/mms/wapenc")}
}

// defaultPhone is a phone without a fault.
func defaultPhone() *Phone {
	return &Phone{
		SIMStatus: SIMActive, Signal: Good, Technology: Tech5G, Connection: Connected, Battery: pyjson.NewInt(80), Data: true, Mode: Prefer4G5G,
		APN: defaultAPN(), WiFiSignal: None, MMSOverWiFi: false, Apps: []App{
			{Key: "messaging", Name: "messaging", Permissions: [4]bool{permitSMS: true, permitStorage: true, permitPhone: true}},
			{Key: "browser", Name: "browser", Permissions: [4]bool{permitNetwork: true, permitStorage: true}},
		},
	}
}

func defaultSurroundings() *Surroundings {
	return &Surroundings{Abroad: false, LineActive: true, Signals: []TechSignal{{Tech2G, Poor}, {Tech3G, Fair}, {Tech4G, Good}, {Tech5G, Excellent}}}
}

func readPhone(c *lax.Check, v any) *Phone {
	p := defaultPhone()
	model(c, v, "MockPhoneAttributes", func(f *fields) {
		p.SIMStatus = f.enumOr("sim_card_status", p.SIMStatus, SIMActive, SIMMissing, SIMLockedPIN, SIMLockedPUK)
		p.SIMMissing = f.boolOr("sim_card_missing", false)
		p.Airplane = f.boolOr("airplane_mode", false)
		p.Signal = f.enumOr("network_signal_strength", p.Signal, strengths...)
		p.Technology = f.enumOr("network_technology_connected", p.Technology, technologies...)
		p.Connection = f.enumOr("network_connection_status", p.Connection, connections...)
		f.may("battery_level", func(v any) { p.Battery = c.Int(v) })
		p.Data, p.Roaming = f.boolOr("data_enabled", true), f.boolOr("roaming_enabled", false)
		p.Mode = f.enumOr("network_mode_preference", Prefer4G5G, modes...)
		f.may("active_apn_settings", func(v any) { p.APN = readAPN(c, v) })
		p.WiFi, p.WiFiConnected = f.boolOr("wifi_enabled", false), f.boolOr("wifi_connected", false)
		p.WiFiName, p.WiFiSignal = f.optStr("wifi_ssid"), f.enumOr("wifi_signal_strength", p.WiFiSignal, strengths...)
		p.WiFiCalling, p.MMSOverWiFi = f.boolOr("wifi_calling_enabled", false), f.boolOr("wifi_calling_mms_over_wifi", false)
		p.DataSaver = f.boolOr("data_saver_mode", false)
		p.VPNSetting, p.VPNConnected = f.boolOr("vpn_enabled_setting", false), f.boolOr("vpn_connected", false)
		f.orNone("vpn_details", func(v any) { p.VPN = readVPN(c, v) })
		f.may("app_statuses", func(v any) { p.Apps = readApps(c, v) })
	})
	return p
}

func readAPN(c *lax.Check, v any) APN {
	a := defaultAPN()
	model(c, v, "APNSettings", func(f *fields) {
		a.Name = f.enumOr("apn_name", a.Name, APNInternet, APNBroken)
		a.ResetAtReboot = f.boolOr("reset_at_reboot", false)
		f.may("mms_apn", func(v any) { a.MMSName = orNone(c, v) })
		f.may("mmsc_url", func(v any) { a.MMSCURL = orNone(c, v) })
		a.MMSProxy = f.optStr("mms_proxy")
		f.orNone("mms_port", func(v any) {
			port := c.Int(v)
			a.MMSPort = &port
		})
	})
	return a
}

// orNone reads a text or null.
func orNone(c *lax.Check, v any) *string {
	if v == nil {
		return nil
	}
	return text(c.Str(v))
}

func readVPN(c *lax.Check, v any) *VPN {
	n := &VPN{}
	model(c, v, "VpnDetails", func(f *fields) {
		n.Server, n.Protocol = f.optStr("server_address"), f.optStr("protocol")
		n.Performance = f.enumOr("server_performance", Unknown, Unknown, Poor, Fair, Good, Excellent)
	})
	return n
}

func readApps(c *lax.Check, v any) []App {
	var apps []App
	for key, e := range c.Dict(v).All() {
		c.In(key, func() {
			a := App{Key: key}
			model(c, e, "AppStatus", func(f *fields) {
				a.Name = f.str("app_name")
				f.may("permissions", func(v any) {
					model(c, v, "AppPermissions", func(f *fields) {
						for i, name := range permissionNames {
							a.Permissions[i] = f.boolOr(name, false)
						}
					})
				})
			})
			apps = append(apps, a)
		})
	}
	return apps
}

func readSurroundings(c *lax.Check, v any) *Surroundings {
	s := defaultSurroundings()
	model(c, v, "UserSurroundings", func(f *fields) {
		f.orNone("name", func(v any) { s.Name = c.Str(v) })
		f.orNone("phone_number", func(v any) { s.Number = c.Str(v) })
		s.Abroad, s.RoamingAllowed = f.boolOr("is_abroad", false), f.boolOr("roaming_allowed", false)
		f.may("signal_strength", func(v any) { s.Signals = readSignals(c, v) })
		s.UsageExceeded, s.LineActive = f.boolOr("mobile_data_usage_exceeded", false), f.boolOr("line_active", true)
		f.orNone("payment_request", func(v any) {
			s.Payment = &PaymentRequest{}
			model(c, v, "PaymentRequest", func(f *fields) {
				*s.Payment = PaymentRequest{f.str("bill_id"), f.float("amount_due"), f.boolOr("paid", false)}
			})
		})
	})
	return s
}

func readSignals(c *lax.Check, v any) []TechSignal {
	var all []TechSignal
	for key, e := range c.Dict(v).All() {
		c.In(key, func() { all = append(all, TechSignal{c.Literal(key, technologies...), c.Literal(e, strengths...)}) })
	}
	return all
}
