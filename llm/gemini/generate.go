package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"

	"google.golang.org/genai"

	"taste/llm"
	"taste/llm/internal/wire"
)

// Options say how the provider is reached. Nothing is read from the environment.
type Options struct {
	BaseURL      string            // without the version, e.g. https://generativelanguage.googleapis.com
	Key          string            // has to be there
	APIVersion   string            // "": v1beta
	Headers      map[string]string // further headers
	SchemaInText bool              // the model takes no schemas: they go to the system text
	Transport    http.RoundTripper // nil: one that keeps many connections
}

// Google is where Google itself is.
const Google = "https://generativelanguage.googleapis.com"

// Model makes a model behind generateContent; name is what it is known by.
// Signatures of thoughts are kept with the parts that carry them, and handed back
// on later turns.
func Model(name string, o Options) (llm.Model, error) {
	if o.BaseURL == "" || o.Key == "" { // the SDK would look into the environment
		return nil, errors.New("make client: an address and a key are needed")
	}
	headers := http.Header{}
	for _, name := range wire.Names(o.Headers) {
		headers.Set(name, o.Headers[name])
	}
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey: o.Key, Backend: genai.BackendGeminiAPI, HTTPClient: wire.Client(o.Transport),
		HTTPOptions: genai.HTTPOptions{BaseURL: o.BaseURL, APIVersion: o.APIVersion, Headers: headers},
	})
	if err != nil {
		return nil, errors.New("make client: " + strings.ReplaceAll(err.Error(), o.Key, "[key]"))
	}
	return &model{name, o, client}, nil
}

type model struct {
	name    string
	options Options
	client  *genai.Client
}

func (m *model) Name() string { return m.name }

func (m *model) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	ctx, body := wire.Keep(ctx)
	res, err := m.client.Models.GenerateContent(ctx, r.Model, nil, m.config(r))
	if err != nil {
		return nil, wire.Fault(ctx, m.name, err)
	}
	out, err := read(r, res, *body)
	if err != nil {
		return nil, wire.Fault(ctx, m.name, err)
	}
	return out, nil
}

// dialect is what Gemini reads of schemas.
var dialect = wire.Dialect{Keywords: []string{"format", "minimum", "maximum", "minItems", "maxItems"}, Open: true, Optional: true}

// config is the request in the SDK's form, but for what it would not keep as it
// is: see body.
func (m *model) config(r *llm.Request) *genai.GenerateContentConfig {
	c := &genai.GenerateContentConfig{MaxOutputTokens: int32(min(r.MaxTokens, 1<<31-1))}
	if r.Temperature != nil {
		c.Temperature = genai.Ptr(float32(*r.Temperature))
	}
	if r.TopP != nil {
		c.TopP = genai.Ptr(float32(*r.TopP))
	}
	if r.Seed != nil {
		c.Seed = genai.Ptr(int32(*r.Seed)) // 32 bits are all that is taken
	}
	if r.Effort != "" {
		c.ThinkingConfig = &genai.ThinkingConfig{ThinkingLevel: genai.ThinkingLevel(strings.ToUpper(r.Effort))}
	}
	var schema json.RawMessage
	if r.Schema != nil && !m.options.SchemaInText && len(r.Tools) == 0 { // many models do not take both
		schema = dialect.Fit(r.Schema)
	}
	if schema != nil {
		c.ResponseMIMEType = "application/json"
	}
	if system := wire.System(r, schema == nil); system != "" {
		c.SystemInstruction = genai.NewContentFromText(system, "")
	}
	c.HTTPOptions = &genai.HTTPOptions{ExtrasRequestProvider: func(body map[string]any) map[string]any { return complete(body, r, schema) }}
	return c
}

// complete puts into the body what has to stay as it is: schemas with the order
// of their members, and the conversation with the numbers in it.
func complete(body map[string]any, r *llm.Request, schema json.RawMessage) map[string]any {
	body["contents"] = contents(r)
	if len(r.Tools) > 0 {
		declared := make([]any, len(r.Tools))
		for i := range r.Tools {
			t := &r.Tools[i]
			declared[i] = map[string]any{"name": t.Name, "description": t.Description, "parametersJsonSchema": wire.Parameters(t)}
		}
		body["tools"] = []any{map[string]any{"functionDeclarations": declared}}
	}
	settings, _ := body[generation].(map[string]any)
	if settings == nil {
		settings = map[string]any{}
	}
	if schema != nil {
		settings["responseJsonSchema"] = schema
	}
	extra := maps.Clone(r.Extra)
	if further, ok := extra[generation].(map[string]any); ok { // beside what stands there
		maps.Copy(settings, further)
		delete(extra, generation)
	}
	if len(settings) > 0 {
		body[generation] = settings
	}
	maps.Copy(body, extra)
	return body
}

const generation = "generationConfig"
