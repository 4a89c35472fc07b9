package scripted

import (
	"encoding/json"
	"fmt"
	"strings"

	"taste/chat"
	"taste/llm"
)

// OpenAI's Chat Completions.

type chatRequest struct {
	Model          string            `json:"model"`
	Messages       []json.RawMessage `json:"messages"`
	Tools          []chatTool        `json:"tools"`
	ResponseFormat struct {
		JSONSchema *struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	Temperature         *float64 `json:"temperature"`
	TopP                *float64 `json:"top_p"`
	Seed                *int64   `json:"seed"`
	Effort              string   `json:"reasoning_effort"`
}

type chatTool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []chatCall      `json:"tool_calls"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func readChat(_ string, body []byte) (*llm.Request, error) {
	var c chatRequest
	if err := decode(body, &c); err != nil {
		return nil, err
	}
	r := &llm.Request{
		Model: c.Model, MaxTokens: max(c.MaxTokens, c.MaxCompletionTokens),
		Temperature: c.Temperature, TopP: c.TopP, Seed: c.Seed, Effort: c.Effort,
	}
	if s := c.ResponseFormat.JSONSchema; s != nil {
		r.Schema = &llm.Schema{Name: s.Name, JSON: s.Schema}
	}
	for _, t := range c.Tools {
		r.Tools = append(r.Tools, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	for i, raw := range c.Messages {
		if err := addChat(r, raw); err != nil {
			return nil, fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	return r, nil
}

// addChat adds a message.
func addChat(r *llm.Request, raw json.RawMessage) error {
	var m chatMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	text := texts(m.Content)
	switch m.Role {
	case chat.System, "developer":
		r.System = strings.TrimPrefix(r.System+"\n\n"+text, "\n\n")
	case chat.User:
		r.Messages = append(r.Messages, llm.Message{Role: chat.User, Text: text})
	case chat.Tool:
		r.Messages = append(r.Messages, llm.Message{Role: chat.Tool, CallID: m.ToolCallID, Text: text})
	case chat.Assistant:
		a := llm.Message{Role: chat.Assistant, Text: text, Thought: chatThought(raw)}
		for _, c := range m.ToolCalls {
			call := callOf(c.Function.Name, c.Function.Arguments)
			call.ID = c.ID
			a.Calls = append(a.Calls, call)
		}
		r.Messages = append(r.Messages, a)
	default:
		return fmt.Errorf("role %q is unknown", m.Role)
	}
	return nil
}

// chatThought is the reasoning of an earlier answer, if it was handed back.
func chatThought(raw json.RawMessage) json.RawMessage {
	var m struct {
		Reasoning json.RawMessage `json:"reasoning_content"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m.Reasoning
}

var chatReasons = map[llm.Stop]string{
	llm.End: "stop", llm.ToolCalls: "tool_calls", llm.Length: "length", llm.Filtered: "content_filter", llm.Refusal: "stop",
}

func answerChat(r *llm.Request, a *llm.Response) []byte {
	m := map[string]any{"role": chat.Assistant, "content": a.Message.Text, "refusal": nil}
	if a.Stop == llm.Refusal {
		m["content"], m["refusal"] = nil, a.Message.Text
	}
	if len(a.Message.Thought) > 0 {
		m["reasoning_content"] = thoughtOf(&a.Message)
	}
	var calls []chatCall
	for i := range a.Message.Calls {
		c := chatCall{ID: a.Message.Calls[i].ID, Type: "function"}
		c.Function.Name, c.Function.Arguments = a.Message.Calls[i].Name, argumentsOf(&a.Message.Calls[i])
		calls = append(calls, c)
	}
	if len(calls) > 0 {
		m["tool_calls"] = calls
		if a.Message.Text == "" {
			m["content"] = nil
		}
	}
	u := a.Usage
	return object(map[string]any{
		"id": a.ID, "object": "chat.completion", "created": 0, "model": a.Model,
		"choices": []any{map[string]any{"index": 0, "message": m, "finish_reason": reasonOf(a, chatReasons)}},
		"usage": map[string]any{
			"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
			"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached, "cache_write_tokens": u.Written},
			"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
		},
	})
}

// chatFailure serves Responses too.
func chatFailure(f *Fault) []byte {
	code, kind, message := f.Code, "invalid_request_error", f.Message
	switch {
	case f.Overflow:
		code, message = "context_length_exceeded", overflowed
	case f.Blocked:
		code, message = "content_filter", filtered
	case f.Status == 429:
		kind = "rate_limit_exceeded"
	case f.Status >= 500:
		kind = "server_error"
	}
	if message == "" {
		message = fmt.Sprintf("The script answers with status %d.", f.Status)
	}
	return object(map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": orNull(code)}})
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
