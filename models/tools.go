package models

import (
	"encoding/json"
	"fmt"

	"taste/chat"
	"taste/llm"
)

// function reads the function schema that a specification carries.
func function(s *chat.ToolSpec) (llm.Tool, error) {
	var schema struct {
		Function struct {
			Description string
			Parameters  json.RawMessage
		}
	}
	if err := json.Unmarshal(s.Schema, &schema); err != nil {
		return llm.Tool{}, fmt.Errorf("tool %s: read its schema: %w", s.Name, err)
	}
	t := llm.Tool{Name: s.Name, Description: schema.Function.Description, Parameters: schema.Function.Parameters}
	if t.Parameters == nil {
		return t, fmt.Errorf("tool %s: its schema is no function with parameters", s.Name)
	}
	return t, nil
}

// functions are the tools as a model is shown them.
func functions(specs []chat.ToolSpec) ([]llm.Tool, error) {
	var out []llm.Tool
	for i := range specs {
		t, err := function(&specs[i])
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
