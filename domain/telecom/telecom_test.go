package telecom

import (
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/pyjson"
)

const agentData = `{
 "plans": [{"plan_id": "P1", "name": "Basic", "data_limit_gb": 5, "price_per_month": 40, "data_refueling_price_per_gb": 0.1}],
 "devices": [{"device_id": "D1", "device_type": "phone", "model": "X", "is_esim_capable": true, "activation_date": "2025-01-20T14:30:00"}],
 "lines": [
  {"line_id": "L1", "phone_number": "555-1", "status": "Active", "plan_id": "P1", "device_id": "D1", "data_used_gb": 3.2},
  {"line_id": "L2", "phone_number": "555-2", "plan_id": "P1"}],
 "bills": [
  {"bill_id": "B1", "customer_id": "C1", "period_start": "2025-01-01", "period_end": "2025-01-31", "issue_date": "2025-02-05", "total_due": 40, "due_date": "2025-02-19", "status": "Overdue"},
  {"bill_id": "B2", "customer_id": "C1", "period_start": "2025-02-01", "period_end": "2025-02-28", "issue_date": "2025-03-05", "total_due": 0, "due_date": "2025-03-19"}],
 "customers": [
  {"customer_id": "C1", "full_name": "Ann Ash", "date_of_birth": "1990-01-01", "email": "a@x", "phone_number": "555-0", "address": {"street": "1 A St", "city": "B", "state": "CA", "zip_code": "1"},
   "account_status": "Active", "line_ids": ["L1", "L2"], "bill_ids": ["B1", "B2"], "payment_methods": [{"method_type": "PayPal", "account_number_last_4": "1", "expiration_date": "01/2030"}]},
  {"customer_id": "C2", "full_name": "Bob Birch", "date_of_birth": "1991-01-01", "email": "b@x", "phone_number": "555-9", "address": {"street": "2 A St", "city": "B", "state": "CA", "zip_code": "1"}, "line_ids": ["L2"]}]}`

func town(t *testing.T) *env.Environment {
	t.Helper()
	return nativetest.Environment(t, Native, agentData, "")
}

func script(t *testing.T, e *env.Environment, lines string) {
	t.Helper()
	nativetest.Script(t, e, lines)
}

func TestLookUp(t *testing.T) {
	script(t, town(t), `
		assistant get_customer_by_phone {"phone_number": "555-1"} → {"customer_id": "C1", "full_name": "Ann Ash",…
		assistant get_customer_by_phone {"phone_number": "555-9"} → {"customer_id": "C2",…
		assistant get_customer_by_phone {"phone_number": "9"} → Error: Customer with phone number 9 not found
		assistant get_customer_by_name {"full_name": "ann ash", "dob": "1990-01-01"} → [{"customer_id": "C1",…
		assistant get_customer_by_name {"full_name": "ann ash", "dob": "1990"} → []
		assistant get_customer_by_name {"full_name": 5, "dob": "1990"} → Error: 'int' object has no attribute 'lower'
		assistant get_details_by_id {"id": "D1"} → {"device_id": "D1", "device_type": "phone", "model": "X", "imei": null, "is_esim_capable": true, "activated": false, "activation_date": "2025-01-20 14:30:00", "last_esim_transfer_date": null}
		assistant get_details_by_id {"id": "L2"} → {"line_id": "L2", "phone_number": "555-2", "status": "Pending Activation", "plan_id": "P1", "device_id": null, "data_used_gb": 0.0, "data_refueling_gb": 0.0, "roaming_enabled": false,…
		assistant get_details_by_id {"id": "C2"} → {"customer_id": "C2", "full_name": "Bob Birch", "date_of_birth": "1991-01-01", "email": "b@x", "phone_number": "555-9", "address": {"street": "2 A St", "city": "B", "state": "CA", "zip_code": "1"}, "account_status": "Pending Verification", "payment_methods": [], "line_ids": ["L2"], "bill_ids": [], "created_at": "2025-01-01",…
		assistant get_details_by_id {"id": "B9"} → Error: Bill with ID B9 not found
		assistant get_details_by_id {"id": "P1"} → {"plan_id": "P1", "name": "Basic", "data_limit_gb": 5.0,…
		assistant get_details_by_id {"id": "x"} → Error: Unknown ID format or type: x
		assistant get_bills_for_customer {"customer_id": "C1"} → [{"bill_id": "B2",…
		assistant get_bills_for_customer {"customer_id": "C1", "limit": -1} → [{"bill_id": "B2", "customer_id": "C1", "period_start": "2025-02-01", "period_end": "2025-02-28", "issue_date": "2025-03-05", "total_due": 0.0, "due_date": "2025-03-19", "line_items": [], "status": "Draft"}]
		assistant get_bills_for_customer {"customer_id": "C1", "limit": false} → []
		assistant get_bills_for_customer {"customer_id": "C1", "limit": "2"} → Error: slice indices must be…
		assistant get_data_usage {"customer_id": "C1", "line_id": "L1"} → {"line_id": "L1", "data_used_gb": "3.2", "data_limit_gb": "5.0", "data_refueling_gb": "0.0", "cycle_end_date": "2025-02-28"}
		assistant get_data_usage {"customer_id": "C2", "line_id": "L1"} → Error: Line L1 not found for customer C2
		ENV assistant get_available_plan_ids {} → ['P1']
	`)
}

