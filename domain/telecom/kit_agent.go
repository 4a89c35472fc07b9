package telecom

import "taste/env/native"

// agentKit are the functions of the agent's side.
var agentKit = native.Kit[*state]{
	Class: "TelecomTools",
	Tools: map[string]tool{
		"disable_roaming":          {Params: []string{"customer_id", "line_id"}, Run: disableRoaming},
		"enable_roaming":           {Params: []string{"customer_id", "line_id"}, Run: enableRoaming},
		"get_bills_for_customer":   {Params: []string{"customer_id", "limit"}, Defaults: []any{int64(12)}, Run: getBillsForCustomer},
		"get_customer_by_id":       {Params: []string{"customer_id"}, Run: getCustomerByID},
		"get_customer_by_name":     {Params: []string{"full_name", "dob"}, Run: getCustomerByName},
		"get_customer_by_phone":    {Params: []string{"phone_number"}, Run: getCustomerByPhone},
		"get_data_usage":           {Params: []string{"customer_id", "line_id"}, Run: getDataUsage},
		"get_details_by_id":        {Params: []string{"id"}, Run: getDetailsByID},
		"refuel_data":              {Params: []string{"customer_id", "line_id", "gb_amount"}, Run: refuelData},
		"resume_line":              {Params: []string{"customer_id", "line_id"}, Run: resumeLine},
		"send_payment_request":     {Params: []string{"customer_id", "bill_id"}, Run: sendPaymentRequest},
		"suspend_line":             {Params: []string{"customer_id", "line_id", "reason"}, Run: suspendLine},
		"transfer_to_human_agents": {Params: []string{"summary"}, Run: func(*state, []any) (any, error) { return "Transfer successful", nil }},
	},
	Helpers: map[string]tool{
		"get_available_plan_ids":        {Run: getAvailablePlanIDs},
		"set_data_usage":                {Params: []string{"customer_id", "line_id", "data_used_gb"}, Run: setDataUsage},
		"suspend_line_for_overdue_bill": {Params: []string{"customer_id", "line_id", "new_bill_id", "contract_ended"}, Run: suspendForOverdueBill},

		"assert_data_refueling_amount": {Params: []string{"customer_id", "line_id", "expected_amount"}, Run: assertDataRefueling},
		"assert_line_status":           {Params: []string{"customer_id", "line_id", "expected_status"}, Run: assertLineStatus},
		"assert_no_overdue_bill":       {Params: []string{"overdue_bill_id"}, Run: assertNoOverdueBill},
		"assert_overdue_bill_exists":   {Params: []string{"customer_id", "overdue_bill_id"}, Run: assertOverdueBill},
	},
}
