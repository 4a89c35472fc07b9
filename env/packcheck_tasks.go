package env

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

func (c *checker) path(file string) string { return filepath.Join(c.dir, file) }

// checkTasks reads all files of tasks.
func (c *checker) checkTasks() {
	c.ids = map[string]bool{}
	for _, set := range slices.Sorted(maps.Keys(c.taskFiles)) {
		file := c.taskFiles[set]
		data, ok := c.read(file, "")
		c.errs = nil // told already
		if !ok {
			c.lost = true
			continue
		}
		tasks, faults := tau.SurveyTasks(file, data)
		for _, f := range faults {
			c.lost = c.lost || f.Task == ""
			c.ids[f.Task] = true
			c.add(PackFault{File: file, Task: f.Task, Path: f.Path, Kind: AboutTask, Grade: Wrong, Text: f.Err.Error()})
		}
		c.review.Tasks += len(tasks)
		for i := range tasks {
			c.ids[tasks[i].ID] = true
			(&taskChecker{c, file, &tasks[i]}).check()
		}
	}
}

// taskChecker looks at one task.
type taskChecker struct {
	*checker
	file string
	task *tau.Task
}

func (c *taskChecker) fault(kind Kind, path, text string) {
	c.add(PackFault{File: c.file, Task: c.task.ID, Path: path, Kind: kind, Grade: Wrong, Text: text})
}

func (c *taskChecker) check() {
	if c.pack != nil {
		if _, err := c.pack.Domain.UserTools(c.task.UserTools); err != nil {
			c.fault(AboutTask, "user_tools", err.Error())
		}
	}
	if s := c.task.InitialState; s != nil {
		before := len(c.review.Faults)
		for i := range s.InitializationActions {
			c.function(AboutTask, fmt.Sprintf("initial_state.initialization_actions[%d]", i), &s.InitializationActions[i])
		}
		if c.pack != nil && len(c.review.Faults) == before {
			if err := c.pack.Domain.Environment().SetState(s); err != nil {
				c.fault(AboutTask, "initial_state", brief(err))
			}
		}
	}
	if e := c.task.EvaluationCriteria; e != nil {
		for i := range e.Actions {
			c.gold(fmt.Sprintf("evaluation_criteria.actions[%d].name", i), &e.Actions[i])
		}
		for i := range e.EnvAssertions {
			c.function(AboutGold, fmt.Sprintf("evaluation_criteria.env_assertions[%d]", i), &e.EnvAssertions[i].EnvCall)
		}
	}
}

// gold checks that an action's tool is described, as one of its side.
func (c *taskChecker) gold(path string, a *tau.Action) {
	if c.domain.Tools == nil {
		return
	}
	i := slices.IndexFunc(c.domain.Tools, func(t chat.ToolSpec) bool { return t.Name == a.Name })
	switch {
	case i < 0 && c.toolsLost: // it may be one of those
	case i < 0:
		c.fault(AboutGold, path, "unknown tool "+pyjson.Repr(a.Name))
	case c.domain.Tools[i].Requestor != a.Owner():
		c.fault(AboutGold, path, fmt.Sprintf("%s is a tool of the %s, the action is the %s's", a.Name, c.domain.Tools[i].Requestor, a.Owner()))
	}
}

// function checks that an environment call's function is there.
func (c *taskChecker) function(kind Kind, path string, call *tau.EnvCall) {
	if c.native == nil || slices.Contains(c.native.Functions(call.EnvType), call.FuncName) ||
		slices.ContainsFunc(c.native.Tools(call.EnvType), func(s Signature) bool { return s.Name == call.FuncName }) {
		return
	}
	c.fault(kind, path+".func_name", fmt.Sprintf("the %s's side of domain %s has no function %s", call.EnvType, c.domain.Name, pyjson.Repr(call.FuncName)))
}