func TestLines(t *testing.T) {
	script(t, town(t), `
		assistant suspend_line {"customer_id": "C1", "line_id": "L2", "reason": "x"} → Error: Line must be active to suspend
		assistant resume_line {"customer_id": "C1", "line_id": "L2"} → {"message": "Line resumed successfully", "line": {"line_id": "L2", "phone_number": "555-2", "status": "Active",…
		assistant suspend_line {"customer_id": "C1", "line_id": "L1", "reason": "x"} → {"message": "Line suspended successfully. $5/month holding fee will apply.", "line": {"line_id": "L1", "phone_number": "555-1", "status": "Suspended", "plan_id": "P1", "device_id": "D1", "data_used_gb": 3.2, "data_refueling_gb": 0.0, "roaming_enabled": false, "contract_end_date": null, "last_plan_change_date": null, "last_sim_replacement_date": null, "suspension_start_date": "2025-02-25"}}
		ENV assistant assert_line_status {"customer_id": "C1", "line_id": "L1", "expected_status": "Suspended"} → True
		assistant enable_roaming {"customer_id": "C1", "line_id": "L1"} → Roaming enabled successfully
		assistant enable_roaming {"customer_id": "C1", "line_id": "L1"} → Roaming was already enabled
		assistant disable_roaming {"customer_id": "C1", "line_id": "L1"} → Roaming disabled successfully
	`)
}

// TestRefuel: whole numbers, fractions and truth values are spelt as they came.
func TestRefuel(t *testing.T) {
	script(t, town(t), `
		assistant refuel_data {"customer_id": "C1", "line_id": "L1", "gb_amount": 3} → {"message": "Successfully added 3 GB of data for line L1 for $0.30", "new_data_refueling_gb": "3.0", "charge": "0.30000000000000004"}
		assistant refuel_data {"customer_id": "C1", "line_id": "L1", "gb_amount": true} → {"message": "Successfully added True GB of data for line L1 for $0.10", "new_data_refueling_gb": "4.0", "charge": "0.1"}
		assistant refuel_data {"customer_id": "C1", "line_id": "L1", "gb_amount": 0} → Error: Refuel amount must be positive
		assistant refuel_data {"customer_id": "C1", "line_id": "L1", "gb_amount": "2"} → Error: '<=' not supported between instances of 'str' and 'int'
		assistant get_details_by_id {"id": "B2"} → {"bill_id": "B2", "customer_id": "C1", "period_start": "2025-02-01", "period_end": "2025-02-28", "issue_date": "2025-03-05", "total_due": 0.4, "due_date": "2025-03-19", "line_items": [{"description": "Data refueling: 3 GB at $0.1/GB", "amount": 0.30000000000000004, "date": "2025-02-25", "item_type": "Charge"}, {"description": "Data refueling: True GB at $0.1/GB", "amount": 0.1, "date": "2025-02-25", "item_type": "Charge"}], "status": "Draft"}
		ENV assistant assert_data_refueling_amount {"customer_id": "C1", "line_id": "L1", "expected_amount": 4} → True
	`)
}

