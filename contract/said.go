package contract

import "fmt"

// Detail is a speech act that adds particulars to a wish. Set maps the act's
// slots to the wish's; Each instead makes one act of every element of a list
// slot, whose entries are the act's slots.
type Detail struct {
	Act  string            `yaml:"act"`
	Set  map[string]string `yaml:"set"`
	Each string            `yaml:"each"`
}

// Said is a speech act as it was or will be said: its name and slots.
type Said struct {
	Act   string
	Slots map[string]any
}

// Split puts the slots of a wish into the act that brings it up and the acts
// that add particulars, in the contract's order. Absent slots are left out; a
// detail with none of its slots is not said.
func (w *Wish) Split(ask map[string]any) (main Said, details []Said) {
	main = Said{Act: w.Name, Slots: map[string]any{}}
	rest := map[string]any{}
	for k, v := range ask {
		if v != nil {
			rest[k] = v
		}
	}
	for _, d := range w.Details {
		if d.Each != "" {
			list, _ := rest[d.Each].([]any)
			delete(rest, d.Each)
			for _, e := range list {
				slots, _ := e.(map[string]any)
				details = append(details, Said{Act: d.Act, Slots: slots})
			}
			continue
		}
		said := Said{Act: d.Act, Slots: map[string]any{}}
		for to, from := range d.Set {
			if v, ok := rest[from]; ok {
				said.Slots[to] = v
				delete(rest, from)
			}
		}
		if len(said.Slots) > 0 {
			details = append(details, said)
		}
	}
	main.Slots = rest
	return main, details
}

// Join is the inverse of Split: the slots of a wish from what was said. It
// returns an error for an act that the wish does not know.
func (w *Wish) Join(main Said, details []Said) (map[string]any, error) {
	ask := map[string]any{}
	for k, v := range main.Slots {
		ask[k] = v
	}
	for _, s := range details {
		d := w.detail(s.Act)
		if d == nil {
			return nil, fmt.Errorf("join wish %s: %s is no detail of it", w.Name, s.Act)
		}
		if d.Each != "" {
			list, _ := ask[d.Each].([]any)
			ask[d.Each] = append(list, s.Slots)
			continue
		}
		for to, from := range d.Set {
			if v, ok := s.Slots[to]; ok {
				ask[from] = v
			}
		}
	}
	return ask, nil
}

func (w *Wish) detail(act string) *Detail {
	for i := range w.Details {
		if w.Details[i].Act == act {
			return &w.Details[i]
		}
	}
	return nil
}
