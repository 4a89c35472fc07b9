package ui

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"
)

// Board shows how several things get on side by side: as a table that is drawn
// anew in its place on a terminal, as lines every few seconds elsewhere. One
// goroutine uses it.
type Board struct {
	mode  Mode
	out   io.Writer
	now   func() time.Time
	width int
	head  []string
	rows  [][]string
	drawn int // lines of the table on the terminal
	shown time.Time
}

// frameEvery is the time between two drawings of a table.
const frameEvery = 100 * time.Millisecond

// mostRows is how many rows a table on a terminal has.
const mostRows = 20

// NewBoard makes a board with a head for its columns, of which the first names the
// rows. width is that of the terminal. Mode Events shows nothing.
func NewBoard(mode Mode, out io.Writer, now func() time.Time, width int, head ...string) *Board {
	return &Board{mode: mode, out: out, now: now, width: width, head: head}
}

// Set changes a row; rows appear in the order of their numbers.
func (b *Board) Set(row int, cells ...string) {
	for len(b.rows) <= row {
		b.rows = append(b.rows, nil)
	}
	b.rows[row] = cells
}

// Show shows what has changed, unless it was shown just now.
func (b *Board) Show() {
	every := lineEvery
	if b.mode == Terminal {
		every = frameEvery
	}
	if now := b.now(); now.Sub(b.shown) >= every {
		b.shown = now
		b.show()
	}
}

func (b *Board) show() {
	switch b.mode {
	case Terminal:
		b.draw(b.table())
	case Plain:
		for _, r := range b.rows {
			b.line(r)
		}
	}
}

// line spells a row with its heads.
func (b *Board) line(cells []string) {
	if len(cells) == 0 {
		return
	}
	var parts []string
	for i, c := range cells[1:] {
		if c != "" {
			parts = append(parts, b.head[i+1]+" "+c)
		}
	}
	fmt.Fprintf(b.out, "%s: %s\n", cells[0], strings.Join(parts, ", "))
}

// table lays the rows out, each no wider than the terminal.
func (b *Board) table() []string {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(b.head, "\t"))
	for _, r := range b.rows[:min(mostRows, len(b.rows))] {
		fmt.Fprintln(w, strings.Join(r, "\t"))
	}
	if more := len(b.rows) - mostRows; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	_ = w.Flush() // into memory
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for i, l := range lines {
		if utf8.RuneCountInString(l) >= b.width {
			lines[i] = string([]rune(l)[:max(0, b.width-1)])
		}
	}
	return lines
}

// draw puts lines in the place of those drawn before.
func (b *Board) draw(lines []string) {
	var text bytes.Buffer
	if b.drawn > 0 {
		fmt.Fprintf(&text, "\x1b[%dA", b.drawn)
	}
	for _, l := range lines {
		text.WriteString("\x1b[2K" + l + "\n")
	}
	b.drawn = len(lines)
	_, _ = b.out.Write(text.Bytes()) // whoever watches may have gone; the work goes on
}

// Note writes a line that stays, above the table.
func (b *Board) Note(format string, args ...any) {
	if b.mode != Plain && b.mode != Terminal {
		return
	}
	text := fmt.Sprintf(format, args...)
	if b.mode == Terminal && b.drawn > 0 {
		fmt.Fprintf(b.out, "\x1b[%dA\x1b[J", b.drawn)
		b.drawn = 0
	}
	fmt.Fprintln(b.out, text)
	if b.mode == Terminal {
		b.draw(b.table())
	}
}

// End shows the last state, which stays.
func (b *Board) End() {
	b.show()
	b.drawn = 0
}
