package openai

import (
	"cmp"
	"context"
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wire"
)

// Chat makes a model behind Chat Completions; name is what it is known by.
func Chat(name string, o Options) llm.Model {
	return &chatModel{name, o, sdk.NewChatCompletionService(o.request()...)}
}

type chatModel struct {
	name    string
	options Options
	service sdk.ChatCompletionService
}

func (m *chatModel) Name() string { return m.name }

func (m *chatModel) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	ctx, body := wire.Keep(ctx)
	res, err := m.service.New(ctx, m.params(r))
	if err != nil {
		return nil, wire.Fault(ctx, m.name, err)
	}
	if len(res.Choices) == 0 {
		var failure error = &llm.Error{Class: llm.Malformed, Message: "the answer holds no message"}
		if hidden := wire.Hidden(*body); hidden != nil {
			failure = hidden
		}
		return nil, wire.Fault(ctx, m.name, failure)
	}
	return readChat(r, res), nil
}

// params are the request in the SDK's form. Schemas and what was kept of earlier
// answers are put in as they are, which keeps the order of their members.
func (m *chatModel) params(r *llm.Request) sdk.ChatCompletionNewParams {
	p := sdk.ChatCompletionNewParams{Model: r.Model, ReasoningEffort: shared.ReasoningEffort(r.Effort)}
	if r.MaxTokens > 0 {
		limit := param.NewOpt(int64(r.MaxTokens))
		if m.options.MaxTokens {
			p.MaxTokens = limit
		} else {
			p.MaxCompletionTokens = limit
		}
	}
	p.Temperature, p.TopP, p.Seed = optional(r.Temperature), optional(r.TopP), optional(r.Seed)
	if system := wire.System(r, m.options.SchemaInText || !rooted(r.Schema)); system != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(system))
	}
	for i := range r.Messages {
		p.Messages = append(p.Messages, chatMessage(&r.Messages[i]))
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		f := shared.FunctionDefinitionParam{Name: t.Name}
		if t.Description != "" {
			f.Description = param.NewOpt(t.Description)
		}
		f.SetExtraFields(map[string]any{"parameters": wire.Parameters(t)})
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(f))
	}
	if r.Schema != nil && !m.options.SchemaInText && rooted(r.Schema) {
		p.ResponseFormat.OfJSONSchema = chatFormat(r.Schema)
	}
	if len(r.Extra) > 0 {
		p.SetExtraFields(r.Extra)
	}
	return p
}

func optional[T comparable](v *T) param.Opt[T] {
	if v == nil {
		return param.Opt[T]{}
	}
	return param.NewOpt(*v)
}

// chatFormat asks for JSON of a schema: enforced to the letter where OpenAI can,
// else shown to the model.
func chatFormat(s *llm.Schema) *shared.ResponseFormatJSONSchemaParam {
	text, strict := enforced(s)
	f := &shared.ResponseFormatJSONSchemaParam{}
	f.JSONSchema.Name = cmp.Or(s.Name, "answer")
	f.JSONSchema.Strict = param.NewOpt(strict)
	f.JSONSchema.Schema = text
	return f
}

// enforced is the schema as it is sent, and whether it is to be kept strictly.
func enforced(s *llm.Schema) (text json.RawMessage, strict bool) {
	if fitted := dialect.Fit(s); fitted != nil {
		return fitted, true
	}
	return s.JSON, false
}

// rooted says whether there is no schema, or one of an object: others are not
// taken.
func rooted(s *llm.Schema) bool {
	if s == nil {
		return true
	}
	var root struct{ Type string }
	return json.Unmarshal(s.JSON, &root) == nil && root.Type == "object"
}

func chatMessage(m *llm.Message) sdk.ChatCompletionMessageParamUnion {
	switch m.Role {
	case chat.Assistant:
		return sdk.ChatCompletionMessageParamUnion{OfAssistant: chatAnswer(m)}
	case chat.Tool:
		return sdk.ToolMessage(m.Text, m.CallID)
	}
	return sdk.UserMessage(m.Text)
}

// chatAnswer is an earlier answer, with its reasoning.
func chatAnswer(m *llm.Message) *sdk.ChatCompletionAssistantMessageParam {
	a := &sdk.ChatCompletionAssistantMessageParam{}
	thought := readThought(m.Thought)
	for i := range m.Calls {
		c := &sdk.ChatCompletionMessageFunctionToolCallParam{ID: m.Calls[i].ID}
		c.Function.Name, c.Function.Arguments = m.Calls[i].Name, string(wire.Arguments(&m.Calls[i]))
		if i < len(thought.Calls) && len(thought.Calls[i]) > 0 {
			c.SetExtraFields(map[string]any{callThought: thought.Calls[i]})
		}
		a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: c})
	}
	if m.Text != "" || len(m.Calls) == 0 {
		a.Content.OfString = param.NewOpt(m.Text)
	}
	if len(thought.Fields) > 0 {
		a.SetExtraFields(thought.Fields)
	}
	return a
}

var chatStops = map[string]llm.Stop{
	"stop": llm.End, "tool_calls": llm.ToolCalls, "function_call": llm.ToolCalls, "length": llm.Length, "content_filter": llm.Filtered,
}

func readChat(r *llm.Request, res *sdk.ChatCompletion) *llm.Response {
	choice := &res.Choices[0]
	out := &llm.Response{Reason: choice.FinishReason, Usage: chatUsage(&res.Usage), Model: res.Model, ID: res.ID}
	out.Message = llm.Message{Role: chat.Assistant, Text: choice.Message.Content, Thought: thoughtOf(&choice.Message)}
	for _, c := range choice.Message.ToolCalls {
		out.Message.Calls = append(out.Message.Calls, wire.Call(c.ID, c.Function.Name, c.Function.Arguments))
	}
	wire.Identify(r, out.Message.Calls)
	out.Stop = wire.Stop(chatStops, out.Reason, out.Message.Calls)
	if refusal := choice.Message.Refusal; refusal != "" {
		out.Stop, out.Message.Text = llm.Refusal, cmp.Or(out.Message.Text, refusal)
	}
	return out
}

// chatUsage counts tokens. Some servers count reasoning beside the answer; their
// sum tells.
func chatUsage(u *sdk.CompletionUsage) llm.Usage {
	out := llm.Usage{
		Input: u.PromptTokens, Cached: u.PromptTokensDetails.CachedTokens, Written: u.PromptTokensDetails.CacheWriteTokens,
		Output: u.CompletionTokens, Reasoning: u.CompletionTokensDetails.ReasoningTokens, Calls: 1,
	}
	if out.Reasoning > 0 && u.TotalTokens == out.Input+out.Output+out.Reasoning {
		out.Output += out.Reasoning
	}
	if hit, ok := u.JSON.ExtraFields["prompt_cache_hit_tokens"]; ok && out.Cached == 0 { // DeepSeek's
		if json.Unmarshal([]byte(hit.Raw()), &out.Cached) != nil {
			out.Cached = 0
		}
	}
	out.Written = min(out.Written, out.Input-out.Cached)
	return out
}
