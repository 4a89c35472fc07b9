package gates

import (
	"fmt"

	"taste/contract"
	"taste/env"
	"taste/tau"
)

// World says how well tasks fit a database.
type World struct {
	Named   int    // tasks whose gold names customers or records by their ids
	Strange int    // those of which the database, the task's own records included, has none
	Example string // one such id: "user_id x_1"
}

// Wrong tells whether the tasks belong to another database: most name none of
// its records. Fewer than three may just be broken.
func (w World) Wrong() bool { return w.Strange >= 3 && 2*w.Strange > w.Named }

// FitWorld looks up the ids that tasks name. Validation of tasks on the wrong
// database finds a lot and says nothing.
func FitWorld(tasks []tau.Task, d *env.Domain, c *contract.Contract) World {
	tables := map[string]string{}
	if args := c.Reads[c.Customer.Read].Args; len(args) == 1 {
		tables[args[0]] = c.Customer.Table
	}
	for _, r := range c.Records {
		tables[r.Key] = r.Table
	}
	var w World
	for i := range tasks {
		named, known, example := lookUp(&tasks[i], d, tables)
		if named == 0 {
			continue
		}
		w.Named++
		if known == 0 {
			w.Strange++
			if w.Example == "" {
				w.Example = example
			}
		}
	}
	return w
}

// lookUp counts the ids in a task's gold, by the table that an argument of that
// name points to, and those that its initial state has. A state that cannot be
// set up stays that of the domain.
func lookUp(t *tau.Task, d *env.Domain, tables map[string]string) (named, known int, example string) {
	if t.EvaluationCriteria == nil {
		return 0, 0, ""
	}
	e := d.Environment()
	if e.SetState(t.InitialState) != nil {
		e = d.Environment()
	}
	for _, a := range t.EvaluationCriteria.Actions {
		for _, name := range sortedKeys(a.Arguments) {
			id, ok := a.Arguments[name].(string)
			table := tables[name]
			if !ok || table == "" {
				continue
			}
			named++
			if e.RecordJSON(table, id) != nil {
				known++
			} else if example == "" {
				example = fmt.Sprintf("%s %s", name, id)
			}
		}
	}
	return named, known, example
}
