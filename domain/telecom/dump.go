package telecom

import (
	"taste/env/native"
	"taste/pyjson"
)

// The functions below turn records into JSON objects with the reference's
// fields in the reference's order.

func obj(pairs ...any) *pyjson.Object { return pyjson.NewObject(pairs...) }

// orNull returns what s points to, or null.
func orNull(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// dateOrNull returns a date, or null for "".
func dateOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func dumpPlan(p *Plan) *pyjson.Object {
	return obj("plan_id", p.PlanID, "name", p.Name, "data_limit_gb", p.DataLimitGB, "price_per_month", p.PricePerMonth,
		"data_refueling_price_per_gb", p.RefuelingPriceByGB)
}

func dumpDevice(d *Device) *pyjson.Object {
	return obj("device_id", d.DeviceID, "device_type", d.Type, "model", d.Model, "imei", orNull(d.IMEI), "is_esim_capable", d.ESIMCapable,
		"activated", d.Activated, "activation_date", dateOrNull(d.ActivationDate), "last_esim_transfer_date", dateOrNull(d.LastESIMTransfer))
}

func dumpLine(l *Line) *pyjson.Object {
	return obj("line_id", l.LineID, "phone_number", l.PhoneNumber, "status", l.Status, "plan_id", l.PlanID, "device_id", orNull(l.DeviceID),
		"data_used_gb", l.DataUsedGB, "data_refueling_gb", l.DataRefuelingGB, "roaming_enabled", l.Roaming,
		"contract_end_date", dateOrNull(l.ContractEnd), "last_plan_change_date", dateOrNull(l.LastPlanChange),
		"last_sim_replacement_date", dateOrNull(l.LastSIMChange), "suspension_start_date", dateOrNull(l.SuspensionStart))
}

func dumpBill(b *Bill) *pyjson.Object {
	return obj("bill_id", b.BillID, "customer_id", b.CustomerID, "period_start", b.PeriodStart, "period_end", b.PeriodEnd,
		"issue_date", b.IssueDate, "total_due", b.TotalDue, "due_date", b.DueDate, "line_items", native.List(b.Items, dumpLineItem), "status", b.Status)
}

func dumpLineItem(i *LineItem) *pyjson.Object {
	return obj("description", i.Description, "amount", i.Amount, "date", i.Date, "item_type", i.Type)
}

func dumpCustomer(c *Customer) *pyjson.Object {
	return obj("customer_id", c.CustomerID, "full_name", c.FullName, "date_of_birth", c.DateOfBirth, "email", c.Email, "phone_number", c.PhoneNumber,
		"address", obj("street", c.Address.Street, "city", c.Address.City, "state", c.Address.State, "zip_code", c.Address.ZipCode),
		"account_status", c.AccountStatus, "payment_methods", native.List(c.PaymentMethods, dumpMethod),
		"line_ids", native.Texts(c.LineIDs), "bill_ids", native.Texts(c.BillIDs), "created_at", c.CreatedAt,
		"last_extension_date", dateOrNull(c.LastExtension), "goodwill_credit_used_this_year", c.GoodwillCredit)
}

func dumpMethod(m *PaymentMethod) *pyjson.Object {
	return obj("method_type", m.Type, "account_number_last_4", m.LastFour, "expiration_date", m.ExpirationDate)
}

func dumpPhone(p *Phone) *pyjson.Object {
	apps := pyjson.Sized(len(p.Apps))
	for i := range p.Apps {
		apps.Set(p.Apps[i].Key, dumpApp(&p.Apps[i]))
	}
	return obj("sim_card_status", p.SIMStatus, "sim_card_missing", p.SIMMissing, "airplane_mode", p.Airplane, "network_signal_strength", p.Signal,
		"network_technology_connected", p.Technology, "network_connection_status", p.Connection, "battery_level", p.Battery.Value(),
		"data_enabled", p.Data, "roaming_enabled", p.Roaming, "network_mode_preference", p.Mode, "active_apn_settings", dumpAPN(&p.APN),
		"wifi_enabled", p.WiFi, "wifi_connected", p.WiFiConnected, "wifi_ssid", orNull(p.WiFiName), "wifi_signal_strength", p.WiFiSignal,
		"wifi_calling_enabled", p.WiFiCalling, "wifi_calling_mms_over_wifi", p.MMSOverWiFi, "data_saver_mode", p.DataSaver,
		"vpn_enabled_setting", p.VPNSetting, "vpn_connected", p.VPNConnected, "vpn_details", dumpVPN(p.VPN), "app_statuses", apps)
}

// dumpAPN returns the settings, or what stands in their place.
func dumpAPN(a *APN) any {
	if a.raw != nil {
		return *a.raw
	}
	var port any
	if a.MMSPort != nil {
		port = a.MMSPort.Value()
	}
	return obj("apn_name", a.Name, "reset_at_reboot", a.ResetAtReboot, "mms_apn", orNull(a.MMSName), "mmsc_url", orNull(a.MMSCURL),
		"mms_proxy", orNull(a.MMSProxy), "mms_port", port)
}

func dumpVPN(v *VPN) any {
	if v == nil {
		return nil
	}
	return obj("server_address", orNull(v.Server), "protocol", orNull(v.Protocol), "server_performance", v.Performance)
}

func dumpApp(a *App) *pyjson.Object {
	permissions := obj()
	for i, name := range permissionNames {
		permissions.Set(name, a.Permissions[i])
	}
	return obj("app_name", a.Name, "permissions", permissions)
}

func dumpSurroundings(s *Surroundings) *pyjson.Object {
	signals := obj()
	for _, t := range s.Signals {
		signals.Set(t.Technology, t.Strength)
	}
	var payment any
	if p := s.Payment; p != nil {
		payment = obj("bill_id", p.BillID, "amount_due", p.Amount, "paid", p.Paid)
	}
	return obj("name", s.Name, "phone_number", s.Number, "is_abroad", s.Abroad, "roaming_allowed", s.RoamingAllowed, "signal_strength", signals,
		"mobile_data_usage_exceeded", s.UsageExceeded, "line_active", s.LineActive, "payment_request", payment)
}
