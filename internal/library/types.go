package library

import (
	"slices"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// Member is somebody with a library card.
type Member struct {
	ID       string
	Name     string // first and last
	Email    string
	Category string   // Adult or Student
	Cards    []string // last four digits of bank cards
	Loans    []string // numbers of current loans
}

// Categories of members.
const (
	Adult   = "adult"
	Student = "student"
)

// Loan is something that a member has at home.
type Loan struct {
	ID        string
	Member    string // number of the member's card
	Title     string
	Shelfmark string
	Kind      string // Book or Film
	Due       string // ISO date
	Renewals  int64
	Waiting   int64   // members who wait for it
	Paid      float64 // dollars, for being late
	PaidBy    string  // last four digits of a bank card, "" where nothing was paid
}

// Kinds of things on loan.
const (
	Book = "book"
	Film = "film"
)

// No tool changes a member; loans hold nothing that is shared.
var (
	memberType = env.RecordType[Member]{Clone: native.Copy[Member], Equal: sameMember, JSON: dumpMember, Valid: validMember}
	loanType   = env.RecordType[Loan]{Clone: native.Copy[Loan], Equal: sameLoan, JSON: dumpLoan, Valid: validLoan}
)

func sameMember(a, b *Member) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Email == b.Email && a.Category == b.Category &&
		slices.Equal(a.Cards, b.Cards) && slices.Equal(a.Loans, b.Loans)
}

func sameLoan(a, b *Loan) bool {
	x, y := *a, *b
	x.Paid, y.Paid = 0, 0
	return x == y && native.SameFloat(a.Paid, b.Paid)
}

func dumpMember(m *Member) *pyjson.Object {
	return pyjson.NewObject("member_id", m.ID, "name", m.Name, "email", m.Email, "category", m.Category,
		"cards", native.Texts(m.Cards), "loans", native.Texts(m.Loans))
}

func dumpLoan(l *Loan) *pyjson.Object {
	return pyjson.NewObject("loan_id", l.ID, "member_id", l.Member, "title", l.Title, "shelfmark", l.Shelfmark, "kind", l.Kind,
		"due", l.Due, "renewals", l.Renewals, "waiting", l.Waiting, "paid", l.Paid, "paid_by", l.PaidBy)
}

func validMember(c *lax.Check, v any) *Member {
	o := c.Model(v, "Member")
	return &Member{
		ID: c.FieldStr(o, "member_id"), Name: c.FieldStr(o, "name"), Email: c.FieldStr(o, "email"),
		Category: c.FieldLiteral(o, "category", Adult, Student), Cards: c.FieldTexts(o, "cards"), Loans: c.FieldTexts(o, "loans"),
	}
}

func validLoan(c *lax.Check, v any) *Loan {
	o := c.Model(v, "Loan")
	l := &Loan{
		ID: c.FieldStr(o, "loan_id"), Member: c.FieldStr(o, "member_id"), Title: c.FieldStr(o, "title"), Shelfmark: c.FieldStr(o, "shelfmark"),
		Kind: c.FieldLiteral(o, "kind", Book, Film), Due: c.FieldStr(o, "due"), Paid: c.FieldFloat(o, "paid"), PaidBy: c.FieldStr(o, "paid_by"),
	}
	l.Renewals, l.Waiting = c.FieldInt(o, "renewals").Int64(), c.FieldInt(o, "waiting").Int64()
	return l
}
