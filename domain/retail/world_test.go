package retail

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taste/domain/builtin/builtintest"
)

func TestWorldIsDeterminedByItsSeed(t *testing.T) { built.WorldFollowsSeed(t) }

func TestWorldPassesValidationUnchanged(t *testing.T) { built.WorldComesBack(t) }

func TestWorldSize(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		for _, c := range []struct {
			what        string
			n, min, max int
		}{
			{"products", db.Products.Len(), 51, 51},
			{"users", db.Users.Len(), 400, 500},
			{"orders", db.Orders.Len(), 1200, 1500},
		} {
			if c.n < c.min || c.n > c.max {
				t.Errorf("%d %s, want %d to %d", c.n, c.what, c.min, c.max)
			}
		}
	})
}

// TestAnchorsAreTheSameInEveryWorld also sees that they stay what the file has.
func TestAnchorsAreTheSameInEveryWorld(t *testing.T) {
	a := mustAnchors()
	if n := a.Products.Len() + a.Users.Len() + a.Orders.Len(); n < 100 {
		t.Errorf("only %d anchor records", n)
	}
	built.EachWorld(t, func(t *testing.T, db *DB) {
		for k, p := range a.Products.All() {
			builtintest.Same(t, k, dumpProduct(p), dumpProduct(db.Products.Get(k)))
		}
		for k, u := range a.Users.All() {
			builtintest.Same(t, k, dumpUser(u), dumpUser(db.Users.Get(k)))
		}
		for k, o := range a.Orders.All() {
			builtintest.Same(t, k, dumpOrder(o), dumpOrder(db.Orders.Get(k)))
		}
	})
}

// TestProductsFollowTheCatalogue: every world carries the same names, with the
// same choices.
func TestProductsFollowTheCatalogue(t *testing.T) {
	lines := map[string]kind{}
	for _, k := range mustCatalogue() {
		lines[k.Name] = k
	}
	built.EachWorld(t, func(t *testing.T, db *DB) {
		seen := map[string]bool{}
		for id, p := range db.Products.All() {
			k, ok := lines[p.Name]
			if !ok || seen[p.Name] || id != p.ProductID {
				t.Errorf("product %s, id %s", p.Name, p.ProductID)
			}
			seen[p.Name] = true
			if n := p.Variants.Len(); n < minVariants || n > maxVariants {
				t.Errorf("%s has %d items", p.Name, n)
			}
			for item, v := range p.Variants.All() {
				if item != v.ItemID || v.Price != dollars(cents(v.Price)) {
					t.Errorf("%s: item %s under %s at %v", p.Name, v.ItemID, item, v.Price)
				}
				checkOptions(t, k, v)
			}
			checkApart(t, p)
		}
	})
}

// checkOptions holds an item's options against the line of the catalogue.
func checkOptions(t *testing.T, k kind, v *Variant) {
	t.Helper()
	if len(v.Options) != len(k.Options) {
		t.Fatalf("%s: item %s has options %v", k.Name, v.ItemID, v.Options)
	}
	for i, o := range k.Options {
		if v.Options[i].Name != o.Name || !slices.Contains(o.Values, v.Options[i].Value) {
			t.Errorf("%s: item %s has %v, want one of %v", k.Name, v.ItemID, v.Options[i], o)
		}
	}
}

// checkApart sees that items of a product differ in options and in price, and
// that most can become another one by a change of one option.
func checkApart(t *testing.T, p *Product) {
	t.Helper()
	seen, stuck, available := map[string]bool{}, 0, 0
	for _, v := range p.Variants.All() {
		for _, key := range []string{fmt.Sprint(v.Options), fmt.Sprint(v.Price)} {
			if seen[key] {
				t.Errorf("%s: two items %s", p.Name, key)
			}
			seen[key] = true
		}
		if v.Available {
			available++
		}
		near := 0
		for _, other := range p.Variants.All() {
			if other.Available && differences(v.Options, other.Options) == 1 {
				near++
			}
		}
		if near == 0 {
			stuck++
		}
	}
	if stuck*10 > p.Variants.Len() || available < 4 {
		t.Errorf("%s: %d of %d items are available, %d without a neighbour", p.Name, available, p.Variants.Len(), stuck)
	}
}

