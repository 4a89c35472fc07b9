package scripted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"taste/chat"
	"taste/llm"
)

// OpenAI's Responses.

type responsesRequest struct {
	Model        string          `json:"model"`
	Instructions string          `json:"instructions"`
	Input        json.RawMessage `json:"input"`
	Tools        []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"tools"`
	Text struct {
		Format struct {
			Type   string          `json:"type"`
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
	MaxOutputTokens int      `json:"max_output_tokens"`
	Temperature     *float64 `json:"temperature"`
	TopP            *float64 `json:"top_p"`
	Reasoning       struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
}

type responsesItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
}

func readResponses(_ string, body []byte) (*llm.Request, error) {
	var c responsesRequest
	if err := decode(body, &c); err != nil {
		return nil, err
	}
	r := &llm.Request{
		Model: c.Model, System: c.Instructions, MaxTokens: c.MaxOutputTokens,
		Temperature: c.Temperature, TopP: c.TopP, Effort: c.Reasoning.Effort,
	}
	if f := c.Text.Format; f.Type == "json_schema" {
		r.Schema = &llm.Schema{Name: f.Name, JSON: f.Schema}
	}
	for _, t := range c.Tools {
		r.Tools = append(r.Tools, llm.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	var text string
	if json.Unmarshal(c.Input, &text) == nil {
		r.Messages = []llm.Message{{Role: chat.User, Text: text}}
		return r, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(c.Input, &items); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	for i, raw := range items {
		if err := addItem(r, raw); err != nil {
			return nil, fmt.Errorf("input[%d]: %w", i, err)
		}
	}
	return r, nil
}

// addItem adds what an item says; items of one answer make one message.
func addItem(r *llm.Request, raw json.RawMessage) error {
	var it responsesItem
	if err := json.Unmarshal(raw, &it); err != nil {
		return err
	}
	switch {
	case it.Type == "function_call_output":
		r.Messages = append(r.Messages, llm.Message{Role: chat.Tool, CallID: it.CallID, Text: texts(it.Output)})
	case it.Type == "function_call":
		call := callOf(it.Name, it.Arguments)
		call.ID = it.CallID
		m := assistant(r)
		m.Calls = append(m.Calls, call)
	case it.Type == "reasoning":
		m := assistant(r)
		m.Thought = appendItem(m.Thought, raw)
	case it.Role == chat.Assistant:
		assistant(r).Text += texts(it.Content)
	case it.Role == chat.System, it.Role == "developer":
		r.System += "\n\n" + texts(it.Content)
	case it.Role == chat.User:
		r.Messages = append(r.Messages, llm.Message{Role: chat.User, Text: texts(it.Content)})
	default:
		return fmt.Errorf("item of type %q and role %q is unknown", it.Type, it.Role)
	}
	return nil
}

// assistant is the answer that items go on with, or a new one.
func assistant(r *llm.Request) *llm.Message {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == chat.Assistant {
		return &r.Messages[n-1]
	}
	r.Messages = append(r.Messages, llm.Message{Role: chat.Assistant})
	return &r.Messages[len(r.Messages)-1]
}

// appendItem adds to a JSON list.
func appendItem(list, item json.RawMessage) json.RawMessage {
	var items []json.RawMessage
	if len(list) > 0 && json.Unmarshal(list, &items) != nil {
		return list
	}
	return object(append(items, item))
}

func answerResponses(r *llm.Request, a *llm.Response) []byte {
	output := []any{}
	if len(a.Message.Thought) > 0 {
		text := thoughtOf(&a.Message)
		output = append(output, map[string]any{
			"type": "reasoning", "id": "rs_" + a.ID,
			"summary":           []any{map[string]any{"type": "summary_text", "text": text}},
			"encrypted_content": base64.StdEncoding.EncodeToString([]byte(text)),
		})
	}
	if a.Message.Text != "" || len(a.Message.Calls) == 0 {
		part := map[string]any{"type": "output_text", "text": a.Message.Text, "annotations": []any{}}
		if a.Stop == llm.Refusal {
			part = map[string]any{"type": "refusal", "refusal": a.Message.Text}
		}
		output = append(output, map[string]any{
			"type": "message", "id": "msg_" + a.ID, "role": chat.Assistant, "status": "completed", "content": []any{part},
		})
	}
	for i := range a.Message.Calls {
		c := &a.Message.Calls[i]
		output = append(output, map[string]any{
			"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Name, "arguments": argumentsOf(c), "status": "completed",
		})
	}
	status, details := responsesStatus(a)
	u := a.Usage
	return object(map[string]any{
		"id": a.ID, "object": "response", "created_at": 0, "model": a.Model, "output": output,
		"status": status, "incomplete_details": details, "error": nil,
		"usage": map[string]any{
			"input_tokens": u.Input, "output_tokens": u.Output, "total_tokens": u.Input + u.Output,
			"input_tokens_details":  map[string]any{"cached_tokens": u.Cached, "cache_write_tokens": u.Written},
			"output_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
		},
	})
}

// responsesStatus says how an answer ended: words that are no status stand for
// why it is incomplete.
func responsesStatus(a *llm.Response) (status string, details any) {
	reason := a.Reason
	switch {
	case reason != "":
	case a.Stop == llm.Length:
		reason = "max_output_tokens"
	case a.Stop == llm.Filtered:
		reason = "content_filter"
	case a.Stop == llm.Paused:
		reason = "paused"
	default:
		return "completed", nil
	}
	return "incomplete", map[string]any{"reason": reason}
}
