package tau

import (
	"errors"
	"fmt"
	"os"

	"taste/chat"
	"taste/pyjson"
)

// FileError says what is wrong with a task file and where.
type FileError struct {
	File string
	Task string // id of the task, "#3" for the fourth where it has no id; "" if the file itself is broken
	Path string // field path inside the task
	Err  error
}

func (e *FileError) Error() string {
	s := e.File
	if e.Task != "" {
		s += ": task " + e.Task
	}
	if e.Path != "" {
		s += ": " + e.Path
	}
	return s + ": " + e.Err.Error()
}

func (e *FileError) Unwrap() error { return e.Err }

// LoadTasks reads a task file: a JSON array of tasks, or an object that holds
// one under "tasks". A broken file gives a *FileError, a missing one an error
// that wraps fs.ErrNotExist.
func LoadTasks(path string) ([]Task, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read tasks: %w", err)
	}
	return ParseTasks(path, data)
}

// ParseTasks is LoadTasks of a file's content; name stands in errors.
func ParseTasks(name string, data []byte) ([]Task, error) {
	tasks, faults := SurveyTasks(name, data)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	return tasks, nil
}

// SurveyTasks is ParseTasks that goes on after an error: it returns the tasks
// that can be read and what is wrong with the others.
func SurveyTasks(name string, data []byte) (tasks []Task, faults []*FileError) {
	v, err := pyjson.DecodeFile(data)
	if err != nil {
		return nil, []*FileError{{File: name, Err: fmt.Errorf("broken JSON: %w", err)}}
	}
	if o, ok := v.(*pyjson.Object); ok {
		v, _ = o.Get("tasks")
	}
	list, ok := v.([]any)
	if !ok {
		return nil, []*FileError{{File: name, Err: errors.New("want an array of tasks")}}
	}
	tasks = make([]Task, 0, len(list))
	seen := map[string]bool{}
	for i, e := range list {
		t, err := ReadTask(e)
		switch {
		case err != nil:
			faults = append(faults, taskError(name, i, e, err))
			continue
		case seen[t.ID]:
			faults = append(faults, &FileError{File: name, Task: t.ID, Path: "id", Err: errors.New("this id occurs twice")})
		default:
			tasks = append(tasks, t)
		}
		seen[t.ID] = true
	}
	return tasks, faults
}

func taskError(name string, i int, e any, err error) *FileError {
	fe := &FileError{File: name, Task: fmt.Sprintf("#%d", i), Err: err}
	if o, ok := e.(*pyjson.Object); ok {
		if id, ok := o.Get("id"); ok {
			fe.Task = pyjson.Str(id)
		}
	}
	var field *chat.FieldError
	if errors.As(err, &field) {
		fe.Path, fe.Err = field.Path, errors.New(field.Msg)
	}
	return fe
}

// AppendTasks writes tasks as the content of a task file: an array, four
// blanks of indentation, UTF-8, a final newline.
func AppendTasks(dst []byte, tasks []Task) []byte {
	list := make([]any, len(tasks))
	for i := range tasks {
		list[i] = tasks[i].JSON()
	}
	dst = pyjson.Append(dst, list, pyjson.Style{Indent: "    "})
	return append(dst, '\n')
}
