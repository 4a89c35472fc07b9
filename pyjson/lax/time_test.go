package lax

import "testing"

// TestTimes: the table was taken from pydantic 2.14 itself; "" is a failure.
func TestTimes(t *testing.T) {
	for _, c := range [][3]string{
		{"2025-01-31", "2025-01-31", "2025-01-31 00:00:00"},
		{"2025-1-31", "", ""},
		{"2025-01-31T00:00:00", "2025-01-31", "2025-01-31 00:00:00"},
		{"2025-01-31 00:00", "2025-01-31", "2025-01-31 00:00:00"},
		{"2025-01-31T10:00:00", "", "2025-01-31 10:00:00"},
		{"2025-02-30", "", ""},
		{"", "", ""},
		{"2025-01-31T00:00:00Z", "2025-01-31", "2025-01-31 00:00:00+00:00"},
		{"2025-01-31T14:30", "", "2025-01-31 14:30:00"},
		{"2025-01-31 14:30:00.5", "", "2025-01-31 14:30:00.500000"},
		{"2025-01-31T14:30:00,5", "", "2025-01-31 14:30:00.500000"},
		{"2025-01-31T14:30:00+02:00", "", "2025-01-31 14:30:00+02:00"},
		{"2025-01-31T14:30:00-0330", "", "2025-01-31 14:30:00-03:30"},
		{"2025-01-31t14:30:00z", "", "2025-01-31 14:30:00+00:00"},
		{"2025-01-31_14:30:00", "", "2025-01-31 14:30:00"},
		{"2025-01-31T24:00:00", "", ""},
		{"2025-01-31T14:30:00.1234567", "", "2025-01-31 14:30:00.123456"},
		{"2025-01-31T14:30:00 Z", "", ""},
		{"2025-01-31T14", "", ""},
		{"2025-01-31T14:30:00+02", "", ""},
		{" 2025-01-31", "", ""},
	} {
		day, time := New("M"), New("M")
		if got := day.Date(c[0]); got != c[1] || day.OK() != (c[1] != "") {
			t.Errorf("Date(%q) = %q, want %q", c[0], got, c[1])
		}
		if got := time.DateTime(c[0]); got != c[2] || time.OK() != (c[2] != "") {
			t.Errorf("DateTime(%q) = %q, want %q", c[0], got, c[2])
		}
	}
}

// TestBool: likewise.
func TestBool(t *testing.T) {
	for _, c := range []struct {
		v  any
		is bool
		ok bool
	}{
		{"true", true, true},
		{"TRUE", true, true},
		{"Yes", true, true},
		{"on", true, true},
		{"2", false, false},
		{"1", true, true},
		{"0", false, true},
		{"n", false, true},
		{" true", false, false},
		{"", false, false},
		{int64(1), true, true},
		{int64(0), false, true},
		{int64(2), false, false},
		{1.0, true, true},
		{0.0, false, true},
		{0.5, false, false},
		{nil, false, false},
		{[]any{}, false, false},
	} {
		m := New("M")
		if got := m.Bool(c.v); got != c.is || m.OK() != c.ok {
			t.Errorf("Bool(%v) = %v, %v, want %v, %v", c.v, got, m.OK(), c.is, c.ok)
		}
	}
}
