package telecom

import (
	"errors"
	"fmt"
	"slices"

	"taste/chat"
	"taste/env"
	"taste/env/native"
	"taste/internal/hint"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// Native builds telecom states from databases in the reference's form.
var Native = native.Of(load, references...)

var references = []env.Reference{
	{From: "lines.plan_id", To: "plans"},
	{From: "lines.device_id", To: "devices"},
	{From: "customers.line_ids[]", To: "lines"},
	{From: "customers.bill_ids[]", To: "bills"},
	{From: "bills.customer_id", To: "customers"},
	{From: "surroundings.payment_request.bill_id", To: "bills"},
}

var (
	planType     = env.RecordType[Plan]{Clone: native.Copy[Plan], Equal: same(dumpPlan), JSON: dumpPlan, Valid: readPlan}
	customerType = env.RecordType[Customer]{Clone: cloneCustomer, Equal: same(dumpCustomer), JSON: dumpCustomer, Valid: readCustomer}
	lineType     = env.RecordType[Line]{Clone: native.Copy[Line], Equal: same(dumpLine), JSON: dumpLine, Valid: readLine}
	billType     = env.RecordType[Bill]{Clone: cloneBill, Equal: same(dumpBill), JSON: dumpBill, Valid: readBill}
	deviceType   = env.RecordType[Device]{Clone: native.Copy[Device], Equal: same(dumpDevice), JSON: dumpDevice, Valid: readDevice}
	phoneType    = env.RecordType[Phone]{Clone: clonePhone, Equal: same(dumpPhone), JSON: dumpPhone, Valid: readPhone}
	aroundType   = env.RecordType[Surroundings]{Clone: cloneSurroundings, Equal: same(dumpSurroundings), JSON: dumpSurroundings, Valid: readSurroundings}
)

// same compares records by what they are dumped to, as the hash does.
func same[T any](dump func(*T) *pyjson.Object) func(a, b *T) bool {
	return func(a, b *T) bool { return pyjson.Same(dump(a), dump(b)) }
}

func cloneCustomer(c *Customer) *Customer {
	n := *c
	n.BillIDs = append([]string(nil), c.BillIDs...)
	return &n
}

func cloneBill(b *Bill) *Bill {
	n := *b
	n.Items = append([]LineItem(nil), b.Items...)
	return &n
}

func clonePhone(p *Phone) *Phone {
	n := *p
	if p.VPN != nil {
		n.VPN = native.Copy(p.VPN)
	}
	n.Apps = append([]App(nil), p.Apps...)
	return &n
}

func cloneSurroundings(s *Surroundings) *Surroundings {
	n := *s
	if s.Payment != nil {
		n.Payment = native.Copy(s.Payment)
	}
	return &n
}

// Keys of the two records on the user's side.
const (
	phoneKey  = "phone"
	aroundKey = "user"
)

// state holds the databases of both sides.
type state struct {
	plans     env.Table[Plan]
	customers env.Table[Customer]
	lines     env.Table[Line]
	bills     env.Table[Bill]
	devices   env.Table[Device]

	phones  env.Table[Phone]
	arounds env.Table[Surroundings]

	strict bool     // see Correct
	drawn  []string // bills whose ids the reference draws at random
}

func load(agent, user any) (*state, error) {
	s, err := readAgent(agent)
	phone, around, errUser := readUser(user)
	if err := errors.Join(err, errUser); err != nil {
		return nil, err
	}
	s.phones = env.NewTable(&phoneType, []string{phoneKey}, map[string]*Phone{phoneKey: phone})
	s.arounds = env.NewTable(&aroundType, []string{aroundKey}, map[string]*Surroundings{aroundKey: around})
	if err := s.Sync(); err != nil {
		return nil, &env.UserDataError{Err: err}
	}
	return s, nil
}

// Names of the reference's data models.
const (
	agentDB = "TelecomDB"
	userDB  = "TelecomUserDB"
)

func readAgent(v any) (*state, error) {
	s := &state{}
	c := lax.New(agentDB)
	model(c, v, agentDB, func(f *fields) {
		s.plans = records(f, "plans", &planType, func(p *Plan) string { return p.PlanID })
		s.customers = records(f, "customers", &customerType, func(c *Customer) string { return c.CustomerID })
		s.lines = records(f, "lines", &lineType, func(l *Line) string { return l.LineID })
		s.bills = records(f, "bills", &billType, func(b *Bill) string { return b.BillID })
		s.devices = records(f, "devices", &deviceType, func(d *Device) string { return d.DeviceID })
	})
	return s, c.Err()
}

// readUser takes a phone without a fault where there is no database.
func readUser(v any) (*Phone, *Surroundings, error) {
	phone, around := defaultPhone(), defaultSurroundings()
	if v == nil {
		return phone, around, nil
	}
	c := lax.New(userDB)
	model(c, v, userDB, func(f *fields) {
		f.may("device", func(v any) { phone = readPhone(c, v) })
		f.may("surroundings", func(v any) { around = readSurroundings(c, v) })
	})
	if err := c.Err(); err != nil {
		return nil, nil, &env.UserDataError{Err: err}
	}
	return phone, around, nil
}

func (s *state) Fork() *state {
	return &state{
		plans: s.plans.Fork(), customers: s.customers.Fork(), lines: s.lines.Fork(), bills: s.bills.Fork(), devices: s.devices.Fork(),
		phones: s.phones.Fork(), arounds: s.arounds.Fork(), strict: s.strict, drawn: slices.Clip(s.drawn),
	}
}

func (s *state) Database(side string) native.Database {
	if side == chat.User {
		return native.Database{Class: userDB, Tables: []native.Table{
			native.Single("device", &s.phones), native.Single("surroundings", &s.arounds),
		}}
	}
	return native.Database{Class: agentDB, Tables: []native.Table{
		native.Listed("plans", &s.plans), native.Listed("customers", &s.customers), native.Listed("lines", &s.lines),
		native.Listed("bills", &s.bills), native.Listed("devices", &s.devices),
	}}
}

func (*state) Kit(side string) *native.Kit[*state] {
	if side == chat.User {
		return &userKit
	}
	return &agentKit
}

// Share implements native.Sharing: initialization data make the reference's
// coupling fail, because both sides then work on one database.
func (*state) Share(side string) error {
	class, field := agentDB, "surroundings"
	if side == chat.User {
		class, field = userDB, "lines"
	}
	fault := &env.Fault{Class: "AttributeError", Text: "'" + class + "' object has no attribute '" + field + "'", Inexact: true}
	return hint.Add(fmt.Errorf("initialization data leave both sides with one database: %w", fault),
		"telecom tasks are set up by initialization_actions over the customers and lines that there are")
}

// Correct implements native.Corrected: phones have a VPN connection of their own.
func (s *state) Correct() { s.strict = true }

// Drawn implements env.Random.
func (s *state) Drawn(side string) []string {
	if side == chat.User {
		return nil
	}
	return s.drawn
}

// phone and around return the records of the user's side for reading.
func (s *state) phone() *Phone { return s.phones.Get(phoneKey) }

func (s *state) around() *Surroundings { return s.arounds.Get(aroundKey) }

// mutPhone and mutAround return them for writing.
func (s *state) mutPhone() *Phone { return s.phones.Mut(phoneKey) }

func (s *state) mutAround() *Surroundings { return s.arounds.Mut(aroundKey) }
