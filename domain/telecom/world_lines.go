package telecom

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taste/domain/builtin"
)

var (
	// linesEach weighs the numbers of lines of a customer, from none on.
	linesEach    = []int{1, 12, 28, 28, 19, 12}
	lineStatuses = []string{LineActive, LineSuspended, LinePending, LineClosed}
	lineWeights  = []int{80, 14, 3, 3}
	models       = map[string][]string{
		"phone":  {"Kite 4", "Kite 5 Plus", "Lumen S", "Lumen S Pro", "Orbit 12", "Orbit 12 Mini", "Pebble One", "Sable X"},
		"tablet": {"Kite Tab 10", "Lumen Board", "Orbit Slate"},
		"watch":  {"Pebble Band", "Orbit Wrist"},
		"router": {"Harbor Hub", "Harbor Hub Lite"},
	}
)

// buildLines gives the drawn customers their lines, each with its device. The
// first is a phone; its number is where most customers are reached.
func (w *world) buildLines() {
	d := w.dice("lines")
	for _, c := range w.clients {
		for i := range builtin.Weighted(d, linesEach) {
			l := w.drawLine(d, i)
			w.db.Lines.Add(l.LineID, l)
			c.LineIDs = append(c.LineIDs, l.LineID)
			if i == 0 && builtin.Chance(d, 65) {
				c.PhoneNumber = l.PhoneNumber
			}
		}
	}
}

func (w *world) drawLine(d *rand.Rand, nth int) *Line {
	kind := "phone"
	if nth > 0 {
		kind = []string{"phone", "tablet", "watch", "router"}[builtin.Weighted(d, []int{72, 14, 8, 6})]
	}
	device, plan := w.drawDevice(d, kind), w.drawPlan(d, kind)
	l := &Line{
		LineID: w.id(d, "L", 5), PhoneNumber: w.number(d), Status: lineStatuses[builtin.Weighted(d, lineWeights)],
		PlanID: plan.PlanID, DeviceID: &device.DeviceID, DataUsedGB: tenths(plan.DataLimitGB * float64(builtin.Between(d, 5, 90)) / 100),
		Roaming: builtin.Chance(d, 50), ContractEnd: day(builtin.Between(d, 40, 900)), LastPlanChange: day(-builtin.Between(d, 10, 500)),
	}
	if builtin.Chance(d, 25) {
		l.LastSIMChange = day(-builtin.Between(d, 10, 400))
	}
	switch l.Status {
	case LineSuspended:
		l.SuspensionStart, l.DataUsedGB = day(-builtin.Between(d, 2, 80)), 0.0
		if builtin.Chance(d, 30) {
			l.ContractEnd = day(-builtin.Between(d, 3, 60))
		}
	case LinePending, LineClosed:
		l.DataUsedGB = 0.0
	}
	return l
}

// drawPlan draws a plan for a kind of device: what is no phone and no tablet has
// the last one, which is made for it.
func (w *world) drawPlan(d *rand.Rand, kind string) *Plan {
	keys := w.db.Plans.Keys
	last := len(keys) - 1
	if kind == "watch" || kind == "router" {
		return w.db.Plans.Get(keys[last])
	}
	return w.db.Plans.Get(builtin.Pick(d, keys[:last]))
}

func (w *world) drawDevice(d *rand.Rand, kind string) *Device {
	imei := fmt.Sprint(builtin.Between(d, 35e13, 36e13-1))
	dev := &Device{
		DeviceID: w.id(d, "D", 5), Type: kind, Model: builtin.Pick(d, models[kind]), IMEI: &imei, ESIMCapable: builtin.Chance(d, 70),
		Activated: true, ActivationDate: moment(d, builtin.Between(d, 15, 700)),
	}
	if dev.ESIMCapable && builtin.Chance(d, 20) {
		dev.LastESIMTransfer = moment(d, builtin.Between(d, 5, 14))
	}
	w.db.Devices.Add(dev.DeviceID, dev)
	return dev
}

// tenths rounds to a tenth of a gigabyte.
func tenths(gb float64) float64 { return math.Round(gb*10) / 10 }
