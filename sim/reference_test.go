package sim_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taste/chat"
	"taste/domain/mock"
	"taste/env"
	"taste/internal/shared"
	"taste/sim"
	"taste/tau"
)

var protocol = flag.String("protocol", "", "file of docs/upstream/protocol.py")

// referenceCase is a conversation that the reference has held.
type referenceCase struct {
	Solo      bool           `json:"solo"`
	Agent     []chat.Message `json:"agent"`
	User      []chat.Message `json:"user"`
	History   []chat.Message `json:"history"`
	MaxSteps  int            `json:"max_steps"`
	MaxErrors int            `json:"max_errors"`
	Enforce   bool           `json:"enforce"`
	Want      map[string]any `json:"want"`
}

// Under Compat conversations come out as the reference's: endings, records, what
// each side saw at each move, counts and databases.
func TestReference(t *testing.T) {
	if *protocol == "" {
		t.Skip("no -protocol file: docs/upstream/protocol.py makes one where τ²-bench is installed")
	}
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-mock"), env.Registry{"mock": mock.Native})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(*protocol)
	if err != nil {
		t.Fatal(err)
	}
	var cases []referenceCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		if _, raised := c.Want["raised"]; raised {
			c.Want = nil
		}
		if diff := cmp.Diff(c.Want, c.hold(t, pack.Domain)); diff != "" {
			t.Errorf("case %d (-reference +ours):\n%s", i, diff)
		}
	}
	t.Logf("%d conversations", len(cases))
}

// hold holds the conversation; nil after a fault.
func (c *referenceCase) hold(t *testing.T, d *env.Domain) map[string]any {
	t.Helper()
	if c.Solo {
		d = d.Solo()
	}
	e := d.Environment()
	if err := e.SetState(&tau.InitialState{MessageHistory: c.History}); err != nil {
		t.Fatal(err)
	}
	agent, user := &script{messages: c.Agent}, &script{messages: c.User}
	s := sim.Setup{Env: e, Agent: agent, History: c.History, Compat: true, Enforce: c.Enforce, Limits: sim.Limits{Steps: c.MaxSteps, Errors: c.MaxErrors}}
	if !c.Solo {
		s.User = user
	}
	r, err := sim.Run(context.Background(), s)
	if err != nil {
		return nil
	}
	return map[string]any{
		"reason": string(r.Termination), "messages": spell(r.Messages), "steps": float64(r.Steps), "errors": float64(r.Errors),
		"hash": e.Hash(), "agent": spellAll(agent.seen), "user": spellAll(user.seen),
	}
}

func spellAll(views [][]chat.Message) []any {
	out := []any{}
	for _, v := range views {
		out = append(out, spell(v))
	}
	return out
}

// spell spells messages as the file does.
func spell(messages []chat.Message) []any {
	out := []any{}
	for i := range messages {
		m := &messages[i]
		if m.Role == chat.Tool {
			out = append(out, []any{m.Role, m.ID, m.Requestor, m.Error, m.Body()})
			continue
		}
		var content, calls any
		if m.Content != nil {
			content = *m.Content
		}
		if m.ToolCalls != nil {
			list := []any{}
			for j := range m.ToolCalls {
				list = append(list, []any{m.ToolCalls[j].ID, m.ToolCalls[j].Name, m.ToolCalls[j].Owner()})
			}
			calls = list
		}
		out = append(out, []any{m.Role, content, calls})
	}
	return out
}
