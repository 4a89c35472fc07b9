package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wire"
)

// Options say how the provider is reached. Nothing is read from the environment.
type Options struct {
	BaseURL      string            // without the version, e.g. https://api.anthropic.com
	Key          string            // "": none is sent
	APIVersion   string            // "": the SDK's
	Headers      map[string]string // further headers
	SchemaInText bool              // the model takes no schemas: they go to the system text
	Transport    http.RoundTripper // nil: one that keeps many connections
}

// Anthropic is where Anthropic itself is.
const Anthropic = "https://api.anthropic.com"

// maxTokens is how long an answer gets where the request does not say: the
// provider wants a number.
const maxTokens = 8192

// patience is how long the SDK waits, which asks for streams where answers may be
// longer than ten minutes unless it is told. The caller's context ends calls.
const patience = 24 * time.Hour

// Model makes a model behind Messages; name is what it is known by. Thinking
// blocks are kept with their signatures, and handed back on later turns. System
// text and tools are marked for the provider's cache.
func Model(name string, o Options) llm.Model {
	opts := []option.RequestOption{
		option.WithBaseURL(o.BaseURL),
		option.WithHTTPClient(wire.Client(o.Transport)),
		option.WithMaxRetries(0),
		option.WithRequestTimeout(patience),
	}
	if o.Key != "" { // WithAPIKey sends it as a bearer's
		opts = append(opts, option.WithHeader("X-Api-Key", o.Key))
	}
	if o.APIVersion != "" {
		opts = append(opts, option.WithHeader("Anthropic-Version", o.APIVersion))
	}
	for _, name := range wire.Names(o.Headers) {
		opts = append(opts, option.WithHeader(name, o.Headers[name]))
	}
	return &model{name, o, sdk.NewMessageService(opts...)}
}

type model struct {
	name    string
	options Options
	service sdk.MessageService
}

func (m *model) Name() string { return m.name }

func (m *model) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	ctx, body := wire.Keep(ctx)
	res, err := m.service.New(ctx, m.params(r))
	if err != nil {
		return nil, wire.Fault(ctx, m.name, err)
	}
	if hidden := wire.Hidden(*body); hidden != nil {
		return nil, wire.Fault(ctx, m.name, hidden)
	}
	if !res.JSON.Content.Valid() {
		return nil, &llm.Error{Class: llm.Malformed, Model: m.name, Message: "the answer holds no content"}
	}
	return read(r, res), nil
}

// dialect is what Anthropic enforces of schemas.
var dialect = wire.Dialect{Keywords: []string{"const", "format", "default"}, Optional: true}

// params are the request in the SDK's form. Schemas and what was kept of earlier
// answers are put in as they are, which keeps the order of their members. There is
// no seed.
func (m *model) params(r *llm.Request) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: r.Model, MaxTokens: int64(cmp.Or(r.MaxTokens, maxTokens)), Messages: turns(r)}
	var schema json.RawMessage
	if r.Schema != nil && !m.options.SchemaInText {
		schema = dialect.Fit(r.Schema)
	}
	if schema != nil {
		p.OutputConfig.Format.SetExtraFields(map[string]any{"schema": schema})
	}
	if system := wire.System(r, schema == nil); system != "" {
		p.System = []sdk.TextBlockParam{{Text: system, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		tool := &sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](wire.Parameters(t))}
		if t.Description != "" {
			tool.Description = param.NewOpt(t.Description)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: tool})
	}
	p.OutputConfig.Effort = sdk.OutputConfigEffort(r.Effort)
	if r.Effort == "minimal" { // which Anthropic does not know
		p.OutputConfig.Effort = sdk.OutputConfigEffortLow
	}
	if extra := further(r); len(extra) > 0 {
		p.SetExtraFields(extra)
	}
	return p
}

// further are the fields of the request's body that the SDK has no names for.
// Not every model takes them.
func further(r *llm.Request) map[string]any {
	extra := map[string]any{}
	if r.Temperature != nil {
		extra["temperature"] = *r.Temperature
	}
	if r.TopP != nil {
		extra["top_p"] = *r.TopP
	}
	maps.Copy(extra, r.Extra)
	return extra
}

var stops = map[string]llm.Stop{
	"end_turn": llm.End, "stop_sequence": llm.End, "tool_use": llm.ToolCalls, "max_tokens": llm.Length,
	"model_context_window_exceeded": llm.Length, "refusal": llm.Refusal, "pause_turn": llm.Paused,
}

func read(r *llm.Request, res *sdk.Message) *llm.Response {
	out := &llm.Response{Reason: string(res.StopReason), Model: res.Model, ID: res.ID, Usage: usage(&res.Usage)}
	text, calls, thinks := said(res.Content)
	wire.Identify(r, calls)
	out.Message = llm.Message{Role: chat.Assistant, Text: text, Calls: calls}
	if thinks {
		out.Message.Thought = json.RawMessage(res.JSON.Content.Raw())
	}
	out.Stop = wire.Stop(stops, out.Reason, calls)
	return out
}

// said is what blocks say: text and calls, and whether there are thoughts.
func said(blocks []sdk.ContentBlockUnion) (text string, calls []llm.Call, thinks bool) {
	for i := range blocks {
		switch b := &blocks[i]; b.Type {
		case "text":
			text += b.Text
		case "tool_use":
			calls = append(calls, wire.Call(b.ID, b.Name, string(b.Input)))
		case thinking, redacted:
			thinks = true
		}
	}
	return text, calls, thinks
}

// usage counts tokens: those of the provider's cache are counted apart there.
func usage(u *sdk.Usage) llm.Usage {
	return llm.Usage{
		Input: u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens, Cached: u.CacheReadInputTokens,
		Written: u.CacheCreationInputTokens,
		Output:  u.OutputTokens, Reasoning: u.OutputTokensDetails.ThinkingTokens, Calls: 1,
	}
}
