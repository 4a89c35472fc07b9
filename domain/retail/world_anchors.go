package retail

import (
	_ "embed"
	"fmt"

	"taste/pyjson"
)

// anchorsJSON holds the hand-placed records that every world begins with, in the
// database's own form.
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

// placeAnchors puts the anchor records into the world and takes their ids and
// names.
func (w *world) placeAnchors() {
	a := mustAnchors()
	for k, p := range a.Products.All() {
		w.db.AddProduct(p)
		w.taken[k], w.taken[p.Name] = true, true
		for id := range p.Variants.All() {
			w.taken[id] = true
		}
	}
	for _, u := range a.Users.All() {
		w.db.AddUser(u)
		w.claimPerson(u.Name)
		for _, m := range u.PaymentMethods {
			w.taken[m.ID] = true
		}
	}
	for k, o := range a.Orders.All() {
		w.db.AddOrder(o)
		w.taken[k] = true
		for _, f := range o.Fulfillments {
			for _, id := range f.TrackingIDs {
				w.taken[id] = true
			}
		}
	}
}
