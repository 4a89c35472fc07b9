package builtin

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"taste/chat"
	"taste/env"
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

//go:embed user_guidelines_tools.md
var toolGuidelines string

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

// Domain completes a domain whose files these are, over the state of a world:
// with its tools, what simulated users are told, and where all of it is from.
func (f Files) Domain(d env.Domain, worldSeed uint64, s env.State) (*env.Domain, error) {
	var err error
	if d.Tools, err = f.Tools(); err != nil {
		return nil, fmt.Errorf("build %s domain: %w", d.Name, err)
	}
	d.Pack, d.Semantics = "builtin-"+d.Name, "tau2"
	d.License, d.Source = "Apache-2.0", fmt.Sprintf("generated, world seed %d", worldSeed)
	d.UserGuidelines = guidelines
	if slices.ContainsFunc(d.Tools, func(t chat.ToolSpec) bool { return t.Requestor == chat.User }) {
		d.UserToolGuidelines = toolGuidelines
	}
	return env.NewDomain(d, s)
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
