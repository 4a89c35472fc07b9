package phrase

// matchAll calls found for every act that the whole sentence can be, with the
// program, until it returns true.
func (m *matcher) matchAll(r *reader, found func(*program, Act) bool) {
	if len(m.tokens) == 0 {
		return
	}
	starts := m.starts(r)
	try := func(i int) bool {
		p := r.programs[i]
		if !m.has(p.need) {
			return false
		}
		for _, from := range starts {
			if from > 0 && !p.wording.connects() {
				break
			}
			if m.run(p, from, func(end int) bool {
				if end != len(m.tokens) {
					return false
				}
				a, ok := m.act()
				return ok && found(p, a)
			}) {
				return true
			}
		}
		return false
	}
	for k, id := range m.ids {
		if id < 0 || m.repeated(k) {
			continue
		}
		for _, i := range r.byWord[id] {
			if try(i) {
				return
			}
		}
	}
	for _, i := range r.always {
		if try(i) {
			return
		}
	}
}

func (m *matcher) repeated(k int) bool {
	for _, id := range m.ids[:k] {
		if id == m.ids[k] {
			return true
		}
	}
	return false
}

func (m *matcher) has(need []int32) bool {
next:
	for _, id := range need {
		for _, have := range m.ids {
			if have == id {
				continue next
			}
		}
		return false
	}
	return true
}

// starts lists where an act may begin: at the first token and behind each
// connector that stands before it.
func (m *matcher) starts(r *reader) []int {
	out := []int{0}
	for _, c := range r.connectors {
		if m.has(c.need) {
			m.run(c, 0, func(end int) bool {
				if end > 0 && end < len(m.tokens) {
					out = append(out, end)
				}
				return false
			})
		}
	}
	return out
}

// connects reports whether a connector may go before the wording.
func (w *wording) connects() bool {
	return w.act.Role == Wish || w.act.Role == Ask
}

// Parse reads a text of a person: the acts of its sentences in order, and the
// sentences that no act of the book accounts for.
func (b *Book) Parse(text string, p Person) (acts []Act, unread []string) {
	for _, s := range sentences(text) {
		if a, ok := b.parseSentence(text, s, p); ok {
			acts = append(acts, a)
			continue
		}
		unread = append(unread, text[s.start:s.end])
	}
	return acts, unread
}

func (b *Book) parseSentence(text string, s sentence, p Person) (out Act, ok bool) {
	b.newMatcher(text, s).matchAll(b.readers[p], func(_ *program, a Act) bool {
		out, ok = a, true
		return true
	})
	return out, ok
}