// TestDraw: a bill without a draft before it gets an id that the reference draws;
// here it is the same each time.
func TestDraw(t *testing.T) {
	e := town(t)
	if e.Drawn(chat.Assistant) != nil {
		t.Error("drawn before any call")
	}
	e.Call(chat.Assistant, "refuel_data", map[string]any{"customer_id": "C2", "line_id": "L2", "gb_amount": 1})
	again := town(t)
	again.Call(chat.Assistant, "refuel_data", map[string]any{"customer_id": "C2", "line_id": "L2", "gb_amount": 1})
	drawn := e.Drawn(chat.Assistant)
	if len(drawn) != 1 || !slices.Equal(drawn, again.Drawn(chat.Assistant)) || e.Hash() != again.Hash() {
		t.Fatalf("drawn %v and %v", drawn, again.Drawn(chat.Assistant))
	}
	script(t, e, `assistant get_details_by_id {"id": "`+drawn[0]+`"} → {"bill_id": "`+drawn[0]+`", "customer_id": "C2", "period_start": "2025-03-01", "period_end": "2025-03-31", "issue_date": "2025-03-01", "total_due": 0.1, "due_date": "2025-03-15",…`)
}

// TestPayment: a request reaches the phone, a payment the account, each when the
// call is over.
func TestPayment(t *testing.T) {
	script(t, town(t), `
		user check_payment_request {} → No payment request has been made.
		assistant send_payment_request {"customer_id": "C1", "bill_id": "B9"} → Error: Bill B9 not found for customer C1
		assistant send_payment_request {"customer_id": "C1", "bill_id": "B1"} → Payment request sent to the customer for bill B1
		nobody's phone shows a request before it is known whose phone it is
		user check_payment_request {} → No payment request has been made.
		ENV user set_user_info {"name": "Ann Ash", "phone_number": "555-1"} → None
		user check_payment_request {} → You have a payment request for bill B1 of 40.0 USD.
		assistant send_payment_request {"customer_id": "C1", "bill_id": "B2"} → Error: A bill is already awaiting payment for this customer
		ENV assistant assert_no_overdue_bill {"overdue_bill_id": "B1"} → False
		user make_payment {} → Payment of 40.0 USD has been made for bill B1.
		user make_payment {} → You do not have a payment request.
		ENV assistant assert_no_overdue_bill {"overdue_bill_id": "B1"} → True
		ENV assistant assert_no_overdue_bill {"overdue_bill_id": "B9"} → True
		ENV assistant assert_overdue_bill_exists {"customer_id": "C1", "overdue_bill_id": "B1"} → raised Overdue bill B1 is not overdue
	`)
}

