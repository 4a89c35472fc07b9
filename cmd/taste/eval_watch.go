package main

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/term"

	"taste/eval"
	"taste/internal/ui"
	"taste/stats"
	"taste/trials"
)

// watch shows how the systems of an evaluation get on.
type watch struct {
	board *ui.Board
	rows  []progressRow
	told  map[string]bool                     // reasons for which simulations are unscored
	log   func(system int, o *trials.Outcome) // for machines; nil: for people
}

// progressRow is one system's.
type progressRow struct {
	name                     string
	planned, made, running   int
	successes, open, faulted int
}

// outcomeLine is what machines read of a simulation when it is over.
type outcomeLine struct {
	Event       string   `json:"event"`
	System      string   `json:"system"`
	Task        string   `json:"task"`
	Trial       int      `json:"trial"`
	Termination string   `json:"termination"`
	Compat      *float64 `json:"compat"`
	Strict      *float64 `json:"strict"`
	Unscored    string   `json:"unscored,omitempty"`
	Fault       string   `json:"fault,omitempty"`
}

// terminalWidth is that of the terminal that the log goes to.
func (a *app) terminalWidth() int {
	if f, ok := a.log.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

func (a *app) watch(logs []*trials.Log, machine bool) *watch {
	mode := ui.Plain
	switch {
	case machine:
		mode = ui.Events
	case a.terminal && !slices.ContainsFunc(logs, func(l *trials.Log) bool { return serial(&l.System) }):
		mode = ui.Terminal // a person's is not painted over
	}
	w := &watch{told: map[string]bool{}, board: ui.NewBoard(mode, a.log, a.now, a.terminalWidth(), "system", "made", "under way", "successes", "unscored", "faults")}
	if machine {
		w.log = func(i int, o *trials.Outcome) {
			l := outcomeLine{"ended", w.rows[i].name, o.Task, o.Trial, o.Termination, o.Compat, o.Strict, o.Unscored, ""}
			if o.Fault != nil {
				l.Fault = o.Fault.Error()
			}
			_ = printLine(a.out, l) // whoever reads may have gone; the work goes on
		}
	}
	for i, l := range logs {
		w.rows = append(w.rows, before(l))
		w.set(i)
	}
	return w
}

// before is a system's row as it was left.
func before(l *trials.Log) progressRow {
	r := progressRow{name: l.System.Name}
	r.planned, _, _ = l.Count()
	all := l.Results().Simulations
	for i := range all {
		if all[i].Termination != eval.Infrastructure {
			r.count(all[i].Reward())
		}
	}
	return r
}

// Began implements trials.Observer.
func (w *watch) Began(i int, _ string, _ int) {
	w.rows[i].running++
	w.set(i)
	w.board.Show()
}

// Ended implements trials.Observer.
func (w *watch) Ended(i int, o *trials.Outcome) {
	r := &w.rows[i]
	r.running--
	if o.Fault != nil {
		r.faulted++
		w.board.Note("%s: task %s, trial %d: %v", r.name, o.Task, o.Trial, o.Fault)
	} else {
		r.count(o.Compat)
	}
	if o.Unscored != "" && !w.told[o.Unscored] {
		w.told[o.Unscored] = true
		w.board.Note("%s: task %s, trial %d is unscored: %s", r.name, o.Task, o.Trial, o.Unscored)
	}
	w.set(i)
	w.board.Show()
	if w.log != nil {
		w.log(i, o)
	}
}

// count counts a simulation that has ended, by the reward of compat.
func (r *progressRow) count(reward *float64) {
	r.made++
	switch {
	case reward == nil:
		r.open++
	case stats.Success(*reward):
		r.successes++
	}
}

func (w *watch) set(i int) {
	r := &w.rows[i]
	w.board.Set(i, r.name, fmt.Sprintf("%d of %d", r.made, r.planned), fmt.Sprint(r.running), fmt.Sprint(r.successes), fmt.Sprint(r.open), fmt.Sprint(r.faulted))
}

func (w *watch) end() { w.board.End() }
