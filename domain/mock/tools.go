package mock

import (
	"strconv"

	"taste/chat"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

type tool = native.Tool[*state]

// agentTools are the functions of the agent's side.
var agentTools = native.Kit[*state]{
	Class: "MockTools",
	Tools: map[string]tool{
		"create_task":              {Params: []string{"user_id", "title", "description"}, Defaults: []any{nil}, Run: createTask},
		"get_users":                {Run: getUsers},
		"transfer_to_human_agents": {Params: []string{"summary"}, Run: transferToHumanAgents},
		"update_task_status":       {Params: []string{"task_id", "status"}, Run: updateTaskStatus},
	},
	Helpers: map[string]tool{
		"assert_number_of_tasks": {Params: []string{"user_id", "expected_number"}, Run: assertNumberOfTasks},
		"assert_task_status":     {Params: []string{"task_id", "expected_status"}, Run: assertTaskStatus},
	},
}

func (s *state) user(id any) (*User, error) {
	if err := s.need(chat.Assistant, "users"); err != nil {
		return nil, err
	}
	return find(&s.users, "User", id)
}

func (s *state) task(id any) (*Task, error) {
	if err := s.need(chat.Assistant, "tasks"); err != nil {
		return nil, err
	}
	return find(&s.tasks, "Task", id)
}

// createTask numbers the new task by the count of tasks, so that it may take
// the place of an older one.
func createTask(s *state, a []any) (any, error) {
	if _, err := s.user(a[0]); err != nil {
		return nil, err
	}
	id := "task_" + strconv.Itoa(s.tasks.Len()+1)
	c := lax.New("Task")
	t := validTask(c, pyjson.NewObject("task_id", id, "title", a[1], "description", a[2], "status", Pending))
	if err := c.Err(); err != nil {
		return nil, err
	}
	s.tasks.Set(id, t)
	u := s.users.Mut(a[0].(string))
	u.Tasks = append(u.Tasks, id)
	return native.Later(t, dumpTask), nil
}

func getUsers(s *state, _ []any) (any, error) {
	if err := s.need(chat.Assistant, "users"); err != nil {
		return nil, err
	}
	return all(&s.users, dumpUser), nil
}

func updateTaskStatus(s *state, a []any) (any, error) {
	if _, err := s.task(a[0]); err != nil {
		return nil, err
	}
	t := s.tasks.Mut(a[0].(string))
	t.Status = a[1]
	return native.Later(t, dumpTask), nil
}

func transferToHumanAgents(*state, []any) (any, error) { return "Transfer successful", nil }

func assertNumberOfTasks(s *state, a []any) (any, error) {
	u, err := s.user(a[0])
	if err != nil {
		return nil, err
	}
	return pyjson.Equal(int64(len(u.Tasks)), a[1]), nil
}

func assertTaskStatus(s *state, a []any) (any, error) {
	t, err := s.task(a[0])
	if err != nil {
		return nil, err
	}
	return pyjson.Equal(t.Status, a[1]), nil
}
