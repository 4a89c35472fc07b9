package airline

import (
	_ "embed"
	"sync"

	"taste/domain/builtin"
)

//go:embed places.json
var placesJSON []byte

// places is geography. Airports are those of list_all_airports, in its order,
// with their position in kilometres east and north of a point in Kansas.
type places struct {
	Airports []airport `json:"airports"`
}

type airport struct {
	IATA string `json:"iata"`
	City string `json:"city"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
}

var mustPlaces = sync.OnceValue(func() *places { return builtin.MustDecode[places]("places.json", placesJSON) })

func (p *places) at(iata string) airport {
	for _, a := range p.Airports {
		if a.IATA == iata {
			return a
		}
	}
	return airport{}
}

// kilometres returns the distance of two airports. It is worked out in whole
// numbers so that it is the same on every processor.
func (p *places) kilometres(r route) int {
	a, b := p.at(r.from), p.at(r.to)
	return root((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y))
}

// root is the whole part of a square root, by Newton's iteration.
func root(n int) int {
	if n < 2 {
		return n
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}
