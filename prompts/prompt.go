package prompts

import (
	"bytes"
	"fmt"
	"regexp"
	"text/template"

	"taste/chat"
	"taste/llm"
)

// Prompt is one version of one question to a language model.
type Prompt struct {
	Name    string      // e.g. judge
	Version int         // from 1
	Place   string      // where in the method it stands
	Schema  *llm.Schema // of the answer; nil: it is free text
	Sum     string      // SHA-256 of its files, in hex

	templates *template.Template
}

// ID names the prompt with its version, e.g. judge-v1.
func (p *Prompt) ID() string { return fmt.Sprintf("%s-v%d", p.Name, p.Version) }

// Request fills data in: system text, the first message unless it is empty, and
// the schema. The system text begins with a line that names the prompt: see [RoleOf].
func (p *Prompt) Request(data any) (llm.Request, error) {
	system, err := p.render("system", data)
	if err != nil {
		return llm.Request{}, err
	}
	user, err := p.render("user", data)
	if err != nil {
		return llm.Request{}, err
	}
	r := llm.Request{System: p.heading() + "\n\n" + system, Schema: p.Schema}
	if user != "" {
		r.Messages = []llm.Message{{Role: chat.User, Text: user}}
	}
	return r, nil
}

func (p *Prompt) heading() string { return fmt.Sprintf("Role: %s (v%d)", p.Name, p.Version) }

var headingForm = regexp.MustCompile(`^Role: ([a-z][a-z-]*) \(v([1-9][0-9]*)\)\n`)

// RoleOf tells from a system text which prompt it was made from.
func RoleOf(system string) (name string, ok bool) {
	m := headingForm.FindStringSubmatch(system)
	if m == nil {
		return "", false
	}
	return m[1], true
}

func (p *Prompt) render(part string, data any) (string, error) {
	var b bytes.Buffer
	if err := p.templates.ExecuteTemplate(&b, part, data); err != nil {
		return "", fmt.Errorf("render prompt %s: %w", p.ID(), err)
	}
	return string(bytes.TrimSpace(b.Bytes())), nil
}
