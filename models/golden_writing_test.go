package models_test

import (
	"context"
	"encoding/json"
	"strings"

	"taste/llm"
	"taste/models"
	"taste/prompts"
	"taste/role"
	"taste/tau"
)

// writings are the questions of authors and evolvers about domains whose user has
// no tools; stagings are those about telecom.
var writings = map[string]question{
	"author-scenario": func(ctx context.Context, b models.Base, w world) {
		if a, err := models.NewAuthor(b); err == nil {
			_, _ = a.Draft(ctx, "new-001", sequence(w.task), 1)
		}
	},
	"author-database": func(ctx context.Context, b models.Base, w world) {
		b.Model = after{"author-scenario", text(scenarioOf(w.task)), b.Model}
		if a, err := models.NewAuthor(b); err == nil {
			_, _ = a.Draft(ctx, "new-001", sequence(w.task), 1)
		}
	},
	"author-repair": func(ctx context.Context, b models.Base, w world) {
		if a, err := models.NewAuthor(b); err == nil {
			_, _ = a.Repair(ctx, draftOf(w.task), "gates: gold_runs: action 0 fails", 1)
		}
	},
	"evolver-strategy": func(ctx context.Context, b models.Base, w world) {
		if e, err := models.NewEvolver(b); err == nil {
			_, _ = e.Devise(ctx, w.task, 1)
		}
	},
	"evolver-perturbation": func(ctx context.Context, b models.Base, w world) { rewrite(ctx, b, w, role.Full, "one like the first") },
	"evolver-rewrite":      func(ctx context.Context, b models.Base, w world) { rewrite(ctx, b, w, role.Full, "") },
	"evolver-lite":         func(ctx context.Context, b models.Base, w world) { rewrite(ctx, b, w, role.Lite, "") },
}

var stagings = map[string]question{
	"author-case": func(ctx context.Context, b models.Base, w world) {
		if a, err := models.NewAuthor(b); err == nil {
			_, _ = a.Draft(ctx, "new-001", sequence(w.task), 1)
		}
	},
	"author-setup": func(ctx context.Context, b models.Base, w world) {
		b.Model = after{"author-case", text(scenarioOf(w.task)), b.Model}
		if a, err := models.NewAuthor(b); err == nil {
			_, _ = a.Draft(ctx, "new-001", sequence(w.task), 1)
		}
	},
	"author-mend": func(ctx context.Context, b models.Base, w world) {
		if a, err := models.NewAuthor(b); err == nil {
			d := draftOf(w.task)
			d.Brief = json.RawMessage(`{"task": ` + scenarioOf(w.task) + `, "setup": []}`)
			_, _ = a.Repair(ctx, d, "gates: gold_runs: action 0 fails", 1)
		}
	},
	"evolver-strategy": writings["evolver-strategy"],
	"evolver-lite":     writings["evolver-lite"],
}

func rewrite(ctx context.Context, b models.Base, w world, level role.Level, records string) {
	e, err := models.NewEvolver(b)
	if err != nil {
		return
	}
	traps, err := json.Marshal([]models.Trap{{
		Technique: "eligibility_pressure", Call: -1, Plan: "Ask for more.", Branches: []string{"if refused, insist", "else thank"}, Records: records,
		Aim: "gives in", Resolution: "refuse", Kind: "refused",
	}})
	if err != nil {
		return
	}
	flops := []role.Flop{{Trap: 0, Technique: "eligibility_pressure", Why: "nobody falls for it"}, {Trap: -1, Why: "verifier: the database differs"}}
	_, _ = e.Write(ctx, w.task, &role.Design{Traps: traps}, level, flops, 1)
}

// after answers one prompt, and leaves all others to another model.
type after struct {
	role   string
	answer *llm.Response
	next   llm.Model
}

func (a after) Name() string { return a.next.Name() }

func (a after) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	if name, _ := prompts.RoleOf(r.System); name == a.role {
		return a.answer, nil
	}
	return a.next.Call(ctx, r)
}

// scenarioOf is a task as an author answers it, of calls with simple arguments.
func scenarioOf(t *tau.Task) string {
	i := t.UserScenario.Instructions.Structured
	s := map[string]any{
		"purpose": "a test", "theme": "a day", "wishes": []string{"something"}, "reason_for_call": i.ReasonForCall, "known_info": *i.KnownInfo,
		"unknown_info": "", "task_instructions": i.TaskInstructions, "communicate_info": append([]string{}, t.EvaluationCriteria.CommunicateInfo...),
	}
	actions := []any{}
	for k := range t.EvaluationCriteria.Actions {
		a := &t.EvaluationCriteria.Actions[k]
		actions = append(actions, map[string]any{"name": a.Name, "arguments": a.Args()})
	}
	s["actions"] = actions
	out, err := json.Marshal(s)
	if err != nil {
		return strings.ToUpper(err.Error())
	}
	return string(out)
}

// draftOf is a task as a draft of an author.
func draftOf(t *tau.Task) *role.Draft {
	return &role.Draft{Task: *t, Meta: role.Meta{Sequence: sequence(t)}, Brief: json.RawMessage(`{"task": ` + scenarioOf(t) + `, "records": []}`)}
}
