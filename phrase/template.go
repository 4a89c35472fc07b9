package phrase

import (
	"fmt"
	"strings"
)

// node is a part of a wording: seqNode, altNode, litNode, pronNode, artNode,
// slotNode or valueNode.
type node any

type (
	seqNode []node
	altNode struct {
		alts   []node
		counts []uint64 // surface forms of each
	}
	litNode struct {
		text string
		glue bool // a mark: no space before it
	}
	pronNode struct{ token string }
	artNode  struct{}
	slotNode struct {
		slot, form string
		one, many  string // agreement, where given
		only       bool   // the agreeing word without the number
	}
	valueNode struct{} // the value itself, inside a form of a type
)

// parser reads one template; it is a plain recursive descent over bytes.
type parser struct {
	src string
	pos int
}

// parseTemplate reads a wording or a form of a value.
func parseTemplate(src string) (node, error) {
	p := &parser{src: src}
	n, err := p.seq("")
	if err != nil {
		return nil, fmt.Errorf("read wording %q: %w", src, err)
	}
	return n, nil
}

// seq reads up to a closing character of stop, which it leaves unread.
func (p *parser) seq(stop string) (node, error) {
	var out seqNode
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if strings.IndexByte(stop, c) >= 0 {
			return out, nil
		}
		if c == ' ' {
			p.pos++
			continue
		}
		n, err := p.item(c)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	if stop != "" {
		return nil, fmt.Errorf("missing one of %q", stop[1:])
	}
	return out, nil
}

func (p *parser) item(c byte) (node, error) {
	switch c {
	case '(', '[':
		return p.group(c)
	case '{', '<':
		return p.reference(c)
	case ')', ']', '}', '>', '|':
		return nil, fmt.Errorf("stray %q at %d", c, p.pos)
	case '@':
		p.pos++
		return valueNode{}, nil
	}
	return p.literal()
}

// group reads (a|b) or [a|b]; the latter has one more, empty alternative.
func (p *parser) group(open byte) (node, error) {
	stop := "|)"
	var out altNode
	if open == '[' {
		stop = "|]"
		out.add(seqNode(nil))
	}
	for {
		p.pos++
		n, err := p.seq(stop)
		if err != nil {
			return nil, err
		}
		out.add(n)
		if p.src[p.pos] != '|' {
			break
		}
	}
	p.pos++
	return out, p.spaced("group")
}

// spaced refuses a letter right behind a group or slot: alternatives are
// whole words.
func (p *parser) spaced(what string) error {
	if p.pos < len(p.src) && isWord(p.src[p.pos]) {
		return fmt.Errorf("%s ends inside a word at %d", what, p.pos)
	}
	return nil
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func (p *parser) reference(open byte) (node, error) {
	end := strings.IndexByte(p.src[p.pos:], map[byte]byte{'{': '}', '<': '>'}[open])
	if end < 0 {
		return nil, fmt.Errorf("unclosed %q at %d", open, p.pos)
	}
	body := p.src[p.pos+1 : p.pos+end]
	p.pos += end + 1
	if open == '<' {
		if body == "a" {
			return artNode{}, nil
		}
		return pronNode{strings.ToLower(body)}, p.spaced("pronoun")
	}
	return slotReference(body), p.spaced("slot")
}

func slotReference(body string) slotNode {
	var s slotNode
	if name, forms, ok := strings.Cut(body, "~"); ok {
		s.slot, s.only = name, true
		s.one, s.many, _ = strings.Cut(forms, "|")
		return s
	}
	if name, forms, ok := strings.Cut(body, " "); ok {
		s.slot = name
		s.one, s.many, _ = strings.Cut(forms, "|")
		return s
	}
	s.slot, s.form, _ = strings.Cut(body, ":")
	return s
}

// noSpace are characters that take no space before them.
const noSpace = ",;:.?!)"

// literal reads one run of characters without a space.
func (p *parser) literal() (node, error) {
	var b strings.Builder
	for p.pos < len(p.src) && strings.IndexByte(" ()[]{}<>|@", p.src[p.pos]) < 0 {
		if p.src[p.pos] == '\\' && p.pos+1 < len(p.src) {
			p.pos++
		}
		b.WriteByte(p.src[p.pos])
		p.pos++
	}
	if p.joins() {
		return nil, fmt.Errorf("%q runs into a group at %d", b.String(), p.pos)
	}
	text := b.String()
	return litNode{text: text, glue: strings.IndexByte(noSpace, text[0]) >= 0 || strings.HasPrefix(text, "'s")}, nil
}

// joins reports whether a word just read runs into a group or slot; a group
// that begins with a mark is fine.
func (p *parser) joins() bool {
	if p.pos+1 >= len(p.src) || !isWord(p.src[p.pos-1]) {
		return false
	}
	switch p.src[p.pos] {
	case '(', '[':
		return strings.IndexByte(noSpace, p.src[p.pos+1]) < 0
	}
	return strings.IndexByte("{<@", p.src[p.pos]) >= 0
}
