package mock

import (
	"slices"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// Statuses of a task and of a notification.
const (
	Pending   = "pending"
	Completed = "completed"
	Unread    = "unread"
	Read      = "read"
)

// Task is an entry of the list, on the agent's side.
type Task struct {
	TaskID      string
	Title       string
	Description *string
	// Status is Pending or Completed, but updates store a value of any type
	// without a check, as the reference does.
	Status any
}

// User owns tasks.
type User struct {
	UserID string
	Name   string
	Tasks  []string // ids
}

// Notification is an entry of the inbox, on the user's side.
type Notification struct {
	NotificationID string
	Message        string
	Status         string // Unread or Read
	TaskID         *string
}

var (
	taskType         = env.RecordType[Task]{Clone: native.Copy[Task], Equal: sameTask, JSON: dumpTask, Valid: validTask}
	userType         = env.RecordType[User]{Clone: cloneUser, Equal: sameUser, JSON: dumpUser, Valid: validUser}
	notificationType = env.RecordType[Notification]{Clone: native.Copy[Notification], Equal: sameNotification, JSON: dumpNotification, Valid: validNotification}
)

func cloneUser(u *User) *User {
	c := *u
	c.Tasks = slices.Clone(u.Tasks)
	return &c
}

func sameTask(a, b *Task) bool {
	return a.TaskID == b.TaskID && a.Title == b.Title && native.SamePointer(a.Description, b.Description) && pyjson.Same(a.Status, b.Status)
}

func sameUser(a, b *User) bool {
	return a.UserID == b.UserID && a.Name == b.Name && slices.Equal(a.Tasks, b.Tasks)
}

func sameNotification(a, b *Notification) bool {
	return a.NotificationID == b.NotificationID && a.Message == b.Message && a.Status == b.Status && native.SamePointer(a.TaskID, b.TaskID)
}

func dumpTask(t *Task) *pyjson.Object {
	return pyjson.NewObject("task_id", t.TaskID, "title", t.Title, "description", orNone(t.Description), "status", t.Status)
}

func dumpUser(u *User) *pyjson.Object {
	return pyjson.NewObject("user_id", u.UserID, "name", u.Name, "tasks", native.Texts(u.Tasks))
}

func dumpNotification(n *Notification) *pyjson.Object {
	return pyjson.NewObject("notification_id", n.NotificationID, "message", n.Message, "status", n.Status, "task_id", orNone(n.TaskID))
}

func orNone(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

func validTask(c *lax.Check, v any) *Task {
	o := c.Model(v, "Task")
	return &Task{
		TaskID: c.FieldStr(o, "task_id"), Title: c.FieldStr(o, "title"), Description: optionalStr(c, o, "description"),
		Status: c.FieldLiteral(o, "status", Pending, Completed),
	}
}

func validUser(c *lax.Check, v any) *User {
	o := c.Model(v, "User")
	u := &User{UserID: c.FieldStr(o, "user_id"), Name: c.FieldStr(o, "name")}
	c.Field(o, "tasks", func(v any) {
		c.List(v, func(e any) { u.Tasks = append(u.Tasks, c.Str(e)) })
	})
	return u
}

func validNotification(c *lax.Check, v any) *Notification {
	o := c.Model(v, "Notification")
	n := &Notification{NotificationID: c.FieldStr(o, "notification_id"), Message: c.FieldStr(o, "message"), Status: Unread}
	c.Optional(o, "status", func(v any) { n.Status = c.Literal(v, Unread, Read) })
	n.TaskID = optionalStr(c, o, "task_id")
	c.NoExtra(o, "notification_id", "message", "status", "task_id")
	return n
}

// optionalStr reads a text that may be null or missing.
func optionalStr(c *lax.Check, o *pyjson.Object, key string) (s *string) {
	c.Optional(o, key, func(v any) {
		if v != nil {
			text := c.Str(v)
			s = &text
		}
	})
	return s
}
