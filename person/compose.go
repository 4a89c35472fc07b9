package person

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/sim"
)

// endings are the commands that say a stop token.
var endings = map[string]string{"stop": sim.Stop, "transfer": sim.Transfer, "out-of-scope": sim.OutOfScope}

const (
	more  = `\` // at the end of a line: the text goes on in the next
	along = "&" // at the end of a call: another comes in the same message
)

// compose lets the person type a message. Only what is typed wrongly or looked
// up is answered at once; all else is left to the conversation.
func (p *party) compose(ctx context.Context) (chat.Message, error) {
	var calls []chat.ToolCall
	for {
		line, err := p.t.ask(ctx, p.name+"> ")
		if err != nil {
			return chat.Message{}, err
		}
		command, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
		switch {
		case strings.TrimSpace(line) == "":
		case !strings.HasPrefix(line, "/") || strings.HasPrefix(line, "//"):
			body, err := p.rest(ctx, strings.TrimPrefix(line, "/"))
			m := chat.Text(p.side, body)
			m.ToolCalls = calls
			return m, err
		case command == "call":
			call, another, err := p.call(rest, len(calls))
			if err != nil {
				p.t.show("-- %v\n", err)
				continue
			}
			if calls = append(calls, call); !another {
				return chat.Calls(p.side, calls...), nil
			}
		case p.ends(command):
			return chat.Text(p.side, endings[command]), nil
		default:
			p.lookUp(command, strings.TrimSpace(rest))
		}
	}
}

// rest reads the further lines of a text.
func (p *party) rest(ctx context.Context, body string) (string, error) {
	for strings.HasSuffix(body, more) {
		line, err := p.t.ask(ctx, "... ")
		if err != nil {
			return "", err
		}
		body = strings.TrimSuffix(body, more) + "\n" + line
	}
	return body, nil
}

// ends tells whether a command is one that ends the conversation.
func (p *party) ends(command string) bool {
	return command == "stop" || p.side == chat.User && endings[command] != ""
}

// call reads the call of a message's nth tool, written NAME {ARGUMENTS}.
func (p *party) call(typed string, nth int) (call chat.ToolCall, another bool, err error) {
	typed, another = strings.CutSuffix(strings.TrimSpace(typed), along)
	name, args, _ := strings.Cut(strings.TrimSpace(typed), " ")
	if p.tool(name) == nil {
		return call, false, fmt.Errorf("you have no tool %q; /tools lists them", name)
	}
	if args = strings.TrimSpace(args); args == "" {
		args = "{}"
	}
	o, err := pyjson.DecodeObject([]byte(args))
	if err != nil {
		return call, false, fmt.Errorf("the arguments of %s are no JSON object: %w; /tool %s says what they are", name, err, name)
	}
	call, err = chat.ReadToolCall(pyjson.NewObject("id", fmt.Sprintf("call_%d_%d", p.turn, nth), "name", name, "arguments", o), "")
	return call, another, err
}

func (p *party) tool(name string) *chat.ToolSpec {
	if i := slices.IndexFunc(p.tools, func(t chat.ToolSpec) bool { return t.Name == name }); i >= 0 {
		return &p.tools[i]
	}
	return nil
}

// lookUp answers a command that only shows something.
func (p *party) lookUp(command, what string) {
	for _, x := range p.texts {
		if x.command == command {
			p.t.show("%s\n", x.body)
			return
		}
	}
	switch {
	case command == "help":
		p.help()
	case command == "tools":
		for i := range p.tools {
			p.t.show("%s\n", usage(&p.tools[i]))
		}
	case command == "tool" && p.tool(what) != nil:
		p.describe(p.tool(what))
	case command == "tool":
		p.t.show("-- you have no tool %q; /tools lists them\n", what)
	default:
		p.t.show("-- there is no command /%s; /help lists them\n", command)
	}
}

func (p *party) help() {
	rows := [][2]string{{"TEXT", "say it; a line that ends in " + more + " goes on in the next, and // at the start stands for /"}}
	if len(p.tools) > 0 {
		rows = append(rows, [2]string{"/call NAME {…}", "call a tool with JSON arguments; " + along + " behind it: another call comes in the same message"},
			[2]string{"/tools", "list your tools"}, [2]string{"/tool NAME", "describe one"})
	}
	for _, x := range p.texts {
		rows = append(rows, [2]string{"/" + x.command, "show " + x.about})
	}
	rows = append(rows, [2]string{"/stop", "end the conversation"})
	if p.side == chat.User {
		rows = append(rows, [2]string{"/transfer", "end it as handed to a person"}, [2]string{"/out-of-scope", "end it for want of what your scenario does not say"})
	}
	for _, r := range rows {
		p.t.show("%-15s %s\n", r[0], r[1])
	}
}

// usage writes a tool as a call of it, optional arguments in brackets.
func usage(t *chat.ToolSpec) string {
	params, err := t.Parameters()
	if err != nil {
		return t.Name
	}
	var out []string
	for _, a := range params {
		if a.Required {
			out = append(out, a.Name)
		} else {
			out = append(out, "["+a.Name+"]")
		}
	}
	return t.Name + " " + strings.Join(out, " ")
}

func (p *party) describe(t *chat.ToolSpec) {
	schema, err := pyjson.Decode(t.Schema)
	if err != nil {
		p.t.show("%s\n", t.Name)
		return
	}
	p.t.show("%s\n", pretty(schema))
}

// pretty spells JSON over several lines.
func pretty(v any) string {
	var out bytes.Buffer
	if err := json.Indent(&out, pyjson.Append(nil, v, pyjson.UTF8), "", "  "); err != nil {
		return pyjson.Dumps(v)
	}
	return out.String()
}
