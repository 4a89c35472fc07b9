package view

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"taste/chat"
	"taste/eval"
	"taste/pyjson"
	"taste/results"
	"taste/tau"
)

// score shows the score of today in both modes, or, without one, the recorded one.
func (p *Page) score(s *results.Scored) {
	if s.Score == nil {
		p.recorded(s)
		return
	}
	x := s.Score
	text := "compat " + compatReward(x) + ", strict " + reward(x.Strict)
	if x.Reason != "" {
		text += " (" + strings.TrimSuffix(x.Reason+": "+x.Detail, ": ") + ")"
	}
	p.block("reward  ", bold, text+"; recorded "+reward(s.Recorded), inkOf(x.Strict), 0)
	if why := x.CompatOpen(); why != "" {
		p.block("        ", plain, "compat is unscored: "+why, plain, 0)
	}
	p.list("differ  ", x.Differs, yellow)
	if len(s.Changed) > 0 {
		p.block("changed ", bold, "other than recorded: "+strings.Join(s.Changed, ", "), yellow, 0)
	}
	p.list("drift   ", x.Drift, yellow)
	if len(x.Checks) == 0 {
		return
	}
	p.blank()
	p.table("check\tcounts\tcompat\tstrict", len(x.Checks), func(i int) (string, ink) {
		c := &x.Checks[i]
		return fmt.Sprintf("%s\t%s\t%s\t%s", c.Kind, yes(c.InBasis), reward(c.Compat), c.Strict), statusInk(c)
	}, func(i int) {
		c := &x.Checks[i]
		evidence := c.Evidence
		if c.Kind == tau.DB && c.Strict == eval.Failed {
			evidence = append([]string{"the end state differs from " + x.Goal + ":"}, evidence...)
		}
		p.notes("      · ", evidence)
		if c.Why != "" {
			p.block("      ", plain, "why the modes differ: "+c.Why, yellow, 0)
		}
	})
}

// list shows lines behind one label.
func (p *Page) list(label string, lines []string, i ink) {
	for _, l := range lines {
		p.block(label, bold, l, i, 0)
		label = strings.Repeat(" ", len(label))
	}
}

// table shows a head and rows in columns, with something below each row.
func (p *Page) table(head string, rows int, row func(i int) (string, ink), below func(i int)) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	inks := make([]ink, rows)
	for i := range rows {
		cellsOf, of := row(i)
		inks[i] = of
		fmt.Fprintln(w, cellsOf)
	}
	_ = w.Flush() // into memory
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	p.line(strings.TrimRight(lines[0], " "), bold)
	for i, l := range lines[1:] {
		p.line(strings.TrimRight(l, " "), inks[i])
		if below != nil {
			below(i)
		}
	}
}

func statusInk(c *eval.Check) ink {
	switch {
	case !c.InBasis:
		return faint
	case c.Strict == eval.Met:
		return green
	case c.Strict == eval.Failed:
		return red
	}
	return yellow
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// reward spells one that may be missing.
func reward(v *float64) string {
	if v == nil {
		return "–"
	}
	return pyjson.Str(*v)
}

func compatReward(x *eval.Score) string {
	if r, ok := x.CompatReward(); ok {
		return reward(&r)
	}
	return "–"
}

func inkOf(v *float64) ink {
	switch {
	case v == nil:
		return yellow
	case *v == 1:
		return green
	}
	return red
}

// recorded shows what the file says of the score.
func (p *Page) recorded(s *results.Scored) {
	info := s.Simulation.RewardInfo
	if info == nil {
		p.block("reward  ", bold, "not scored", yellow, 0)
		return
	}
	p.block("reward  ", bold, "recorded "+reward(s.Recorded), inkOf(s.Recorded), 0)
	r := chat.NewReader(info, "")
	if note := r.Object("info"); note.Len() > 0 {
		p.block("note    ", bold, pyjson.Dumps(note), plain, 0)
	}
	rows := recordedChecks(r)
	if len(rows) == 0 {
		return
	}
	p.blank()
	p.table("check\tcounts\trecorded", len(rows), func(i int) (string, ink) {
		return fmt.Sprintf("%s\t%s\t%s", rows[i].kind, yes(rows[i].counts), reward(rows[i].factor)), inkOf(rows[i].factor)
	}, func(i int) { p.notes("      ", rows[i].evidence) })
}

// recordedCheck is one component of a recorded score.
type recordedCheck struct {
	kind     tau.RewardType
	counts   bool
	factor   *float64
	evidence []string
}

// recordedChecks reads the components that a record has anything on. What is
// misspelt in it is passed over: it is only shown.
func recordedChecks(r *chat.Reader) []recordedCheck {
	factors := chat.NewReader(orEmpty(r.Object("reward_breakdown")), "")
	var out []recordedCheck
	for _, k := range []struct {
		kind     tau.RewardType
		evidence []string
	}{
		{tau.DB, recordedDB(r)},
		{tau.EnvAssertionReward, each(r, "env_assertions", func(c *chat.Reader) string {
			a := chat.NewReader(orEmpty(c.Object("env_assertion")), "")
			return mark(c, "met") + Call(a.StringOr("func_name", ""), orEmpty(a.Object("arguments")))
		})},
		{tau.ActionReward, each(r, "action_checks", func(c *chat.Reader) string {
			a := chat.NewReader(orEmpty(c.Object("action")), "")
			return mark(c, "action_match") + Call(a.StringOr("name", ""), orEmpty(a.Object("arguments")))
		})},
		{tau.Communicate, each(r, "communicate_checks", func(c *chat.Reader) string { return mark(c, "met") + c.StringOr("info", "") })},
		{tau.NLAssertion, each(r, "nl_assertions", func(c *chat.Reader) string {
			return mark(c, "met") + strings.TrimSuffix(c.StringOr("nl_assertion", "")+": "+c.StringOr("justification", ""), ": ")
		})},
	} {
		if k.evidence != nil || factors.Obj.Has(string(k.kind)) {
			out = append(out, recordedCheck{k.kind, factors.Obj.Has(string(k.kind)), factors.OptFloat(string(k.kind)), k.evidence})
		}
	}
	return out
}

func recordedDB(r *chat.Reader) []string {
	o := r.Object("db_check")
	if o == nil {
		return nil
	}
	if chat.NewReader(o, "").BoolOr("db_match", false) {
		return []string{"✓ the end state is the expected one"}
	}
	return []string{"✗ the end state is another than the expected one"}
}

func each(r *chat.Reader, key string, spell func(*chat.Reader) string) []string {
	list, _ := r.List(key)
	var out []string
	for _, v := range list {
		out = append(out, spell(chat.NewReader(v, "")))
	}
	return out
}

func mark(r *chat.Reader, key string) string {
	if r.BoolOr(key, false) {
		return "✓ "
	}
	return "✗ "
}

func orEmpty(o *pyjson.Object) *pyjson.Object {
	if o == nil {
		return &pyjson.Object{}
	}
	return o
}
