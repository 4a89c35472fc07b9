package builtin

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// Names of the files in a domain's folder.
const (
	PolicyFile   = "policy.md"
	ToolsFile    = "tools.json"
	SeedsFile    = "seeds.json"
	ContractFile = "contract.yaml"
)

// phrasesFiles are the parts of a phrase book in the order in which they are
// read; a domain may lack some.
var phrasesFiles = []string{"phrases.yaml", "phrases_ask.yaml", "phrases_agent.yaml", "phrases_story.yaml", "phrases_twist.yaml", "phrases_ticket.yaml"}

//go:embed user_guidelines.md
var guidelines string

// Guidelines returns what a simulated user of any built-in domain is told about
// its part.
func Guidelines() string { return guidelines }

//go:embed user_guidelines_tools.md
var toolGuidelines string

// ToolGuidelines is Guidelines for users who have tools.
func ToolGuidelines() string { return toolGuidelines }

// Files is the embedded folder of a domain.
type Files struct{ FS fs.ReadFileFS }

// Text returns a file of the folder. One that is not embedded is a fault of the
// build, which the domain's tests catch.
func (f Files) Text(name string) string {
	data, err := f.FS.ReadFile(name)
	if err != nil {
		panic("embedded file: " + err.Error())
	}
	return string(data)
}

// Tools reads the tool specifications.
func (f Files) Tools() ([]chat.ToolSpec, error) {
	v, err := pyjson.Decode([]byte(f.Text(ToolsFile)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ToolsFile, err)
	}
	r := chat.NewReader(pyjson.NewObject("tools", v), "")
	tools := chat.ReadList(r, "tools", chat.ReadToolSpec)
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", ToolsFile, err)
	}
	return tools, nil
}

// Seeds reads the seed tasks.
func (f Files) Seeds() ([]tau.Task, error) {
	tasks, err := tau.ParseTasks(SeedsFile, []byte(f.Text(SeedsFile)))
	if err != nil {
		return nil, fmt.Errorf("read seed tasks: %w", err)
	}
	return tasks, nil
}

// Phrases returns the content of the files of the phrase book.
func (f Files) Phrases() [][]byte {
	var out [][]byte
	for _, name := range phrasesFiles {
		if data, err := f.FS.ReadFile(name); err == nil {
			out = append(out, data)
		}
	}
	return out
}

// MustDecode decodes an embedded JSON file. A broken one is a fault of the
// build, which the domain's tests catch.
func MustDecode[T any](file string, data []byte) *T {
	v := new(T)
	if err := json.Unmarshal(data, v); err != nil {
		panic(fmt.Sprintf("embedded %s: %v", file, err))
	}
	return v
}
