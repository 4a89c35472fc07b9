package ui_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"taste/internal/ui"
)

// clock moves on by a second at each look.
func clock() func() time.Time {
	t := time.Unix(0, 0)
	return func() time.Time {
		t = t.Add(time.Second)
		return t
	}
}

func play(mode ui.Mode) string {
	var out bytes.Buffer
	p := ui.New(mode, &out, clock())
	p.Begin("sample", 8)
	for range 4 {
		p.Advance(2)
	}
	p.End("8 plausible")
	return out.String()
}

func TestPlainLines(t *testing.T) {
	want := "sample: 4 of 8, 2/s, 2 s left\nsample: 8 of 8, 2/s, 0 s left\nsample: 8 plausible (5.0 s)\n"
	if got := play(ui.Plain); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestEvents(t *testing.T) {
	got := strings.Split(strings.TrimSpace(play(ui.Events)), "\n")
	want := []string{
		`{"event":"begin","stage":"sample","done":0,"total":8}`,
		`{"event":"progress","stage":"sample","done":4,"total":8,"rate":2,"left_seconds":2}`,
		`{"event":"progress","stage":"sample","done":8,"total":8,"rate":2}`,
		`{"event":"end","stage":"sample","done":8,"total":8,"seconds":5,"summary":"8 plausible"}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}

func TestSilent(t *testing.T) {
	if got := play(ui.Silent); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestTerminalEndsWithTheSummary(t *testing.T) {
	if got := play(ui.Terminal); !strings.HasSuffix(got, "sample: 8 plausible (1.0 s)\n") {
		t.Errorf("got %q", got)
	}
}
