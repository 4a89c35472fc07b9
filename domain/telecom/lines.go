package telecom

import (
	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

// The domain's fixed present, and days that follow from it.
const (
	today          = "2025-02-25"
	now            = today + "T12:08:00"
	cycleEnd       = "2025-02-28"
	lastMonthStart = "2025-01-01"
	lastMonthEnd   = "2025-01-31"
	lastMonthDue   = "2025-01-15"
	nextMonthStart = "2025-03-01"
	nextMonthEnd   = "2025-03-31"
	nextMonthDue   = "2025-03-15"
)

func suspendLine(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	if line.Status != LineActive {
		return nil, env.ValueError("Line must be active to suspend")
	}
	line = s.lines.Mut(line.LineID)
	line.Status, line.SuspensionStart = LineSuspended, today
	return obj("message", "Line suspended successfully. $5/month holding fee will apply.", "line", native.Later(line, dumpLine)), nil
}

func resumeLine(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	if line.Status != LineSuspended && line.Status != LinePending {
		return nil, env.ValueError("Line must be suspended to resume")
	}
	line = s.lines.Mut(line.LineID)
	line.Status, line.SuspensionStart = LineActive, ""
	return obj("message", "Line resumed successfully", "line", native.Later(line, dumpLine)), nil
}

func enableRoaming(s *state, a []any) (any, error) {
	return s.setRoaming(a, true, "Roaming enabled successfully", "Roaming was already enabled")
}

func disableRoaming(s *state, a []any) (any, error) {
	return s.setRoaming(a, false, "Roaming disabled successfully", "Roaming was already disabled")
}

func (s *state) setRoaming(a []any, on bool, done, already string) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	if line.Roaming == on {
		return already, nil
	}
	s.lines.Mut(line.LineID).Roaming = on
	return done, nil
}

func getDataUsage(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	plan, err := s.planByID(line.PlanID)
	if err != nil {
		return nil, err
	}
	return obj("line_id", a[1], "data_used_gb", line.DataUsedGB, "data_limit_gb", plan.DataLimitGB,
		"data_refueling_gb", line.DataRefuelingGB, "cycle_end_date", cycleEnd), nil
}

// setDataUsage stores a value of any type.
func setDataUsage(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	s.lines.Mut(line.LineID).DataUsedGB = a[2]
	return "Data usage set to " + pyjson.Str(a[2]) + " GB for line " + line.LineID, nil
}

// suspendForOverdueBill suspends a line and makes the bill of last month that is
// the reason, whoever of the two belongs to whom.
func suspendForOverdueBill(s *state, a []any) (any, error) {
	line, err := s.lineByID(a[1])
	if err != nil {
		return nil, err
	}
	if line.Status != LineActive {
		return nil, env.ValueError("Line must be active to suspend for unpaid bill")
	}
	plan, err := s.planByID(line.PlanID)
	if err != nil {
		return nil, err
	}
	if plan.PricePerMonth <= 0 {
		return nil, env.ValueError("Amount must be positive for overdue bill")
	}
	if err := s.noneOverdue(a[0]); err != nil {
		return nil, err
	}
	if err := s.addOverdueBill(a[0], a[2], line, plan.PricePerMonth); err != nil {
		return nil, err
	}
	line = s.lines.Mut(line.LineID)
	line.Status, line.SuspensionStart = LineSuspended, today
	if truth(a[3]) {
		line.ContractEnd = lastMonthEnd
	}
	return "Line " + line.LineID + " suspended for unpaid bill " + pyjson.Str(a[2]) + ". Contract ended: " + pyjson.Str(a[3]), nil
}

func (s *state) noneOverdue(customer any) error {
	bills, err := s.billsOf(customer)
	if err != nil {
		return err
	}
	for _, b := range bills {
		if b.Status == BillOverdue {
			return env.ValueError("Customer already has an overdue bill")
		}
	}
	return nil
}

// truth is Python's bool().
func truth(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string, []any, *pyjson.Object:
		return native.Length(v) > 0
	}
	return !pyjson.Equal(v, int64(0))
}
