package llm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Money is an amount in millionths of a millionth of a dollar, in which the
// price of a token is a whole number: sums are exact, in whatever order.
type Money int64

const dollar = 1e12 // of Money

// Dollars turns dollars into Money.
func Dollars(d float64) Money { return Money(math.Round(d * dollar)) }

// String spells an amount in dollars and cents, or with as many places as it has.
func (m Money) String() string {
	whole, part := m/dollar, m%dollar
	sign := ""
	if m < 0 {
		sign, whole, part = "-", -whole, -part
	}
	places := strings.TrimRight(fmt.Sprintf("%012d", int64(part)), "0")
	return fmt.Sprintf("%s%d.%s", sign, int64(whole), places+strings.Repeat("0", max(0, 2-len(places))))
}

// MarshalJSON writes dollars.
func (m Money) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads dollars.
func (m *Money) UnmarshalJSON(data []byte) error {
	d, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return fmt.Errorf("read dollars: %w", err)
	}
	*m = Dollars(d)
	return nil
}

// Float returns dollars, as near as a float comes.
func (m Money) Float() float64 { return float64(m) / dollar }
