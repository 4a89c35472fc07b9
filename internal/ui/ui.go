// Package ui shows how far a stage is: as a bar with rate and time left on a
// terminal, as a line every few seconds elsewhere, or as events for machines.
package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Mode says whom progress is shown to.
type Mode int

const (
	// Plain writes lines.
	Plain Mode = iota
	// Terminal draws bars.
	Terminal
	// Events writes one JSON object a line.
	Events
	// Silent writes nothing.
	Silent
)

// lineEvery is the time between two plain lines or events of one stage.
const lineEvery = 2 * time.Second

// New makes a progress display of the given mode. now tells the time.
func New(mode Mode, out io.Writer, now func() time.Time) *Progress {
	return &Progress{mode: mode, out: out, now: now}
}

// Progress shows one stage at a time. One goroutine uses it.
type Progress struct {
	mode  Mode
	out   io.Writer
	now   func() time.Time
	stage string
	total int
	done  int
	start time.Time
	shown time.Time
	bars  *mpb.Progress
	bar   *mpb.Bar
}

// Event is what machines read.
type Event struct {
	Event   string  `json:"event"` // begin, progress or end
	Stage   string  `json:"stage"`
	Done    int     `json:"done"`
	Total   int     `json:"total"`
	Rate    float64 `json:"rate,omitempty"`         // a second
	Left    float64 `json:"left_seconds,omitempty"` // estimated
	Seconds float64 `json:"seconds,omitempty"`      // since the stage began
	Summary string  `json:"summary,omitempty"`
}

// Begin opens a stage of so many steps.
func (p *Progress) Begin(stage string, total int) {
	p.stage, p.total, p.done = stage, total, 0
	p.start = p.now()
	p.shown = p.start
	switch p.mode {
	case Terminal:
		p.draw()
	case Events:
		p.event(Event{Event: "begin", Stage: stage, Total: total})
	}
}

func (p *Progress) draw() {
	p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(40))
	p.bar = p.bars.AddBar(int64(p.total),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(p.stage, decor.WC{W: 12, C: decor.DindentRight}), decor.CountersNoUnit("%d/%d")),
		mpb.AppendDecorators(decor.AverageSpeed(0, "%.3g/s"), decor.Name("  "), decor.AverageETA(decor.ET_STYLE_MMSS), decor.Name(" left")))
}

// Advance counts n steps as done.
func (p *Progress) Advance(n int) {
	p.done += n
	if p.mode == Terminal {
		p.bar.IncrBy(n)
		return
	}
	now := p.now()
	if now.Sub(p.shown) < lineEvery {
		return
	}
	p.shown = now
	rate, left := p.pace(now)
	switch p.mode {
	case Plain:
		fmt.Fprintf(p.out, "%s: %d of %d, %.3g/s, %.0f s left\n", p.stage, p.done, p.total, rate, left)
	case Events:
		p.event(Event{Event: "progress", Stage: p.stage, Done: p.done, Total: p.total, Rate: rate, Left: left})
	}
}

// pace is the rate since the stage began, and the seconds left at that rate.
func (p *Progress) pace(now time.Time) (rate, left float64) {
	seconds := now.Sub(p.start).Seconds()
	if seconds <= 0 || p.done == 0 {
		return 0, 0
	}
	rate = float64(p.done) / seconds
	return rate, max(0, float64(p.total-p.done)) / rate
}

// End closes the stage with a summary in words.
func (p *Progress) End(summary string) {
	seconds := p.now().Sub(p.start).Seconds()
	p.Stop()
	switch p.mode {
	case Events:
		p.event(Event{Event: "end", Stage: p.stage, Done: p.done, Total: p.total, Seconds: seconds, Summary: summary})
	case Plain, Terminal:
		fmt.Fprintf(p.out, "%s: %s (%.1f s)\n", p.stage, summary, seconds)
	}
}

// Stop takes a bar off the terminal, finished or not.
func (p *Progress) Stop() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
	p.bar, p.bars = nil, nil
}

// event writes one line. Whoever reads may have gone; the work goes on.
func (p *Progress) event(e Event) {
	_ = json.NewEncoder(p.out).Encode(e)
}
