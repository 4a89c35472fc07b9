package airline

import (
	"embed"
	"fmt"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// Files of the built-in domain.
const (
	policyFile     = "policy.md"
	toolsFile      = "tools.json"
	seedsFile      = "seeds.json"
	guidelinesFile = "user_guidelines.md"
	contractFile   = "contract.yaml"
)

var phrasesFiles = []string{"phrases.yaml", "phrases_ask.yaml", "phrases_agent.yaml", "phrases_story.yaml", "phrases_twist.yaml"}

//go:embed policy.md tools.json seeds.json user_guidelines.md contract.yaml phrases*.yaml
var files embed.FS

// BuiltinPack is the pack name of the built-in domain.
const BuiltinPack = "builtin-airline"

// Builtin returns the domain that the program carries itself: its own policy,
// tool descriptions and user guidelines over World(worldSeed), with the native
// tools that packs use too.
func Builtin(worldSeed uint64) (*env.Domain, error) {
	tools, err := builtinTools()
	if err != nil {
		return nil, fmt.Errorf("build airline domain: %w", err)
	}
	return env.NewDomain(env.Domain{
		Name: "airline", Pack: BuiltinPack, Semantics: "tau2", Policy: Policy(), Tools: tools, Clock: now,
		License: "Apache-2.0", Source: fmt.Sprintf("generated, world seed %d", worldSeed), UserGuidelines: text(guidelinesFile),
	}, NewState(World(worldSeed)))
}

// Seeds returns the built-in seed tasks. They stand on anchor records, so they
// fit every world.
func Seeds() ([]tau.Task, error) {
	tasks, err := tau.ParseTasks(seedsFile, []byte(text(seedsFile)))
	if err != nil {
		return nil, fmt.Errorf("read seed tasks: %w", err)
	}
	return tasks, nil
}

// Policy returns the built-in policy text.
func Policy() string { return text(policyFile) }

// Contract returns the content of the domain's contract file.
func Contract() []byte { return []byte(text(contractFile)) }

// Phrases returns the content of the files of the domain's phrase book.
func Phrases() [][]byte {
	var out [][]byte
	for _, name := range phrasesFiles {
		out = append(out, []byte(text(name)))
	}
	return out
}

func builtinTools() ([]chat.ToolSpec, error) {
	v, err := pyjson.Decode([]byte(text(toolsFile)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", toolsFile, err)
	}
	r := chat.NewReader(pyjson.NewObject("tools", v), "")
	tools := chat.ReadList(r, "tools", chat.ReadToolSpec)
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", toolsFile, err)
	}
	return tools, nil
}

// text returns an embedded file; all names above are embedded.
func text(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("embedded file: " + err.Error())
	}
	return string(data)
}
