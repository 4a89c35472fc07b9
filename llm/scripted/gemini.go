package scripted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"

	"taste/chat"
	"taste/llm"
)

// Gemini's generateContent.

type geminiRequest struct {
	SystemInstruction struct {
		Parts json.RawMessage `json:"parts"`
	} `json:"systemInstruction"`
	Contents []struct {
		Role  string            `json:"role"`
		Parts []json.RawMessage `json:"parts"`
	} `json:"contents"`
	Tools []struct {
		FunctionDeclarations []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	GenerationConfig struct {
		MaxOutputTokens    int             `json:"maxOutputTokens"`
		Temperature        *float64        `json:"temperature"`
		TopP               *float64        `json:"topP"`
		Seed               *int64          `json:"seed"`
		ResponseJSONSchema json.RawMessage `json:"responseJsonSchema"`
		ThinkingConfig     struct {
			Level string `json:"thinkingLevel"`
		} `json:"thinkingConfig"`
	} `json:"generationConfig"`
}

type geminiPart struct {
	Text             string `json:"text"`
	Thought          bool   `json:"thought"`
	ThoughtSignature string `json:"thoughtSignature"`
	FunctionCall     *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Response struct {
			Output, Error json.RawMessage
		} `json:"response"`
	} `json:"functionResponse"`
}

func readGemini(address string, body []byte) (*llm.Request, error) {
	var c geminiRequest
	if err := decode(body, &c); err != nil {
		return nil, err
	}
	g := &c.GenerationConfig
	r := &llm.Request{
		Model: strings.TrimSuffix(path.Base(address), ":generateContent"), System: texts(c.SystemInstruction.Parts),
		MaxTokens: g.MaxOutputTokens, Temperature: g.Temperature, TopP: g.TopP, Seed: g.Seed,
		Effort: strings.ToLower(g.ThinkingConfig.Level),
	}
	if g.ResponseJSONSchema != nil {
		r.Schema = &llm.Schema{JSON: g.ResponseJSONSchema}
	}
	for _, t := range c.Tools {
		for _, f := range t.FunctionDeclarations {
			r.Tools = append(r.Tools, llm.Tool{Name: f.Name, Description: f.Description, Parameters: f.Parameters})
		}
	}
	for i, m := range c.Contents {
		said := llm.Message{Role: chat.User}
		if m.Role == "model" {
			said.Role = chat.Assistant
		}
		for _, raw := range m.Parts {
			if err := addPart(r, &said, raw); err != nil {
				return nil, fmt.Errorf("contents[%d]: %w", i, err)
			}
		}
		if said.Role == chat.Assistant || said.Text != "" {
			r.Messages = append(r.Messages, said)
		}
	}
	return r, nil
}

// addPart adds a part to the message that it belongs to. Calls without an id are
// numbered through the conversation, as are the answers to them.
func addPart(r *llm.Request, said *llm.Message, raw json.RawMessage) error {
	var p geminiPart
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	if p.ThoughtSignature != "" || p.Thought {
		said.Thought = appendItem(said.Thought, raw)
	}
	switch {
	case p.FunctionCall != nil:
		call := callOf(p.FunctionCall.Name, string(p.FunctionCall.Args))
		call.ID = p.FunctionCall.ID
		if call.ID == "" {
			call.ID = strconv.Itoa(countCalls(r) + len(said.Calls) + 1)
		}
		said.Calls = append(said.Calls, call)
	case p.FunctionResponse != nil:
		f := p.FunctionResponse
		m := llm.Message{Role: chat.Tool, CallID: f.ID, Text: texts(f.Response.Output)}
		if f.Response.Error != nil {
			m.Text, m.Failed = texts(f.Response.Error), true
		}
		if m.CallID == "" {
			m.CallID = strconv.Itoa(countAnswers(r) + 1)
		}
		r.Messages = append(r.Messages, m)
	case !p.Thought:
		said.Text += p.Text
	}
	return nil
}

