package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Page is how things are shown.
type Page struct {
	Width int  // of a line, in cells; at least MinWidth
	Color bool // mark by colours
	Full  bool // shorten nothing

	buf bytes.Buffer
}

// MinWidth is that of the narrowest page.
const MinWidth = 40

// Lines that are shown of what is shortened.
const (
	answerLines   = 4
	scenarioLines = 8
	evidenceLines = 8
)

// ink is how a piece of text is marked on a terminal.
type ink string

const (
	plain  ink = ""
	bold   ink = "1"
	faint  ink = "2"
	red    ink = "31"
	green  ink = "32"
	yellow ink = "33"
	cyan   ink = "36"
)

func (p *Page) paint(s string, i ink) string {
	if !p.Color || i == plain || s == "" {
		return s
	}
	return "\x1b[" + string(i) + "m" + s + "\x1b[0m"
}

// WriteTo writes what was shown so far, and forgets it.
func (p *Page) WriteTo(w io.Writer) (int64, error) { return p.buf.WriteTo(w) }

func (p *Page) line(s string, i ink) { fmt.Fprintln(&p.buf, p.paint(s, i)) }

func (p *Page) blank() { p.buf.WriteByte('\n') }

// block shows text behind a label, wrapped and aligned; most is how many lines of
// it, 0 for all. Nothing is shown of no text.
func (p *Page) block(label string, of ink, text string, i ink, most int) {
	if text == "" {
		return
	}
	indent := cells.StringWidth(label)
	lines := wrap(text, max(p.Width-indent, MinWidth/4))
	more := 0
	if !p.Full && most > 0 && len(lines) > most+1 {
		lines, more = lines[:most], len(lines)-most
	}
	for n, l := range lines {
		if n > 0 {
			label, of = strings.Repeat(" ", indent), plain
		}
		fmt.Fprintln(&p.buf, strings.TrimRight(p.paint(label, of)+p.paint(l, i), " "))
	}
	if more > 0 {
		p.line(fmt.Sprintf("%s… %d more lines", strings.Repeat(" ", indent), more), faint)
	}
}

// rule shows a heading across the page.
func (p *Page) rule(title string) {
	title = "── " + safe(title) + " "
	p.line(title+strings.Repeat("─", max(0, p.Width-cells.StringWidth(title))), bold)
}

// notes shows evidence behind a margin, the first pieces of it.
func (p *Page) notes(margin string, list []string) {
	shown, more := p.first(list)
	for _, e := range shown {
		p.block(margin, plain, e, plain, 0)
	}
	p.more(6, more)
}

// some shows the first of some lines behind one label.
func (p *Page) some(label string, lines []string) {
	shown, more := p.first(lines)
	p.list(label, shown, plain)
	p.more(len(label), more)
}

// first is what is shown of a list, and how much more there is.
func (p *Page) first(list []string) (shown []string, more int) {
	if p.Full || len(list) <= evidenceLines+1 {
		return list, 0
	}
	return list[:evidenceLines], len(list) - evidenceLines
}

// more says how much is not shown.
func (p *Page) more(indent, n int) {
	if n > 0 {
		p.line(fmt.Sprintf("%s… and %d more", strings.Repeat(" ", indent), n), faint)
	}
}
