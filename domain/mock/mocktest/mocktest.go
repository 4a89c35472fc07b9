// Package mocktest makes a small domain with tools on both sides for the tests of
// other packages.
package mocktest

import (
	"testing"

	"taste/chat"
	"taste/domain/mock"
	"taste/env"
	"taste/env/native/nativetest"
)

// Chores is a mock domain of one person without tasks, and a user with a
// notification to dismiss. about is what the domain says of itself; its tools
// default to one that creates a task and the user's two.
func Chores(t testing.TB, about env.Domain) *env.Domain {
	t.Helper()
	s, err := mock.Native.Load(nativetest.Decode(t, `{"tasks": {}, "users": {"ann": {"user_id": "ann", "name": "Ann", "tasks": []}}}`),
		nativetest.Decode(t, `{"notifications": {"n1": {"notification_id": "n1", "message": "Sweep!"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	about.Name = "mock"
	if about.Tools == nil {
		about.Tools = []chat.ToolSpec{
			{Name: "create_task", Requestor: chat.Assistant, Type: chat.Write, MutatesState: true, Schema: []byte(`{}`)},
			{Name: "check_notifications", Requestor: chat.User, Type: chat.Read, Schema: []byte(`{}`)},
			{Name: "dismiss_notification", Requestor: chat.User, Type: chat.Write, MutatesState: true, Schema: []byte(`{}`)},
		}
	}
	d, err := env.NewDomain(about, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
