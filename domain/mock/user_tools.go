package mock

import (
	"taste/chat"
	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// userTools are the functions of the user's side.
var userTools = native.Kit[*state]{
	Class: "MockUserTools",
	Tools: map[string]tool{
		"check_notifications":  {Run: checkNotifications},
		"dismiss_notification": {Params: []string{"notification_id"}, Run: dismissNotification},
	},
	Helpers: map[string]tool{
		"add_notification":           {Params: []string{"notification_id", "message", "task_id"}, Defaults: []any{nil}, Run: addNotification},
		"assert_notification_status": {Params: []string{"notification_id", "expected_status"}, Run: assertNotificationStatus},
	},
}

func (s *state) notification(id any) (*Notification, error) {
	if err := s.need(chat.User, "notifications"); err != nil {
		return nil, err
	}
	return find(&s.inbox, "Notification", id)
}

func checkNotifications(s *state, _ []any) (any, error) {
	if err := s.need(chat.User, "notifications"); err != nil {
		return nil, err
	}
	return all(&s.inbox, dumpNotification), nil
}

// all dumps a table's records in order.
func all[T any](t *env.Table[T], dump func(*T) *pyjson.Object) env.Lazy {
	return func() any {
		out := make([]any, 0, t.Len())
		for _, r := range t.All() {
			out = append(out, dump(r))
		}
		return out
	}
}

func dismissNotification(s *state, a []any) (any, error) {
	if _, err := s.notification(a[0]); err != nil {
		return nil, err
	}
	id := a[0].(string)
	s.inbox.Mut(id).Status = Read
	return "Notification " + id + " dismissed", nil
}

func addNotification(s *state, a []any) (any, error) {
	c := lax.New("Notification")
	n := validNotification(c, pyjson.NewObject("notification_id", a[0], "message", a[1], "task_id", a[2]))
	if err := c.Err(); err != nil {
		return nil, err
	}
	if err := s.need(chat.User, "notifications"); err != nil {
		return nil, err
	}
	s.inbox.Set(n.NotificationID, n)
	return native.Later(n, dumpNotification), nil
}

func assertNotificationStatus(s *state, a []any) (any, error) {
	n, err := s.notification(a[0])
	if err != nil {
		return nil, err
	}
	return pyjson.Equal(n.Status, a[1]), nil
}
