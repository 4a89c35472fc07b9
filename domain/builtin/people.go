package builtin

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
)

//go:embed people.json
var peopleJSON []byte

// people is whom a world can be settled with.
type people struct {
	First   []string `json:"first"`
	Last    []string `json:"last"`
	Towns   []town   `json:"towns"`
	Streets []string `json:"streets"`
}

type town struct {
	City  string `json:"city"`
	State string `json:"state"`
	Zip   string `json:"zip"` // first three digits
}

var mustPeople = sync.OnceValue(func() *people { return MustDecode[people]("people.json", peopleJSON) })

// FirstName draws a given name.
func FirstName(d *rand.Rand) string { return Pick(d, mustPeople().First) }

// LastName draws a family name.
func LastName(d *rand.Rand) string { return Pick(d, mustPeople().Last) }

// UserID draws the user id of a customer, as noor_haddad_5501.
func UserID(d *rand.Rand, first, last string) string {
	return fmt.Sprintf("%s_%04d", strings.ToLower(first+"_"+last), Between(d, 1000, 9999))
}

// Email draws the email address of a customer, as noor.haddad55@example.com.
func Email(d *rand.Rand, first, last string) string {
	return fmt.Sprintf("%s%d@example.com", strings.ToLower(first+"."+last), Between(d, 10, 999))
}

// Home is an address in the United States. Address2 is empty where there is no
// flat or unit.
type Home struct{ Address1, Address2, City, State, Zip string }

// DrawHome draws an address; a little more than half have a flat or a unit.
func DrawHome(d *rand.Rand) Home {
	t := Pick(d, mustPeople().Towns)
	h := Home{City: t.City, State: t.State}
	h.Address1 = fmt.Sprintf("%d %s", Between(d, 2, 1490), Pick(d, mustPeople().Streets))
	h.Zip = fmt.Sprintf("%s%02d", t.Zip, Between(d, 1, 49))
	if Chance(d, 55) {
		h.Address2 = fmt.Sprintf("%s %d", Pick(d, []string{"Apt", "Unit"}), Between(d, 1, 40))
	}
	return h
}
