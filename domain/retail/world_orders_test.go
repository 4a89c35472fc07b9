package retail

import (
	"slices"
	"testing"

	"taste/pyjson"
)

func TestOrdersFitTheirRecords(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		listed := map[string]string{}
		for k, u := range db.Users.All() {
			for _, id := range u.Orders {
				if listed[id] != "" {
					t.Errorf("%s and %s list order %s", k, listed[id], id)
				}
				listed[id] = k
			}
		}
		for k, o := range db.Orders.All() {
			if k != o.OrderID || listed[k] != o.UserID {
				t.Fatalf("order %s of %q is listed under %q", k, o.UserID, listed[k])
			}
			checkItems(t, db, o)
			checkMoney(t, db.Users.Get(o.UserID), o)
			checkParcels(t, o)
		}
		if len(listed) != db.Orders.Len() {
			t.Errorf("%d orders, %d of them listed", db.Orders.Len(), len(listed))
		}
	})
}

// checkItems holds the items against the products they are variants of.
func checkItems(t *testing.T, db *DB, o *Order) {
	t.Helper()
	if len(o.Items) < 1 || len(o.Items) > 5 {
		t.Errorf("%s has %d items", o.OrderID, len(o.Items))
	}
	var ids []string
	for _, i := range o.Items {
		p := db.Products.Get(i.ProductID)
		if p == nil || p.Name != i.Name || p.Variants.Get(i.ItemID) == nil {
			t.Fatalf("%s: there is no %s %s", o.OrderID, i.Name, i.ItemID)
		}
		if v := p.Variants.Get(i.ItemID); v.Price != i.Price || !slices.Equal(v.Options, i.Options) {
			t.Errorf("%s: item %s is %v for %v, in the shop %v for %v", o.OrderID, i.ItemID, i.Options, i.Price, v.Options, v.Price)
		}
		if slices.Contains(ids, i.ItemID) {
			t.Errorf("%s holds %s twice", o.OrderID, i.ItemID)
		}
		ids = append(ids, i.ItemID)
	}
}

// checkMoney adds prices from left to right and rounds the sum to cents, as the
// tools do.
func checkMoney(t *testing.T, u *User, o *Order) {
	t.Helper()
	total := 0.0
	for _, i := range o.Items {
		total += i.Price
	}
	want := []Payment{{Type: Paid, Amount: pyjson.Round2(total), MethodID: o.PaymentHistory[0].MethodID}}
	if o.Status == Cancelled {
		want = append(want, Payment{Refunded, want[0].Amount, want[0].MethodID})
	}
	if !slices.Equal(o.PaymentHistory, want) {
		t.Errorf("%s: payments %v, want %v", o.OrderID, o.PaymentHistory, want)
	}
	if u.Payment(want[0].MethodID) == nil {
		t.Errorf("%s was paid by %s, which %s does not have", o.OrderID, want[0].MethodID, u.UserID)
	}
}

// checkParcels: an order has one parcel with all of its items once it was
// processed, and a reason once it was cancelled.
func checkParcels(t *testing.T, o *Order) {
	t.Helper()
	sent := o.Status == Processed || o.Status == Delivered
	if sent != (len(o.Fulfillments) == 1) || (o.Status == Cancelled) != (o.CancelReason != nil) {
		t.Errorf("%s is %s, with parcels %v and reason %v", o.OrderID, o.Status, o.Fulfillments, o.CancelReason)
	}
	if !sent {
		return
	}
	var ids []string
	for _, i := range o.Items {
		ids = append(ids, i.ItemID)
	}
	if f := o.Fulfillments[0]; len(f.TrackingIDs) != 1 || !slices.Equal(f.ItemIDs, ids) {
		t.Errorf("%s: parcel %v of items %v", o.OrderID, f, ids)
	}
}

// TestCustomersHaveMuchToAskFor: many customers have orders in several states,
// so that a long conversation fits one of them.
func TestCustomersHaveMuchToAskFor(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		states := map[string]int{}
		rich, elsewhere, twins := 0, 0, 0
		for _, u := range db.Users.All() {
			n := map[string]int{}
			for _, id := range u.Orders {
				o := db.Orders.Get(id)
				n[o.Status]++
				states[o.Status]++
				if o.Address != u.Address {
					elsewhere++
				}
				products := map[string]bool{}
				for _, i := range o.Items {
					products[i.ProductID] = true
				}
				if len(products) < len(o.Items) {
					twins++
				}
			}
			if n[Pending] > 0 && n[Delivered] > 0 && len(u.Orders) >= 3 {
				rich++
			}
		}
		if rich < 150 {
			t.Errorf("%d customers have three orders and more, pending and delivered ones", rich)
		}
		all := db.Orders.Len()
		for _, c := range []struct {
			what       string
			n, percent int
		}{
			{"pending", states[Pending], 38},
			{"delivered", states[Delivered], 33},
			{"processed", states[Processed], 7},
			{"cancelled", states[Cancelled], 5},
			{"sent to another address", elsewhere, 18},
			{"with two items of one product", twins, 3},
		} {
			if c.n*100 < all*c.percent || c.n*100 > all*(c.percent+13) {
				t.Errorf("%d of %d orders are %s", c.n, all, c.what)
			}
		}
	})
}