// TestCoupling: what the account says of the line is felt at the phone.
func TestCoupling(t *testing.T) {
	script(t, town(t), `
		user check_status_bar {} → Status Bar: 📶³ Good | 5G | 📱 Data Enabled | 🔋 80%
		ENV user set_user_info {"name": "Ann Ash", "phone_number": "555-1"} → None
		user run_speed_test {} → Speed Test Result: 220.00 Mbps (Excellent). Connection is very fast.
		ENV assistant set_data_usage {"customer_id": "C1", "line_id": "L1", "data_used_gb": 5} → 'Data usage set to 5 GB for line L1'
		user run_speed_test {} → Speed test failed: No Connection.
		ENV user assert_mobile_data_usage_exceeded {"expected_status": true} → True
		assistant refuel_data {"customer_id": "C1", "line_id": "L1", "gb_amount": 0.5} → {"message": "Successfully added 0.5 GB…
		ENV user assert_mobile_data_status {"expected_status": true} → True
		ENV user set_user_location {"abroad": true} → None
		ENV user assert_mobile_data_status {"expected_status": true} → False
		user toggle_roaming {} → Data Roaming is now ON.↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		ENV user assert_mobile_data_status {"expected_status": true} → False
		assistant enable_roaming {"customer_id": "C1", "line_id": "L1"} → Roaming enabled successfully
		ENV user assert_mobile_data_status {"expected_status": true} → True
		the phone notices a suspended line when it looks for a network
		ENV assistant suspend_line_for_overdue_bill {"customer_id": "C1", "line_id": "L1", "new_bill_id": "B3", "contract_ended": true} → raised Customer already has an overdue bill
		assistant suspend_line {"customer_id": "C1", "line_id": "L1", "reason": "x"} → {"message": "Line suspended…
		user check_status_bar {} → Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		user reboot_device {} → Restarting network services...↵Status Bar: 📵 No Signal | 📵 Data Disabled | 🔋 80%
		assistant resume_line {"customer_id": "C1", "line_id": "L1"} → {"message": "Line resumed…
		user reboot_device {} → Restarting network services...↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		a number that no line has makes every call fail
		ENV user set_user_info {"name": "Ann Ash", "phone_number": 5} → raised Line with phone number 5 not found
		user check_wifi_status {} → Error: Line with phone number 5 not found
	`)
}

func TestOverdue(t *testing.T) {
	e := town(t)
	script(t, e, `
		ENV assistant suspend_line_for_overdue_bill {"customer_id": "C2", "line_id": "L1", "new_bill_id": "B1", "contract_ended": "yes"} → 'Line L1 suspended for unpaid bill B1. Contract ended: yes'
		of two bills with one id the first is found
		ENV assistant assert_overdue_bill_exists {"customer_id": "C2", "overdue_bill_id": "B1"} → True
		assistant get_bills_for_customer {"customer_id": "C2"} → [{"bill_id": "B1", "customer_id": "C1",…
		assistant get_details_by_id {"id": "L1"} → {"line_id": "L1", "phone_number": "555-1", "status": "Suspended", "plan_id": "P1", "device_id": "D1", "data_used_gb": 3.2, "data_refueling_gb": 0.0, "roaming_enabled": false, "contract_end_date": "2025-01-31",…
	`)
	want := `{"bill_id": "B1", "customer_id": "C2", "period_start": "2025-01-01", "period_end": "2025-01-31"`
	if got := e.RecordJSON("bills", "B1#2"); got == nil {
		t.Error("the second bill of the id is missing")
	} else if text := pyjson.Dumps(got); !strings.HasPrefix(text, want) {
		t.Errorf("second bill %s", text)
	}
}

