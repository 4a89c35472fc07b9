package remote

import (
	"fmt"

	"taste/chat"
	"taste/pyjson"
)

// read reads the message of an answer. The role may be left out, ids of calls
// too, and calls may be spelt as models' programming interfaces spell them.
func (p *party) read(answer *pyjson.Object) (chat.Message, error) {
	if role, ok := answer.Get("role"); ok && role != p.side {
		return chat.Message{}, fmt.Errorf("role: want %q, got %s", p.side, pyjson.Dumps(role))
	}
	o := pyjson.NewObject("role", p.side)
	for key, v := range answer.All() {
		if key == "tool_calls" {
			plain, err := plainCalls(v)
			if err != nil {
				return chat.Message{}, err
			}
			v = plain
		}
		o.Set(key, v)
	}
	m, err := chat.ReadMessage(o, "")
	for i := range m.ToolCalls {
		if c := &m.ToolCalls[i]; c.ID == "" {
			c.ID = fmt.Sprintf("call_%d_%d", p.turn, i)
		}
	}
	return m, err
}

// plainCalls turns calls of the form {"function": {"name", "arguments": "{…}"}}
// into those of messages and leaves all else as it is.
func plainCalls(v any) (any, error) {
	calls, ok := v.([]any)
	if !ok {
		return v, nil
	}
	out := make([]any, len(calls))
	for i, c := range calls {
		out[i] = c
		o, ok := c.(*pyjson.Object)
		if !ok {
			continue
		}
		f, ok := o.Get("function")
		if !ok {
			continue
		}
		plain, err := plainCall(o, f, fmt.Sprintf("tool_calls[%d]", i))
		if err != nil {
			return nil, err
		}
		out[i] = plain
	}
	return out, nil
}

func plainCall(call *pyjson.Object, function any, path string) (*pyjson.Object, error) {
	r := chat.NewReader(function, path+".function")
	plain := pyjson.NewObject("name", r.String("name"))
	if id, ok := call.Get("id"); ok {
		plain.Set("id", id)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	args, _ := r.Value("arguments")
	if text, ok := args.(string); ok {
		o, err := pyjson.DecodeObject([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.At("arguments"), err)
		}
		args = o
	}
	plain.Set("arguments", args)
	return plain, nil
}
