package mock

import (
	"errors"

	"taste/chat"
	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// Native builds mock states from databases in the reference's JSON form.
var Native = native.Of(load, references...)

var references = []env.Reference{
	{From: "tasks.task_id"},
	{From: "users.user_id"},
	{From: "users.tasks[]", To: "tasks"},
	{From: "notifications.notification_id"},
	{From: "notifications.task_id", To: "tasks"},
}

// load takes an empty inbox where the user's database is missing.
func load(agent, user any) (*state, error) {
	c := lax.New(agentDB)
	root := c.Model(agent, agentDB)
	var tasks native.Records[Task]
	var users native.Records[User]
	tasks.Read(c, root, "tasks", &taskType)
	users.Read(c, root, "users", &userType)
	c.NoExtra(root, "tasks", "users")
	inbox, err := readInbox(user)
	if err := errors.Join(c.Err(), err); err != nil {
		return nil, err
	}
	return &state{tasks: tasks.Table(&taskType), users: users.Table(&userType), inbox: inbox.Table(&notificationType)}, nil
}

func readInbox(v any) (inbox native.Records[Notification], err error) {
	if v == nil {
		return inbox, nil
	}
	c := lax.New(userDB)
	root := c.Model(v, userDB)
	if root.Has("notifications") {
		inbox.Read(c, root, "notifications", &notificationType)
	}
	c.NoExtra(root, "notifications")
	if err := c.Err(); err != nil {
		return inbox, &env.UserDataError{Err: err}
	}
	return inbox, nil
}

// Names of the reference's data models.
const (
	agentDB = "MockDB"
	userDB  = "MockUserDB"
)

// state holds the databases of both sides.
type state struct {
	tasks env.Table[Task]
	users env.Table[User]
	inbox env.Table[Notification]

	// shared is the side whose database both work on, "" where each has its
	// own; see Share.
	shared string
}

func (s *state) Fork() *state {
	return &state{tasks: s.tasks.Fork(), users: s.users.Fork(), inbox: s.inbox.Fork(), shared: s.shared}
}

func (*state) Sync() error { return nil }

// Share implements native.Sharing.
func (s *state) Share(side string) error {
	if s.shared == "" {
		s.shared = side
	}
	return nil
}

func (s *state) Database(side string) native.Database {
	if s.shared != "" {
		side = s.shared
	}
	if side == chat.User {
		return native.Database{Class: userDB, Tables: []native.Table{native.Named("notifications", &s.inbox)}}
	}
	return native.Database{Class: agentDB, Tables: []native.Table{native.Named("tasks", &s.tasks), native.Named("users", &s.users)}}
}

func (*state) Kit(side string) *native.Kit[*state] {
	if side == chat.User {
		return &userTools
	}
	return &agentTools
}

// need says that a table is used that is on one side. The other side's
// database may stand in its place.
func (s *state) need(side, table string) error {
	db := s.Database(side)
	if side == chat.User && db.Class == userDB || side == chat.Assistant && db.Class == agentDB {
		return nil
	}
	return &env.Fault{Class: "AttributeError", Text: "'" + db.Class + "' object has no attribute '" + table + "'", Inexact: true}
}

// find looks a record up by an id of any type.
func find[T any](t *env.Table[T], what string, id any) (*T, error) {
	return native.Find(t.Get, id, func() error { return env.ValueError(what + " " + pyjson.Str(id) + " not found") })
}
