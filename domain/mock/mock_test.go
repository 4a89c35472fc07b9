package mock

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/env/native/nativetest"
)

const (
	agentData = `{"tasks": {"t1": {"task_id": "t1", "title": "Sweep", "status": "pending", "colour": "red"}},
		"users": {"ann": {"user_id": "ann", "name": "Ann", "tasks": ["t1"]}}}`
	userData = `{"notifications": {"n1": {"notification_id": "n1", "message": "Sweep!"}}}`
)

// house is a small world of two sides.
func house(t *testing.T) *env.Environment {
	t.Helper()
	return nativetest.Environment(t, Native, agentData, userData)
}

func TestTools(t *testing.T) {
	nativetest.Script(t, house(t), `
		assistant get_users {} → [{"user_id": "ann", "name": "Ann", "tasks": ["t1"]}]
		assistant create_task {"user_id": "ann", "title": "Mop"} → {"task_id": "task_2", "title": "Mop", "description": null, "status": "pending"}
		assistant create_task {"user_id": "bob", "title": "Mop"} → Error: User bob not found
		assistant create_task {"user_id": "ann"} → Error: MockTools.create_task() missing 1 required positional argument: 'title'
		assistant create_task {"user_id": "ann", "title": "x", "when": 1} → Error: MockTools.create_task() got an unexpected keyword argument 'when'
		assistant update_task_status {"task_id": "task_2", "status": 5} → {"task_id": "task_2", "title": "Mop", "description": null, "status": 5}
		assistant update_task_status {"task_id": 2.5, "status": "x"} → Error: Task 2.5 not found
		assistant check_notifications {} → Error: Tool 'check_notifications' not found.
		user get_users {} → Error: Tool 'get_users' not found.
		user dismiss_notification {"notification_id": "n1"} → Notification n1 dismissed
		user check_notifications {} → [{"notification_id": "n1", "message": "Sweep!", "status": "read", "task_id": null}]
		assistant assert_task_status {"task_id": "t1", "expected_status": "pending"} → Error: Tool 'assert_task_status' not found.
		ENV assistant assert_task_status {"task_id": "task_2", "expected_status": 5.0} → True
		ENV assistant assert_number_of_tasks {"user_id": "ann", "expected_number": 2} → True
		ENV assistant assert_number_of_tasks {"user_id": "ann", "expected_number": "2"} → False
		ENV user add_notification {"notification_id": "n2", "message": "Mop!", "task_id": "task_2"} → {'notification_id': 'n2', 'message': 'Mop!', 'status': 'unread', 'task_id': 'task_2'}
		ENV user assert_notification_status {"notification_id": "n2", "expected_status": "read"} → False
		ENV user assert_notification_status {"notification_id": "n3", "expected_status": "read"} → raised Notification n3 not found
		ENV user fly {} → raised 'MockUserTools' object has no attribute 'fly'
	`)
}

// TestNumbering: the next number is the count of tasks, even where it is taken.
func TestNumbering(t *testing.T) {
	e := house(t)
	if err := nativetest.Start(t, e, `{"initialization_data": {"agent_data": {"tasks": {"task_3": {"task_id": "task_3", "title": "Old", "status": "completed"}}}}}`); err != nil {
		t.Fatal(err)
	}
	nativetest.Script(t, e, `assistant create_task {"user_id": "ann", "title": "New"} → {"task_id": "task_3", "title": "New", "description": null, "status": "pending"}`)
	if n := len(e.Keys("tasks")); n != 2 {
		t.Errorf("%d tasks, want 2", n)
	}
}

func TestSidesAreApart(t *testing.T) {
	e := house(t)
	other := e.Clone()
	agent, user := e.Hash(), e.UserHash()
	nativetest.Script(t, e, `user dismiss_notification {"notification_id": "n1"} → Notification n1 dismissed`)
	if e.Hash() != agent || e.UserHash() == user {
		t.Error("a call of the user must change the user's hash alone")
	}
	if e.Equal(other) || other.UserHash() != user {
		t.Error("a clone saw the other's call")
	}
	if got := strings.Join(other.Diff(e), "\n"); got != "user.notifications.n1.status: 'unread' → 'read'" {
		t.Errorf("diff %s", got)
	}
}

// TestSharedDatabase: after initialization data for one side both work on that
// side's database.
func TestSharedDatabase(t *testing.T) {
	e := house(t)
	if err := nativetest.Start(t, e, `{"initialization_data": {"agent_data": {"users": {"ann": {"name": "Anna"}}}}}`); err != nil {
		t.Fatal(err)
	}
	if e.Hash() != e.UserHash() {
		t.Error("two hashes of one database")
	}
	if e.Equal(house(t)) {
		t.Error("equal to an environment with two databases")
	}
	nativetest.Script(t, e, `
		assistant get_users {} → [{"user_id": "ann", "name": "Anna", "tasks": ["t1"]}]
		user check_notifications {} → Error: 'MockDB' object has no attribute 'notifications'
		ENV user add_notification {"notification_id": "n2", "message": "Mop!"} → raised 'MockDB' object has no attribute 'notifications'
	`)
	if err := nativetest.Start(t, e, `{"initialization_data": {"user_data": {"notifications": {}}}}`); err != nil {
		t.Fatal(err)
	}
	nativetest.Script(t, e, `
		user check_notifications {} → [{"notification_id": "n1", "message": "Sweep!", "status": "unread", "task_id": null}]
		assistant get_users {} → Error: 'MockUserDB' object has no attribute 'users'
		assistant update_task_status {"task_id": "t1", "status": "completed"} → Error: 'MockUserDB' object has no attribute 'tasks'
	`)
}

func TestBadData(t *testing.T) {
	for data, want := range map[string]string{
		`{"agent_data": {"tasks": {"t1": {"status": "late"}}}}`:                                         "Input should be 'pending' or 'completed'",
		`{"agent_data": {"lists": {}}}`:                                                                 "Extra inputs are not permitted",
		`{"user_data": {"notifications": {"n1": {"colour": "red"}}}}`:                                   "notifications.n1.colour",
		`{"user_data": {"notifications": {"n1": {"task_id": 5}}}}`:                                      "Input should be a valid string",
		`{"agent_data": {"users": {"ann": {"tasks": []}}}, "user_data": {"notifications": {"n1": {}}}}`: "notifications",
	} {
		err := nativetest.Start(t, house(t), `{"initialization_data": `+data+`}`)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", data, err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	if s, err := Native.Load(nativetest.Decode(t, agentData), nil); err != nil || len(s.Keys(chat.User, "notifications")) != 0 {
		t.Errorf("without a user's database: %v", err)
	}
	_, err := Native.Load(nativetest.Decode(t, `{"tasks": {"t1": {"task_id": 1}}}`), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "4 validation errors for MockDB") {
		t.Errorf("broken database: %v", err)
	}
}