// TestPhone: each fault and what repairs it.
func TestPhone(t *testing.T) {
	script(t, town(t), `
		user toggle_airplane_mode {} → Airplane Mode is now ON.↵Status Bar: ✈️ Airplane Mode | 🔋 80%
		user toggle_wifi {} → Cannot change Wi-Fi settings while Airplane Mode is ON.↵Status Bar: ✈️ Airplane Mode | 🔋 80%
		ENV user turn_airplane_mode_on {} → 'Airplane Mode is now ON.'
		ENV user assert_airplane_mode_status {"expected_status": true} → True
		ENV user turn_airplane_mode_off {} → 'Airplane Mode is now OFF.'
		user toggle_wifi {} → Wi-Fi is now ON.↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		user check_wifi_status {} → Wi-Fi is ON but not connected to any network.
		ENV user unseat_sim_card {} → 'SIM card un-seated successfully.'
		user check_sim_status {} → No SIM card detected in the phone.
		ENV user assert_service_status {"expected_status": "no_service"} → True
		ENV user assert_service_status {"expected_status": "gone"} → raised 'gone' is not a valid NetworkStatus
		user reseat_sim_card {} → SIM card re-seated successfully.↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		ENV user break_apn_settings {} → 'APN settings broken. Please call reset_apn_settings() to fix.'
		user check_apn_settings {} → Current APN Name: broken↵MMSC URL (for picture messages): http://mms.carrier.com/mms/wapenc↵(These are technical…
		user reset_apn_settings {} → APN settings will reset at reboot.↵Status Bar: 📵 No Signal | 📵 Data Disabled | 🔋 80%
		user reboot_device {} → Resetting APN settings...↵Restarting network services...↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		ENV user break_apn_mms_setting {} → 'APN MMS setting broken. Please call reset_apn_settings() to fix.'
		user can_send_mms {} → Your messaging app cannot send MMS messages.
		user set_apn_settings {"apn_settings": {"mms_port": "80"}} → APN settings set to: internet↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		ENV user assert_can_send_mms {"expected_status": true} → True
		ENV user remove_app_permission {"app_name": "messaging", "permission": "SMS"} → [True, "Permission 'sms' removed from app 'messaging'."]
		ENV user remove_app_permission {"app_name": "games", "permission": "sms"} → [False, "App 'games' not found. Cannot remove permission."]
		user check_app_permissions {"app_name": "messaging"} → App 'messaging' has permission for: storage, phone.
		user grant_app_permission {"app_name": "messaging", "permission": "camera"} → Error. Permission 'camera' not tracked for app 'messaging', available permissions: ['sms', 'storage', 'phone', 'network']↵Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%
		user grant_app_permission {"app_name": "messaging", "permission": "sms"} → Success. Permission 'sms' granted to app 'messaging'.↵Status Bar: …
		user check_app_status {"app_name": "browser"} → Status for App: browser↵ - Permissions Granted:↵   - storage↵   - network
		user check_installed_apps {} → The following apps are installed on the phone: messaging, browser
		ENV user set_wifi_calling {"enabled": true, "mms_over_wifi": true} → 'Wi-Fi Calling is now ON.\nMMS over Wi-Fi is now ON.'
		ENV user assert_can_send_mms {"expected_status": true} → False
		user toggle_wifi_calling {} → Wi-Fi Calling is now OFF.↵Status Bar: …
		ENV user turn_data_saver_mode_on {} → 'Data Saver Mode is now ON.'
		user check_data_restriction_status {} → Data Saver mode is ON (limits data usage).
		ENV user assert_internet_speed {"expected_speed": 55, "expected_desc": "Good"} → True
		user toggle_data_saver_mode {} → Data Saver Mode is now OFF.↵Status Bar: …
		user set_network_mode_preference {"mode": "2g_only"} → Preferred Network Mode set to: 2g_only↵Status Bar: 📶¹ Poor | 2G | 📱 Data Enabled | 🔋 80%
		user run_speed_test {} → Speed Test Result: 0.05 Mbps (Very Poor). Connection is very slow. Basic web browsing might be difficult.
		user set_network_mode_preference {"mode": "6g"} → Failed to set network mode: '6g' is not a valid option. Please use one of: 4g_5g_preferred, 4g_only, 3g_only, 2g_only↵Status Bar: 📶¹ Poor | 2G | 📱 Data Enabled | 🔋 80%
		user set_network_mode_preference {"mode": "4g_5g_preferred"} → Preferred Network Mode set to: 4g_5g_preferred↵Status Bar: …
		ENV user turn_data_off {} → 'Data connection broken.'
		user check_network_status {} → Airplane Mode: OFF↵SIM Card Status: active↵Cellular Connection: connected↵Cellular Signal: excellent↵Cellular Network Type: 5G↵Mobile Data Enabled: No↵Data Roaming Enabled: No↵Wi-Fi Radio: ON↵Wi-Fi Connected: No
		user toggle_data {} → Mobile Data is now ON.↵Status Bar: …
		ENV user lock_sim_card {"mode": "pin"} → 'SIM card locked successfully in pin mode.'
		user check_sim_status {} → The SIM card is locked with a PIN code.
	`)
}

