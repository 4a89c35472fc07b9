package llm

import (
	"testing"
	"testing/synctest"
)

func TestMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		meter := NewMeter(priced())
		f := newFake(second, failing(fails(Overloaded, 0)))
		together(meter.Watch(f), 10)
		b := meter.Take()
		if len(b.Rows) != 1 || b.Usage != (Usage{Input: 90, Output: 18, Calls: 9}) || *b.Dollars != 108*dollar {
			t.Errorf("took %+v", b)
		}
		if again := meter.Take(); again.Usage != (Usage{}) || again.AsOf != b.AsOf {
			t.Errorf("then %+v", again)
		}
	})
}
