package env_test

import (
	"errors"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/mock/mocktest"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/internal/hint"
	"taste/tau"
)

// chores is a domain with tools on both sides.
func chores(t *testing.T) *env.Domain {
	t.Helper()
	return mocktest.Chores(t, env.Domain{Policy: "Be kind.", Policies: map[string]string{"solo": "Be quick."}})
}

func TestUserTools(t *testing.T) {
	d := chores(t)
	for _, c := range []struct {
		only []string
		want string
	}{
		{nil, "check_notifications dismiss_notification"},
		{[]string{}, ""},
		{[]string{"dismiss_notification"}, "dismiss_notification"},
	} {
		tools, err := d.UserTools(c.only)
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%v: %q, %v, want %q", c.only, got, err, c.want)
		}
	}
	for _, name := range []string{"create_task", "fly"} {
		if _, err := d.UserTools([]string{name}); err == nil {
			t.Errorf("%s is no tool of the user", name)
		}
	}
}

func TestWithPolicy(t *testing.T) {
	d := chores(t)
	solo, err := d.WithPolicy("solo")
	if err != nil || solo.Policy != "Be quick." || d.Policy != "Be kind." || solo.Variant != "solo" || d.Variant != "" {
		t.Errorf("policies %q and %q, %v", solo.Policy, d.Policy, err)
	}
	if !d.Has("Be kind.") || !d.Has("Be quick.") || d.Has("Be brief.") {
		t.Error("the domain does not know its policies")
	}
	if _, err := d.WithPolicy("strict"); err == nil || !strings.Contains(hint.Of(err), "solo") {
		t.Errorf("unknown policy: %v, hint %q", err, hint.Of(err))
	}
}

// TestSolo: an agent alone has all tools; gold keeps its sides.
func TestSolo(t *testing.T) {
	e := chores(t).Solo().Environment()
	nativetest.Script(t, e, `
		assistant dismiss_notification {"notification_id": "n1"} → Notification n1 dismissed
		user check_notifications {} → Error: User tool calls are not allowed in solo mode
		assistant create_task {"user_id": "ann", "title": "Mop"} → {"task_id": "task_1",…
	`)
	if r := e.Apply(&tau.Action{Name: "dismiss_notification", Requestor: chat.User, Arguments: map[string]any{"notification_id": "n1"}}); r.Error {
		t.Errorf("gold of the user: %s", r.Content)
	}
	err := e.Replay([]chat.Message{{Role: chat.User}})
	var f *env.Fault
	if !errors.As(err, &f) || f.Class != "AssertionError" || !errors.Is(err, env.ErrReplay) {
		t.Errorf("a user's message: %v", err)
	}
}
