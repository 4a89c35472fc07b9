package library

import (
	"taste/chat"
	"taste/env"
	"taste/env/native"
	"taste/pyjson/lax"
)

// Native builds states of the library from databases in JSON form.
var Native = native.OneSided(fromJSON, (*db).state, references...)

var references = []env.Reference{
	{From: "members.member_id"},
	{From: "members.loans[]", To: "loans"},
	{From: "loans.loan_id"},
	{From: "loans.member_id", To: "members"},
}

// db is the library's database.
type db struct {
	members native.Records[Member]
	loans   native.Records[Loan]
}

const class = "LibraryDB"

func fromJSON(v any) (*db, error) {
	c := lax.New(class)
	root := c.Model(v, class)
	d := &db{}
	d.members.Read(c, root, "members", &memberType)
	d.loans.Read(c, root, "loans", &loanType)
	c.NoExtra(root, "members", "loans")
	return d, c.Err()
}

// state implements native.Model.
type state struct {
	members env.Table[Member]
	loans   env.Table[Loan]
}

func (d *db) state() *state {
	return &state{members: d.members.Table(&memberType), loans: d.loans.Table(&loanType)}
}

func (s *state) Fork() *state { return &state{members: s.members.Fork(), loans: s.loans.Fork()} }

func (s *state) Database(side string) native.Database {
	if side != chat.Assistant {
		return native.Database{}
	}
	return native.Database{Class: class, Tables: []native.Table{native.Named("members", &s.members), native.Named("loans", &s.loans)}}
}

func (s *state) Kit(side string) *native.Kit[*state] {
	if side != chat.Assistant {
		return nil
	}
	return &kit
}

func (s *state) Sync() error { return nil }