// TestSomethingIsOutOfStock: a wish can fail for want of an item.
func TestSomethingIsOutOfStock(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		out, all := 0, 0
		for _, p := range db.Products.All() {
			for _, v := range p.Variants.All() {
				all++
				if !v.Available {
					out++
				}
			}
		}
		if out*100 < all*15 || out*100 > all*35 {
			t.Errorf("%d of %d items are out of stock", out, all)
		}
	})
}

func TestIdsAreUniqueAndShapedLikeThePacks(t *testing.T) {
	shapes := map[string]*regexp.Regexp{
		"product": regexp.MustCompile(`^[1-9]\d{9}$`), "item": regexp.MustCompile(`^[1-9]\d{9}$`),
		"order": regexp.MustCompile(`^#W[1-9]\d{6}$`), "tracking": regexp.MustCompile(`^[1-9]\d{11}$`),
		"user":   regexp.MustCompile(`^[a-z]+_[a-z]+_\d{4}$`),
		"method": regexp.MustCompile(`^(credit_card|gift_card|paypal)_[1-9]\d{6}$`),
	}
	built.EachWorld(t, func(t *testing.T, db *DB) {
		seen := map[string]bool{}
		check := func(kind, id string) {
			if seen[id] || !shapes[kind].MatchString(id) {
				t.Errorf("%s id %s is misshapen or given twice", kind, id)
			}
			seen[id] = true
		}
		for k, p := range db.Products.All() {
			check("product", k)
			for id := range p.Variants.All() {
				check("item", id)
			}
		}
		for k, u := range db.Users.All() {
			check("user", k)
			for _, m := range u.PaymentMethods {
				check("method", m.ID)
			}
		}
		for k, o := range db.Orders.All() {
			check("order", k)
			for _, f := range o.Fulfillments {
				for _, id := range f.TrackingIDs {
					check("tracking", id)
				}
			}
		}
	})
}

func TestCustomers(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		seen := map[string]string{}
		sources := map[string]int{}
		large := 0
		for k, u := range db.Users.All() {
			for _, key := range []string{u.Name.First + " " + u.Name.Last, u.Email} {
				if seen[key] != "" {
					t.Errorf("%s and %s share %s", k, seen[key], key)
				}
				seen[key] = k
			}
			slug := strings.ToLower(u.Name.First + "_" + u.Name.Last)
			if k != u.UserID || !strings.HasPrefix(k, slug+"_") || !strings.HasPrefix(u.Email, strings.Replace(slug, "_", ".", 1)) {
				t.Errorf("user id %s and email %s of %s", k, u.Email, slug)
			}
			checkMethods(t, u)
			for _, m := range u.PaymentMethods {
				sources[m.Source]++
				if m.Balance >= 500 {
					large++
				}
			}
		}
		for _, s := range []string{CreditCard, GiftCard, PayPal} {
			if sources[s] < 150 {
				t.Errorf("%d payment methods of kind %s", sources[s], s)
			}
		}
		if large < 60 {
			t.Errorf("%d gift cards of 500 dollars and more", large)
		}
	})
}

// checkMethods sees that a customer can pay and can tell the methods apart.
func checkMethods(t *testing.T, u *User) {
	t.Helper()
	if len(u.PaymentMethods) == 0 {
		t.Errorf("%s cannot pay", u.UserID)
	}
	seen := map[string]bool{}
	for _, m := range u.PaymentMethods {
		what := fmt.Sprint(m.Source, m.LastFour, m.Balance)
		if seen[what] {
			t.Errorf("%s: two payment methods %s", u.UserID, what)
		}
		seen[what] = true
		if m.Key != m.ID || !strings.HasPrefix(m.ID, m.Source+"_") {
			t.Errorf("%s: payment id %s under %s", u.UserID, m.ID, m.Key)
		}
		if card := m.Source == CreditCard; card != (len(m.LastFour) == 4) || card != (m.Brand != "") {
			t.Errorf("%s: %s ends in %q", u.UserID, m.ID, m.LastFour)
		}
		if m.Balance != float64(int(m.Balance)) || (m.Source == GiftCard) != (m.Balance > 0) {
			t.Errorf("%s: balance %v of %s", u.UserID, m.Balance, m.ID)
		}
	}
}
