package view

import (
	"fmt"

	"taste/chat"
	"taste/tau"
)

// Task shows what the user is told and what the task wants.
func (p *Page) Task(t *tau.Task) {
	before := p.buf.Len()
	p.block("scenario  ", bold, Scenario(t), plain, scenarioLines)
	if s := t.InitialState; s != nil && len(s.InitializationActions) > 0 {
		var lines []string
		for i := range s.InitializationActions {
			a := &s.InitializationActions[i]
			lines = append(lines, a.EnvType+": "+Call(a.FuncName, a.Args()))
		}
		p.some("begins    ", lines)
	}
	if c := t.EvaluationCriteria; c != nil {
		p.criteria(c)
	}
	if p.buf.Len() > before {
		p.blank()
	}
}

// Scenario is all that the user is told, or the ticket where there is no
// scenario.
func Scenario(t *tau.Task) string {
	var out string
	add := func(name, text string) {
		switch {
		case text == "":
		case out == "" && name == "":
			out = text
		default:
			if out != "" {
				out += "\n"
			}
			if name != "" {
				out += name + ": "
			}
			out += text
		}
	}
	u := &t.UserScenario
	if s := u.Instructions.Structured; s != nil {
		add("", s.ReasonForCall)
		add("known", or(s.KnownInfo))
		add("unknown", or(s.UnknownInfo))
		add("conduct", s.TaskInstructions)
	} else {
		add("", u.Instructions.Plain)
	}
	add("persona", or(u.Persona))
	add("ticket", or(t.Ticket))
	return out
}

func or(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (p *Page) criteria(c *tau.EvaluationCriteria) {
	p.actions("gold      ", c.Actions)
	for _, a := range c.Alternatives {
		p.block("or        ", bold, a.Name, plain, 0)
		p.actions("          ", a.Actions)
	}
	p.list("said      ", c.CommunicateInfo, plain)
	var asserted []string
	for i := range c.EnvAssertions {
		a := &c.EnvAssertions[i]
		asserted = append(asserted, fmt.Sprintf("%s is %v", Call(a.FuncName, a.Args()), a.AssertValue))
	}
	p.some("asserted  ", asserted)
	p.list("judged    ", c.NLAssertions, plain)
}

func (p *Page) actions(label string, all []tau.Action) {
	var lines []string
	for i := range all {
		lines = append(lines, Action(&all[i]))
	}
	p.list(label, lines, plain)
}

// Action spells a gold action.
func Action(a *tau.Action) string {
	if a.Owner() == chat.User {
		return "user: " + Call(a.Name, a.Args())
	}
	return Call(a.Name, a.Args())
}

// TaskPage shows one task under a heading.
func (p *Page) TaskPage(t *tau.Task) {
	p.rule("task " + t.ID)
	p.Task(t)
}

// Tasks lists tasks, one a line.
func (p *Page) Tasks(title string, tasks []tau.Task) {
	p.block("", plain, title+": "+plural(len(tasks), "task"), bold, 0)
	p.blank()
	p.table("actions\tscenario\ttask", len(tasks), func(i int) (string, ink) {
		t, n := &tasks[i], 0
		if t.EvaluationCriteria != nil {
			n = len(t.EvaluationCriteria.Actions)
		}
		return fmt.Sprintf("%d\t%s\t%s", n, short(Scenario(t), p.Width/2), safe(t.ID)), plain // ids may be long
	}, nil)
}

// short is the beginning of a text on one line.
func short(s string, width int) string {
	lines := wrap(s, width)
	if len(lines) == 1 {
		return lines[0]
	}
	return lines[0] + " …"
}
