package telecom

import (
	"strconv"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// fields reads the fields of one model, which may have no others.
type fields struct {
	c     *lax.Check
	o     *pyjson.Object
	known []string
}

// model reads v as a model of the given name.
func model(c *lax.Check, v any, name string, read func(f *fields)) {
	o := c.Model(v, name)
	if o == nil {
		return
	}
	f := &fields{c: c, o: o}
	read(f)
	c.NoExtra(o, f.known...)
}

func (f *fields) need(key string, read func(v any)) {
	f.known = append(f.known, key)
	f.c.Field(f.o, key, read)
}

// may reads a field that may be left out.
func (f *fields) may(key string, read func(v any)) {
	f.known = append(f.known, key)
	f.c.Optional(f.o, key, read)
}

// orNone reads a field that may be left out or null.
func (f *fields) orNone(key string, read func(v any)) {
	f.may(key, func(v any) {
		if v != nil {
			read(v)
		}
	})
}

func (f *fields) str(key string) (s string) {
	f.need(key, func(v any) { s = f.c.Str(v) })
	return s
}

func (f *fields) optStr(key string) (s *string) {
	f.orNone(key, func(v any) {
		text := f.c.Str(v)
		s = &text
	})
	return s
}

func (f *fields) float(key string) (x float64) {
	f.need(key, func(v any) { x = f.c.Float(v) })
	return x
}

func (f *fields) floatOr(key string, def float64) float64 {
	f.may(key, func(v any) { def = f.c.Float(v) })
	return def
}

func (f *fields) boolOr(key string, def bool) bool {
	f.may(key, func(v any) { def = f.c.Bool(v) })
	return def
}

func (f *fields) enum(key string, options ...string) (s string) {
	f.need(key, func(v any) { s = f.c.Literal(v, options...) })
	return s
}

func (f *fields) enumOr(key, def string, options ...string) string {
	f.may(key, func(v any) { def = f.c.Literal(v, options...) })
	return def
}

func (f *fields) date(key string) (s string) {
	f.need(key, func(v any) { s = f.c.Date(v) })
	return s
}

func (f *fields) optDate(key string) (s string) {
	f.orNone(key, func(v any) { s = f.c.Date(v) })
	return s
}

func (f *fields) optTime(key string) (s string) {
	f.orNone(key, func(v any) { s = f.c.DateTime(v) })
	return s
}

func (f *fields) texts(key string) (all []string) {
	f.may(key, func(v any) { all = f.c.Texts(v) })
	return all
}

func (f *fields) list(key string, read func(e any)) {
	f.may(key, func(v any) { f.c.List(v, read) })
}

// records reads a list of a database under the ids of its records. Of several
// with one id the later ones get keys of their own: looking up finds the first.
func records[T any](f *fields, key string, kind *env.RecordType[T], id func(*T) string) env.Table[T] {
	var all native.Records[T]
	f.list(key, func(e any) {
		r := kind.Valid(f.c, e)
		all.Add(freeKey(id(r), func(k string) bool { return all.Get(k) != nil }), r)
	})
	return all.Table(kind)
}

// freeKey returns the id, or one like it that is not taken.
func freeKey(id string, taken func(string) bool) string {
	key := id
	for n := 2; taken(key); n++ {
		key = id + "#" + strconv.Itoa(n)
	}
	return key
}

func readPlan(c *lax.Check, v any) *Plan {
	p := &Plan{}
	model(c, v, "Plan", func(f *fields) {
		p.PlanID, p.Name = f.str("plan_id"), f.str("name")
		p.DataLimitGB = f.float("data_limit_gb")
		p.PricePerMonth = f.float("price_per_month")
		p.RefuelingPriceByGB = f.float("data_refueling_price_per_gb")
	})
	return p
}

func readDevice(c *lax.Check, v any) *Device {
	d := &Device{}
	model(c, v, "Device", func(f *fields) {
		d.DeviceID = f.str("device_id")
		d.Type = f.enum("device_type", "phone", "router", "tablet", "watch", "other")
		d.Model, d.IMEI = f.str("model"), f.optStr("imei")
		f.need("is_esim_capable", func(v any) { d.ESIMCapable = c.Bool(v) })
		d.Activated = f.boolOr("activated", false)
		d.ActivationDate, d.LastESIMTransfer = f.optTime("activation_date"), f.optTime("last_esim_transfer_date")
	})
	return d
}

func readLine(c *lax.Check, v any) *Line {
	l := &Line{}
	model(c, v, "Line", func(f *fields) {
		l.LineID, l.PhoneNumber = f.str("line_id"), f.str("phone_number")
		l.Status = f.enumOr("status", LinePending, LineActive, LineSuspended, LinePending, LineClosed)
		l.PlanID, l.DeviceID = f.str("plan_id"), f.optStr("device_id")
		l.DataUsedGB, l.DataRefuelingGB = f.floatOr("data_used_gb", 0), f.floatOr("data_refueling_gb", 0)
		l.Roaming = f.boolOr("roaming_enabled", false)
		l.ContractEnd, l.LastPlanChange = f.optDate("contract_end_date"), f.optDate("last_plan_change_date")
		l.LastSIMChange, l.SuspensionStart = f.optDate("last_sim_replacement_date"), f.optDate("suspension_start_date")
	})
	return l
}

func readBill(c *lax.Check, v any) *Bill {
	b := &Bill{}
	model(c, v, "Bill", func(f *fields) {
		b.BillID, b.CustomerID = f.str("bill_id"), f.str("customer_id")
		b.PeriodStart, b.PeriodEnd, b.IssueDate = f.date("period_start"), f.date("period_end"), f.date("issue_date")
		b.TotalDue, b.DueDate = f.float("total_due"), f.date("due_date")
		f.list("line_items", func(e any) { b.Items = append(b.Items, readLineItem(c, e)) })
		b.Status = f.enumOr("status", BillDraft, BillDraft, BillIssued, BillAwaiting, BillPaid, BillOverdue, BillDisputed)
	})
	return b
}

func readLineItem(c *lax.Check, v any) (i LineItem) {
	model(c, v, "LineItem", func(f *fields) {
		i = LineItem{Description: f.str("description"), Amount: f.float("amount"), Date: f.date("date"), Type: f.str("item_type")}
	})
	return i
}

// firstDay is when accounts were opened that do not say when.
const firstDay = "2025-01-01"

func readCustomer(c *lax.Check, v any) *Customer {
	k := &Customer{CreatedAt: firstDay}
	model(c, v, "Customer", func(f *fields) {
		k.CustomerID, k.FullName, k.DateOfBirth = f.str("customer_id"), f.str("full_name"), f.str("date_of_birth")
		k.Email, k.PhoneNumber = f.str("email"), f.str("phone_number")
		f.need("address", func(v any) {
			model(c, v, "Address", func(f *fields) {
				k.Address = Address{f.str("street"), f.str("city"), f.str("state"), f.str("zip_code")}
			})
		})
		k.AccountStatus = f.enumOr("account_status", "Pending Verification", "Active", "Suspended", "Pending Verification", "Closed")
		f.list("payment_methods", func(e any) { k.PaymentMethods = append(k.PaymentMethods, readMethod(c, e)) })
		k.LineIDs, k.BillIDs = f.texts("line_ids"), f.texts("bill_ids")
		f.may("created_at", func(v any) { k.CreatedAt = c.DateTime(v) })
		k.LastExtension = f.optDate("last_extension_date")
		k.GoodwillCredit = f.floatOr("goodwill_credit_used_this_year", 0)
	})
	return k
}

func readMethod(c *lax.Check, v any) (m PaymentMethod) {
	model(c, v, "PaymentMethod", func(f *fields) {
		m = PaymentMethod{f.enum("method_type", "Credit Card", "Debit Card", "PayPal"), f.str("account_number_last_4"), f.str("expiration_date")}
	})
	return m
}
