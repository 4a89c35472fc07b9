package openai

import (
	"net/http"
	"slices"

	"github.com/openai/openai-go/v3/option"

	"taste/llm/internal/wire"
)

// Options say how a server is reached. Nothing is read from the environment.
type Options struct {
	BaseURL      string            // with the version, e.g. https://api.openai.com/v1
	Key          string            // "": none is sent
	KeyHeader    string            // the header of the key; "": Authorization, as a bearer's
	Organization string            // "": the key's
	Project      string            // "": the key's
	APIVersion   string            // sent as the query's api-version; "": none
	Headers      map[string]string // further headers
	SchemaInText bool              // the server takes no schemas: they go to the system text
	MaxTokens    bool              // the server knows max_tokens, not max_completion_tokens
	Transport    http.RoundTripper // nil: one that keeps many connections
}

// OpenAI is where OpenAI itself is.
const OpenAI = "https://api.openai.com/v1"

// request makes the SDK's options. It is not asked to make a client, which would
// read the environment, nor to try again.
func (o *Options) request() []option.RequestOption {
	out := []option.RequestOption{
		option.WithBaseURL(o.BaseURL),
		option.WithHTTPClient(wire.Client(o.Transport)),
		option.WithMaxRetries(0),
	}
	switch {
	case o.Key == "":
	case o.KeyHeader != "":
		out = append(out, option.WithHeader(o.KeyHeader, o.Key))
	default:
		out = append(out, option.WithAPIKey(o.Key))
	}
	if o.Organization != "" {
		out = append(out, option.WithOrganization(o.Organization))
	}
	if o.Project != "" {
		out = append(out, option.WithProject(o.Project))
	}
	if o.APIVersion != "" {
		out = append(out, option.WithQuery("api-version", o.APIVersion))
	}
	for _, name := range wire.Names(o.Headers) {
		out = append(out, option.WithHeader(name, o.Headers[name]))
	}
	return slices.Clip(out)
}

// dialect is what OpenAI enforces in strict mode.
var dialect = wire.Dialect{Keywords: []string{
	"const", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
}}
