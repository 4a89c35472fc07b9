package telecom

import (
	"taste/env"
	"taste/env/native"
)

// DB is the operator's database.
type DB struct {
	Plans     native.Records[Plan]
	Customers native.Records[Customer]
	Lines     native.Records[Line]
	Bills     native.Records[Bill]
	Devices   native.Records[Device]
}

// FromJSON reads a database in the reference's form.
func FromJSON(v any) (*DB, error) {
	s, err := readAgent(v)
	if err != nil {
		return nil, err
	}
	return &DB{recordsOf(&s.plans), recordsOf(&s.customers), recordsOf(&s.lines), recordsOf(&s.bills), recordsOf(&s.devices)}, nil
}

func recordsOf[T any](t *env.Table[T]) (all native.Records[T]) {
	for key, r := range t.All() {
		all.Add(key, r)
	}
	return all
}

// NewState makes a state of a database, which must not be changed afterwards,
// and of a phone without a fault that is nobody's yet.
func NewState(db *DB) env.State {
	return native.NewState(&state{
		plans: db.Plans.Table(&planType), customers: db.Customers.Table(&customerType), lines: db.Lines.Table(&lineType),
		bills: db.Bills.Table(&billType), devices: db.Devices.Table(&deviceType),
		phones:  env.NewTable(&phoneType, []string{phoneKey}, map[string]*Phone{phoneKey: defaultPhone()}),
		arounds: env.NewTable(&aroundType, []string{aroundKey}, map[string]*Surroundings{aroundKey: defaultSurroundings()}),
	}, references...)
}
