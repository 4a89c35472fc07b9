package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wire"
)

// Responses makes a model behind the Responses interface; name is what it is
// known by. Nothing is stored at the server: reasoning comes back encrypted, and
// is handed back on later turns.
func Responses(name string, o Options) llm.Model {
	return &responsesModel{name: name, options: o, service: responses.NewResponseService(o.request()...)}
}

type responsesModel struct {
	name    string
	options Options
	service responses.ResponseService
	plain   atomic.Bool // the model does not reason, and refuses to be asked for it
}

func (m *responsesModel) Name() string { return m.name }

func (m *responsesModel) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	ctx, body := wire.Keep(ctx)
	p := m.params(r)
	res, err := m.service.New(ctx, p)
	if len(p.Include) > 0 && refusesReasoning(err) {
		m.plain.Store(true)
		return m.Call(ctx, r)
	}
	if err != nil {
		return nil, wire.Fault(ctx, m.name, err)
	}
	if hidden := wire.Hidden(*body); hidden != nil {
		return nil, wire.Fault(ctx, m.name, hidden)
	}
	if !res.JSON.Output.Valid() {
		return nil, &llm.Error{Class: llm.Malformed, Model: m.name, Message: "the answer holds no output"}
	}
	return readResponse(r, res), nil
}

// refusesReasoning says whether a model that does not reason refused the request
// for that: which models do is not known beforehand.
func refusesReasoning(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Class == llm.BadRequest && strings.Contains(strings.ToLower(e.Message), "encrypted content")
}

// params are the request in the SDK's form; see chatModel.params. There is no
// seed.
func (m *responsesModel) params(r *llm.Request) responses.ResponseNewParams {
	p := responses.ResponseNewParams{Model: r.Model, Store: param.NewOpt(false)}
	if !m.plain.Load() {
		p.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	p.Reasoning.Effort = shared.ReasoningEffort(r.Effort)
	if r.MaxTokens > 0 {
		p.MaxOutputTokens = param.NewOpt(int64(r.MaxTokens))
	}
	p.Temperature, p.TopP = optional(r.Temperature), optional(r.TopP)
	inWords := m.options.SchemaInText || !rooted(r.Schema)
	if system := wire.System(r, inWords); system != "" {
		p.Instructions = param.NewOpt(system)
	}
	for i := range r.Messages {
		p.Input.OfInputItemList = append(p.Input.OfInputItemList, items(&r.Messages[i])...)
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		f := &responses.FunctionToolParam{Name: t.Name, Strict: param.NewOpt(false)}
		if t.Description != "" {
			f.Description = param.NewOpt(t.Description)
		}
		f.SetExtraFields(map[string]any{"parameters": wire.Parameters(t)})
		p.Tools = append(p.Tools, responses.ToolUnionParam{OfFunction: f})
	}
	if r.Schema != nil && !inWords {
		text, strict := enforced(r.Schema)
		f := &responses.ResponseFormatTextJSONSchemaConfigParam{Name: cmp.Or(r.Schema.Name, "answer"), Strict: param.NewOpt(strict)}
		f.SetExtraFields(map[string]any{"schema": text})
		p.Text.Format.OfJSONSchema = f
	}
	if len(r.Extra) > 0 {
		p.SetExtraFields(r.Extra)
	}
	return p
}

// items are a message as the items of a conversation.
func items(m *llm.Message) []responses.ResponseInputItemUnionParam {
	switch m.Role {
	case chat.Tool:
		return []responses.ResponseInputItemUnionParam{toolAnswer(m)}
	case chat.Assistant:
		return answerItems(m)
	}
	return []responses.ResponseInputItemUnionParam{responses.ResponseInputItemParamOfMessage(m.Text, responses.EasyInputMessageRoleUser)}
}

func toolAnswer(m *llm.Message) responses.ResponseInputItemUnionParam {
	it := responses.ResponseInputItemParamOfFunctionCallOutput(m.Text)
	it.OfFunctionCallOutput.CallID = param.NewOpt(m.CallID)
	return it
}

// answerItems are an earlier answer: to the letter where its items were kept and
// nothing was changed since, else its reasoning is left out, which the provider
// takes with just the items that followed it.
func answerItems(m *llm.Message) []responses.ResponseInputItemUnionParam {
	var out []responses.ResponseInputItemUnionParam
	if kept := keptItems(m); kept != nil {
		for _, raw := range kept {
			out = append(out, param.Override[responses.ResponseInputItemUnionParam](raw))
		}
		return out
	}
	if m.Text != "" || len(m.Calls) == 0 {
		out = append(out, responses.ResponseInputItemParamOfMessage(m.Text, responses.EasyInputMessageRoleAssistant))
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		out = append(out, responses.ResponseInputItemParamOfFunctionCall(string(wire.Arguments(c)), c.ID, c.Name))
	}
	return out
}

// keptItems are the items of an earlier answer; nil where there are none, or
// where the message says something else by now.
func keptItems(m *llm.Message) []json.RawMessage {
	var raw []json.RawMessage
	var read []responses.ResponseOutputItemUnion
	if len(m.Thought) == 0 || json.Unmarshal(m.Thought, &raw) != nil || json.Unmarshal(m.Thought, &read) != nil {
		return nil
	}
	text, _, calls := said(read)
	if text != m.Text || !wire.Same(calls, m.Calls) {
		return nil
	}
	return raw
}

// said is what items say: text, a refusal, and calls.
func said(items []responses.ResponseOutputItemUnion) (text, refusal string, calls []llm.Call) {
	for i := range items {
		it := &items[i]
		switch it.Type {
		case "message":
			for j := range it.Content {
				text += it.Content[j].Text
				refusal += it.Content[j].Refusal
			}
		case "function_call":
			calls = append(calls, wire.Call(it.CallID, it.Name, it.Arguments.OfString))
		}
	}
	return text, refusal, calls
}

var responsesStops = map[string]llm.Stop{
	"completed": llm.End, "max_output_tokens": llm.Length, "content_filter": llm.Filtered,
}

func readResponse(r *llm.Request, res *responses.Response) *llm.Response {
	out := &llm.Response{Reason: cmp.Or(res.IncompleteDetails.Reason, string(res.Status)), Model: res.Model, ID: res.ID}
	text, refusal, calls := said(res.Output)
	wire.Identify(r, calls)
	out.Message = llm.Message{Role: chat.Assistant, Text: text, Calls: calls, Thought: keep(res)}
	out.Stop = wire.Stop(responsesStops, out.Reason, calls)
	if refusal != "" {
		out.Stop, out.Message.Text = llm.Refusal, cmp.Or(text, refusal)
	}
	u := &res.Usage
	out.Usage = llm.Usage{
		Input: u.InputTokens, Cached: u.InputTokensDetails.CachedTokens,
		Written: min(u.InputTokensDetails.CacheWriteTokens, u.InputTokens-u.InputTokensDetails.CachedTokens),
		Output:  u.OutputTokens, Reasoning: u.OutputTokensDetails.ReasoningTokens, Calls: 1,
	}
	return out
}

// keep is the whole output where there is reasoning in it; else nil.
func keep(res *responses.Response) json.RawMessage {
	for i := range res.Output {
		if res.Output[i].Type == "reasoning" {
			return json.RawMessage(res.JSON.Output.Raw())
		}
	}
	return nil
}
