package phrase

import "strings"

// Read takes a scenario's texts apart again: the theme, the facts, and the
// wishes in order with what stands behind each. What no
// act of the book accounts for, and a detail, twist or conduct without a wish before it,
// is unread.
func Read(b *Book, s Scenario) (brief Brief, unread []string) {
	for _, text := range []string{s.Persona, s.ReasonForCall, s.TaskInstructions, s.KnownInfo, s.UnknownInfo} {
		for _, sent := range sentences(text) {
			act, ok := b.parseSentence(text, sent, Second)
			if !ok || !brief.take(b.byName[act.Name], act) {
				unread = append(unread, text[sent.start:sent.end])
			}
		}
	}
	return brief, unread
}

// take puts an act where it belongs; frame acts besides the story carry
// nothing.
func (brief *Brief) take(spec *Spec, act Act) bool {
	switch spec.Role {
	case Story:
		brief.Theme = strings.TrimPrefix(act.Name, storyPrefix)
	case Persona:
		brief.Persona = act.Name
	case Fact:
		brief.Facts = append(brief.Facts, act)
	case Wish, Ask:
		brief.Items = append(brief.Items, Item{Wish: act})
	case Detail, Twist, Conduct:
		if len(brief.Items) == 0 {
			return false
		}
		last := &brief.Items[len(brief.Items)-1]
		to := map[string]*[]Act{Detail: &last.Details, Twist: &last.Twists, Conduct: &last.Conduct}[spec.Role]
		*to = append(*to, act)
	}
	return true
}
