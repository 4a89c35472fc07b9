package scripted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"taste/chat"
	"taste/llm"
)

// Anthropic's Messages.

type messagesRequest struct {
	Model    string          `json:"model"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	OutputConfig struct {
		Effort string `json:"effort"`
		Format *struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
	MaxTokens   int      `json:"max_tokens"`
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p"`
}

type messagesBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

func readMessages(_ string, body []byte) (*llm.Request, error) {
	var c messagesRequest
	if err := decode(body, &c); err != nil {
		return nil, err
	}
	if c.MaxTokens <= 0 {
		return nil, fmt.Errorf("max_tokens: Field required")
	}
	r := &llm.Request{
		Model: c.Model, System: texts(c.System), MaxTokens: c.MaxTokens,
		Temperature: c.Temperature, TopP: c.TopP, Effort: c.OutputConfig.Effort,
	}
	if f := c.OutputConfig.Format; f != nil {
		r.Schema = &llm.Schema{JSON: f.Schema}
	}
	for _, t := range c.Tools {
		r.Tools = append(r.Tools, llm.Tool{Name: t.Name, Description: t.Description, Parameters: t.InputSchema})
	}
	for i, m := range c.Messages {
		var blocks []json.RawMessage
		if json.Unmarshal(m.Content, &blocks) != nil {
			r.Messages = append(r.Messages, llm.Message{Role: m.Role, Text: texts(m.Content)})
			continue
		}
		said := llm.Message{Role: m.Role}
		for _, raw := range blocks {
			if err := addBlock(r, &said, raw); err != nil {
				return nil, fmt.Errorf("messages[%d]: %w", i, err)
			}
		}
		if m.Role == chat.Assistant || said.Text != "" {
			r.Messages = append(r.Messages, said)
		}
	}
	return r, nil
}

// addBlock adds a block to the message that it belongs to.
func addBlock(r *llm.Request, said *llm.Message, raw json.RawMessage) error {
	var b messagesBlock
	if err := json.Unmarshal(raw, &b); err != nil {
		return err
	}
	switch b.Type {
	case "text":
		said.Text += b.Text
	case "tool_use":
		call := callOf(b.Name, string(b.Input))
		call.ID = b.ID
		said.Calls = append(said.Calls, call)
	case "tool_result":
		r.Messages = append(r.Messages, llm.Message{Role: chat.Tool, CallID: b.ToolUseID, Text: texts(b.Content), Failed: b.IsError})
	case "thinking", "redacted_thinking":
		said.Thought = appendItem(said.Thought, raw)
	default:
		return fmt.Errorf("block of type %q is unknown", b.Type)
	}
	return nil
}

var messagesReasons = map[llm.Stop]string{
	llm.End: "end_turn", llm.ToolCalls: "tool_use", llm.Length: "max_tokens", llm.Refusal: "refusal", llm.Filtered: "refusal", llm.Paused: "pause_turn",
}

func answerMessages(r *llm.Request, a *llm.Response) []byte {
	content := []any{}
	if len(a.Message.Thought) > 0 {
		text := thoughtOf(&a.Message)
		content = append(content, map[string]any{
			"type": "thinking", "thinking": text, "signature": base64.StdEncoding.EncodeToString([]byte(text)),
		})
	}
	if a.Message.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": a.Message.Text})
	}
	for i := range a.Message.Calls {
		c := &a.Message.Calls[i]
		input := any(c.Arguments)
		if c.Arguments == nil { // the format has no place for what is no JSON
			input = c.Bad
		}
		content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": input})
	}
	u := a.Usage
	return object(map[string]any{
		"id": a.ID, "type": "message", "role": chat.Assistant, "model": a.Model, "content": content,
		"stop_reason": reasonOf(a, messagesReasons), "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": u.Input - u.Cached - u.Written, "cache_read_input_tokens": u.Cached, "cache_creation_input_tokens": u.Written,
			"output_tokens": u.Output, "output_tokens_details": map[string]any{"thinking_tokens": u.Reasoning},
		},
	})
}

var messagesKinds = map[int]string{
	http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error", http.StatusNotFound: "not_found_error",
	http.StatusRequestEntityTooLarge: "request_too_large", http.StatusTooManyRequests: "rate_limit_error",
	http.StatusInternalServerError: "api_error", 529: "overloaded_error",
}

func messagesFailure(f *Fault) []byte {
	kind, message := messagesKinds[f.Status], f.Message
	if kind == "" {
		kind = "invalid_request_error"
		if f.Status >= 500 {
			kind = "api_error"
		}
	}
	if f.Code != "" {
		kind = f.Code
	}
	switch {
	case f.Overflow:
		message = "prompt is too long: 210000 tokens > 200000 maximum"
	case f.Blocked:
		message = "Output blocked by content filtering policy"
	case message == "":
		message = fmt.Sprintf("The script answers with status %d.", f.Status)
	}
	return object(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}})
}