// TestLoose: what is no setting is stored all the same, and fails later.
func TestLoose(t *testing.T) {
	e := town(t)
	before := e.UserHash()
	script(t, e, `
		user set_network_mode_preference {"mode": 5} → Error: 'int' object has no attribute 'value'
		user check_network_mode_preference {} → Error: 'int' object has no attribute 'value'
		user set_network_mode_preference {"mode": null} → Failed to set network mode: 'None' is not a valid option. …
		user set_network_mode_preference {"mode": "4g_5g_preferred"} → Preferred…
		user set_apn_settings {"apn_settings": {"apn_name": "best"}} → Error: 1 validation error for APNSettings…
		user grant_app_permission {"app_name": "messaging", "permission": 1} → Error: 'int' object has no attribute 'lower'
		user grant_app_permission {"app_name": ["messaging"], "permission": "sms"} → Error: unhashable type: 'list'
		user set_apn_settings {"apn_settings": "x"} → Error: 'str' object has no attribute 'apn_name'
		user toggle_data {} → Error: 'str' object has no attribute 'apn_name'
		user check_status_bar {} → Status Bar: 📶⁴ Excellent | 5G | 📵 Data Disabled | 🔋 80%
		user reboot_device {} → Error: 'str' object has no attribute 'reset_at_reboot'
		user set_apn_settings {"apn_settings": {}} → APN settings set to: internet↵Status Bar: …
		user toggle_data {} → Mobile Data is now ON.↵Status Bar: …
	`)
	if e.UserHash() == before {
		t.Error("the signal has changed since the search, the hash has not")
	}
}

// TestVPN: the reference's phones share a connection that is slow; corrected
// ones make a fast one of their own.
func TestVPN(t *testing.T) {
	e := town(t)
	strict := e.Domain().Strict()
	const details = `user check_vpn_status {} → VPN is ON and connected. Details: {'server_address': '192.168.1.1', 'protocol': 'OpenVPN', 'server_performance': <PerformanceLevel.`
	const connect = `user connect_vpn {} → VPN connected successfully.↵Status Bar: 📶³ Good | 5G | 📱 Data Enabled | 🔒 VPN Connected | 🔋 80%
		user connect_vpn {} → VPN already connected.
	`
	script(t, e, connect+details+"POOR: 'poor'>}")
	for range 2 {
		fresh := strict.Environment()
		script(t, fresh, connect+details+`EXCELLENT: 'excellent'>}
			ENV user break_vpn {} → 'VPN connection broken.'
			user run_speed_test {} → Speed Test Result: 22.00 Mbps (Fair). …
			user disconnect_vpn {} → VPN disconnected successfully.↵Status Bar: …
			user disconnect_vpn {} → No active VPN connection to disconnect.↵Status Bar: …
			ENV user assert_internet_not_excellent {} → False`)
	}
}

func TestInitializationDataAreRefused(t *testing.T) {
	for data, want := range map[string]string{
		`{"agent_data": {"customers": []}}`:              "initialization data leave both sides with one database: 'TelecomDB' object has no attribute 'surroundings'",
		`{"user_data": {"device": {"data_enabled": 0}}}`: "'TelecomUserDB' object has no attribute 'lines'",
	} {
		e := town(t)
		err := nativetest.Start(t, e, `{"initialization_data": `+data+`}`)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", data, err)
		}
		if !e.Equal(town(t)) {
			t.Errorf("%s: the environment has changed", data)
		}
	}
}

func TestInitializationActions(t *testing.T) {
	e := town(t)
	if err := nativetest.Start(t, e, `{"initialization_actions": [
		{"env_type": "user", "func_name": "set_user_info", "arguments": {"name": "Ann Ash", "phone_number": "555-2"}}]}`); err != nil {
		t.Fatal(err)
	}
	script(t, e, `
		user reboot_device {} → Restarting network services...↵Status Bar: 📵 No Signal | 📵 Data Disabled | 🔋 80%
		assistant resume_line {"customer_id": "C1", "line_id": "L2"} → {"message": "Line resumed…
	`)
	e.Reset()
	script(t, e, `ENV assistant assert_line_status {"customer_id": "C1", "line_id": "L2", "expected_status": "Pending Activation"} → True`)
}

