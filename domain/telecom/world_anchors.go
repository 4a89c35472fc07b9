package telecom

import (
	_ "embed"
	"fmt"

	"taste/pyjson"
)

// anchorsJSON holds the hand-placed records that every world begins with, in the
// database's own form: all plans, and the customers of the seed tasks with their
// lines, devices and bills.
//
//go:embed anchors.json
var anchorsJSON []byte

// mustAnchors reads the anchor records. They are read anew for each world, which
// may then share them with nobody.
func mustAnchors() *DB {
	v, err := pyjson.Decode(anchorsJSON)
	if err == nil {
		var db *DB
		if db, err = FromJSON(v); err == nil {
			return db
		}
	}
	panic(fmt.Sprintf("embedded anchors.json: %v", err))
}

// placeAnchors makes the anchor records the world, and takes their ids, numbers
// and names.
func (w *world) placeAnchors() {
	w.db = mustAnchors()
	for _, c := range w.db.Customers.All() {
		w.take(c.CustomerID, c.FullName, c.PhoneNumber)
	}
	for _, l := range w.db.Lines.All() {
		w.take(l.LineID, l.PhoneNumber)
	}
	for id := range w.db.Bills.All() {
		w.take(id)
	}
	for id := range w.db.Devices.All() {
		w.take(id)
	}
}

func (w *world) take(names ...string) {
	for _, n := range names {
		w.taken[n] = true
	}
}
