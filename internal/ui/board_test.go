package ui_test

import (
	"bytes"
	"strings"
	"testing"

	"taste/internal/ui"
)

func board(mode ui.Mode) string {
	var out bytes.Buffer
	b := ui.NewBoard(mode, &out, clock(), 24, "system", "made", "reward")
	b.Set(1, "second", "", "a reward too wide for it")
	for _, made := range []string{"1 of 3", "2 of 3", "3 of 3"} {
		b.Set(0, "first", made, "1.0")
		b.Show()
		if made == "2 of 3" {
			b.Note("task %d: no connection", 7)
		}
	}
	b.End()
	return out.String()
}

func TestBoardOnATerminalIsDrawnInPlace(t *testing.T) {
	got := board(ui.Terminal)
	if n := strings.Count(got, "\x1b[3A"); n != 4 {
		t.Errorf("%d times back up: %q", n, got)
	}
	last := got[strings.LastIndex(got, "\x1b[3A"):]
	want := "\x1b[3A\x1b[2Ksystem  made    reward\n\x1b[2Kfirst   3 of 3  1.0\n\x1b[2Ksecond          a rewar\n"
	if last != want {
		t.Errorf("at last %q\nwant    %q", last, want)
	}
	if !strings.Contains(got, "\x1b[Jtask 7: no connection\n") {
		t.Errorf("the note is not above the table: %q", got)
	}
}

func TestBoardElsewhereIsLines(t *testing.T) {
	got := board(ui.Plain)
	if strings.Contains(got, "\x1b") || !strings.HasSuffix(got, "first: made 3 of 3, reward 1.0\nsecond: reward a reward too wide for it\n") {
		t.Errorf("got %q", got)
	}
	if got := board(ui.Events); got != "" {
		t.Errorf("machines read %q", got)
	}
}
