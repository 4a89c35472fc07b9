package scripted

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"taste/llm"
)

// Answer is what a model says. Texts are templates over the request where they
// hold {{: see view for what they see.
type Answer struct {
	Text    string     `yaml:"text"`
	JSON    any        `yaml:"json"`    // said in place of a text
	Fenced  bool       `yaml:"fenced"`  // the JSON stands in a code block, with a word before it
	Calls   []Call     `yaml:"calls"`   // of tools
	Thought string     `yaml:"thought"` // reasoning, shown as the provider shows it
	Stop    llm.Stop   `yaml:"stop"`    // end, tool_calls, length, refusal, filtered, paused; else by what is said
	Reason  string     `yaml:"reason"`  // the provider's own word for it, sent as it is
	Usage   *llm.Usage `yaml:"usage"`   // else by the length of texts
}

// Call is a call of a tool.
type Call struct {
	Name      string         `yaml:"name"`
	Arguments map[string]any `yaml:"arguments"`
	Raw       *string        `yaml:"raw"` // sent as arguments, whatever it is
}

func (a *Answer) prepare() error {
	if a.Text != "" && a.JSON != nil {
		return errors.New("an answer has a text or json, not both")
	}
	if a.Fenced && a.JSON == nil {
		return errors.New("fenced goes with json")
	}
	switch a.Stop {
	case "", llm.End, llm.ToolCalls, llm.Length, llm.Refusal, llm.Filtered, llm.Paused:
	default:
		return fmt.Errorf("stop %q is none of end, tool_calls, length, refusal, filtered, paused: other words go to reason", a.Stop)
	}
	for _, c := range a.Calls {
		if c.Name == "" || c.Raw != nil && c.Arguments != nil {
			return errors.New("a call has a name, and arguments or raw")
		}
	}
	_, err := a.render(look(&llm.Request{}))
	var parse templateError
	if errors.As(err, &parse) && parse.parsing {
		return err
	}
	return nil // what fails without a request may work with one
}

// render says the answer.
func (a *Answer) render(v *view) (*llm.Response, error) {
	res := &llm.Response{Stop: a.Stop, Reason: a.Reason}
	var err error
	if res.Message.Text, err = a.said(v); err != nil {
		return nil, err
	}
	for _, c := range a.Calls {
		call, err := c.render(v)
		if err != nil {
			return nil, err
		}
		res.Message.Calls = append(res.Message.Calls, call)
	}
	if a.Thought != "" {
		thought, err := fill(a.Thought, v)
		if err != nil {
			return nil, err
		}
		if res.Message.Thought, err = json.Marshal(thought); err != nil {
			return nil, err
		}
	}
	if a.Usage != nil {
		res.Usage = *a.Usage
	}
	return res, nil
}

// said is the text of the answer.
func (a *Answer) said(v *view) (string, error) {
	if a.JSON == nil {
		return fill(a.Text, v)
	}
	text, err := fillJSON(a.JSON, v)
	if a.Fenced {
		return "Here it is:\n```json\n" + string(text) + "\n```", err
	}
	return string(text), err
}

func (c *Call) render(v *view) (llm.Call, error) {
	if c.Raw == nil {
		args := c.Arguments
		if args == nil {
			args = map[string]any{}
		}
		text, err := fillJSON(args, v)
		return llm.Call{Name: c.Name, Arguments: text}, err
	}
	text, err := fill(*c.Raw, v)
	return callOf(c.Name, text), err
}

// callOf is a call with the text that stands for its arguments.
func callOf(name, arguments string) llm.Call {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return llm.Call{Name: name, Bad: arguments}
	}
	return llm.Call{Name: name, Arguments: json.RawMessage(arguments)}
}

// fillJSON fills the texts in a value, and writes it.
func fillJSON(value any, v *view) ([]byte, error) {
	filled, err := fillValue(value, v)
	if err != nil {
		return nil, err
	}
	return json.Marshal(filled)
}

func fillValue(value any, v *view) (any, error) {
	var err error
	switch value := value.(type) {
	case string:
		return fill(value, v)
	case []any:
		out := make([]any, len(value))
		for i := range value {
			if out[i], err = fillValue(value[i], v); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(value))
		for k := range value {
			if out[k], err = fillValue(value[k], v); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// templateError says what is wrong with a template.
type templateError struct {
	err     error
	parsing bool
}

func (e templateError) Error() string { return "template: " + e.err.Error() }
func (e templateError) Unwrap() error { return e.err }

// fill fills a template.
func fill(text string, v *view) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	t, err := template.New("answer").Funcs(functions).Parse(text)
	if err != nil {
		return "", templateError{err, true}
	}
	var b strings.Builder
	if err := t.Execute(&b, v); err != nil {
		return "", templateError{err, false}
	}
	return b.String(), nil
}

// functions of templates, beside the usual ones.
var functions = template.FuncMap{
	"contains": strings.Contains,
	"find":     find,
	"json": func(v any) (string, error) {
		text, err := json.Marshal(v)
		return string(text), err
	},
}

// find is the first group of a regular expression's first match, or the whole match
// where it has no groups; "" without a match.
func find(pattern, text string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	m := re.FindStringSubmatch(text)
	switch len(m) {
	case 0:
		return "", nil
	case 1:
		return m[0], nil
	}
	return m[1], nil
}