func countCalls(r *llm.Request) (n int) {
	for i := range r.Messages {
		n += len(r.Messages[i].Calls)
	}
	return n
}

func countAnswers(r *llm.Request) (n int) {
	for i := range r.Messages {
		if r.Messages[i].Role == chat.Tool {
			n++
		}
	}
	return n
}

var geminiReasons = map[llm.Stop]string{
	llm.End: "STOP", llm.ToolCalls: "STOP", llm.Length: "MAX_TOKENS", llm.Filtered: "SAFETY", llm.Refusal: "SAFETY",
}

func answerGemini(r *llm.Request, a *llm.Response) []byte {
	parts := geminiParts(&a.Message)
	reason := reasonOf(a, geminiReasons)
	for i := range a.Message.Calls {
		if c := &a.Message.Calls[i]; c.Arguments == nil { // so Gemini itself says it
			parts, reason = []any{}, "MALFORMED_FUNCTION_CALL"
		}
	}
	content := map[string]any{"role": "model"}
	if len(parts) > 0 {
		content["parts"] = parts
	}
	u := a.Usage
	return object(map[string]any{
		"responseId": a.ID, "modelVersion": a.Model,
		"candidates": []any{map[string]any{"index": 0, "content": content, "finishReason": reason}},
		"usageMetadata": map[string]any{
			"promptTokenCount": u.Input, "cachedContentTokenCount": u.Cached,
			"candidatesTokenCount": u.Output - u.Reasoning, "thoughtsTokenCount": u.Reasoning, "totalTokenCount": u.Input + u.Output,
		},
	})
}

// geminiParts are the parts of an answer. The first that is no thought carries the
// signature.
func geminiParts(m *llm.Message) []any {
	parts := []any{}
	var signed []map[string]any
	if m.Text != "" {
		signed = append(signed, map[string]any{"text": m.Text})
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		signed = append(signed, map[string]any{"functionCall": map[string]any{"id": c.ID, "name": c.Name, "args": c.Arguments}})
	}
	if len(m.Thought) > 0 {
		text := thoughtOf(m)
		parts = append(parts, map[string]any{"text": text, "thought": true})
		if len(signed) > 0 {
			signed[0]["thoughtSignature"] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
	for _, p := range signed {
		parts = append(parts, p)
	}
	return parts
}

var geminiStates = map[int]string{
	http.StatusBadRequest: "INVALID_ARGUMENT", http.StatusUnauthorized: "UNAUTHENTICATED", http.StatusForbidden: "PERMISSION_DENIED",
	http.StatusNotFound: "NOT_FOUND", http.StatusTooManyRequests: "RESOURCE_EXHAUSTED", http.StatusInternalServerError: "INTERNAL",
	http.StatusServiceUnavailable: "UNAVAILABLE",
}

func geminiFailure(f *Fault) []byte {
	state, message := geminiStates[f.Status], f.Message
	switch {
	case f.Overflow:
		message = "The input token count (210000) exceeds the maximum number of tokens allowed (200000)."
	case message == "":
		message = fmt.Sprintf("The script answers with status %d.", f.Status)
	}
	if f.Code != "" {
		state = f.Code
	}
	e := map[string]any{"code": f.Status, "message": message, "status": state}
	if f.RetryAfter > 0 {
		e["details"] = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": fmt.Sprintf("%gs", f.RetryAfter.Seconds())}}
	}
	return object(map[string]any{"error": e})
}

// geminiBlocked is the answer without candidates by which Gemini refuses a
// request.
func geminiBlocked(*Fault) (status int, body []byte) {
	return http.StatusOK, object(map[string]any{
		"promptFeedback": map[string]any{"blockReason": "PROHIBITED_CONTENT"},
		"usageMetadata":  map[string]any{"promptTokenCount": 0, "totalTokenCount": 0},
	})
}