// TestDefaults: what a database leaves out.
func TestDefaults(t *testing.T) {
	full := nativetest.Environment(t, Native, agentData, `{"device": {"wifi_enabled": true, "app_statuses": {"maps": {"app_name": "Maps"}}, "active_apn_settings": {"mmsc_url": null}},
		"surroundings": {"signal_strength": {"4G": "poor"}, "is_abroad": "no"}}`)
	script(t, full, `
		user check_installed_apps {} → The following apps are installed on the phone: maps
		user check_app_permissions {"app_name": "maps"} → App 'maps' currently has no permissions granted.
		user check_apn_settings {} → Current APN Name: internet↵MMSC URL (for picture messages): Not Set…
		user toggle_roaming {} → Data Roaming is now ON.↵Status Bar: 📶¹ Poor | 4G | 📱 Data Enabled | 🔋 80%
		ENV user assert_mobile_data_status {"expected_status": true} → True
	`)
	if a, b := town(t).UserHash(), nativetest.Environment(t, Native, agentData, `{"device": {}}`).UserHash(); a != b {
		t.Error("an empty device is not the default one")
	}
}

func TestMisfits(t *testing.T) {
	for _, c := range []struct{ agent, user, want string }{
		{`{"lines": [{"line_id": "L1", "phone_number": "1", "plan_id": "P1", "status": "Gone"}]}`, "", "lines.0.status\n  Input should be 'Active', 'Suspended', 'Pending Activation' or 'Closed'"},
		{`{"lines": [{"line_id": "L1", "phone_number": "1", "plan_id": "P1", "contract_end_date": "2025-02-30"}]}`, "", "lines.0.contract_end_date"},
		{`{"lines": {}}`, "", "lines\n  Input should be a valid list"},
		{`{"towns": []}`, "", "towns\n  Extra inputs are not permitted"},
		{`{}`, `{"device": {"network_mode_preference": "5g"}}`, "device.network_mode_preference"},
		{`{}`, `{"device": {"active_apn_settings": {"colour": 1}}}`, "device.active_apn_settings.colour"},
		{`{}`, `{"surroundings": {"signal_strength": {"6G": "good"}}}`, "surroundings.signal_strength.6G"},
		{`{}`, `{"surroundings": {"phone_number": "555-1"}}`, "Line with phone number 555-1 not found"},
		{`{"plans": 1}`, `{"device": 1}`, "device\n  Input should be a valid dictionary"},
	} {
		_, err := Native.Load(nativetest.Decode(t, c.agent), nativetest.Decode(t, c.user))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.agent, c.user, err, c.want)
		}
	}
}

// TestForksAreApart: what one environment does to phone, apps, bills and payment
// is not seen by another.
func TestForksAreApart(t *testing.T) {
	e := town(t)
	script(t, e, `
		ENV user set_user_info {"name": "Ann Ash", "phone_number": "555-1"} → None
		assistant send_payment_request {"customer_id": "C1", "bill_id": "B1"} → Payment request…
		user connect_vpn {} → VPN connected…
	`)
	before := [2]string{e.Hash(), e.UserHash()}
	other := e.Clone()
	script(t, other, `
		ENV user break_vpn {} → 'VPN connection broken.'
		ENV user break_apn_settings {} → 'APN settings broken…
		ENV user remove_app_permission {"app_name": "messaging", "permission": "sms"} → [True…
		user make_payment {} → Payment of…
		assistant refuel_data {"customer_id": "C1", "line_id": "L1", "gb_amount": 1} → {"message"…
	`)
	if after := [2]string{e.Hash(), e.UserHash()}; after != before {
		t.Error("a clone's calls changed the original")
	}
	diff := strings.Join(e.Diff(other), "\n")
	for _, want := range []string{"bills.B1.status: 'Awaiting Payment' → 'Paid'", "user.device.phone.active_apn_settings.apn_name: 'internet' → 'broken'", "user.surroundings.user.payment_request: {"} {
		if !strings.Contains(diff, want) {
			t.Errorf("diff lacks %q:\n%s", want, diff)
		}
	}
}
