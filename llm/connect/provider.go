package connect

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"taste/internal/hint"
	"taste/llm"
	"taste/llm/anthropic"
	"taste/llm/gemini"
	"taste/llm/openai"
)

// Where the environment has keys and addresses, by provider: the first that is
// set counts.
var (
	keyOf = map[string][]string{
		"openai": {"OPENAI_API_KEY"}, "azure": {"AZURE_OPENAI_API_KEY"}, "anthropic": {"ANTHROPIC_API_KEY"},
		"google": {"GEMINI_API_KEY", "GOOGLE_API_KEY"}, byURL: {"TASTE_LLM_API_KEY"},
	}
	addressOf = map[string][]string{
		"openai": {"OPENAI_BASE_URL"}, "azure": {"AZURE_OPENAI_ENDPOINT"}, "anthropic": {"ANTHROPIC_BASE_URL"},
		"google": {"GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"},
	}
	addresses = map[string]string{"openai": openai.OpenAI, "anthropic": anthropic.Anthropic, "google": gemini.Google}
)

// reached is how a model is reached, all looked up.
type reached struct {
	Provider
	spec    Spec
	key     string
	secrets []string // that no error may show
}

// look looks up what the configuration leaves to the environment.
func (c *Connector) look(s Spec) (*reached, error) {
	r := &reached{Provider: c.config.Providers[s.settings()], spec: s}
	family := s.settings()
	if s.Provider == byURL {
		family, r.BaseURL = byURL, s.URL
	}
	env := func(names []string) string {
		for _, name := range names {
			if v := c.deps.Getenv(name); v != "" {
				return v
			}
		}
		return ""
	}
	r.BaseURL = cmp.Or(r.BaseURL, env(addressOf[family]), addresses[family])
	names := keyOf[family]
	if r.KeyEnv != "" {
		names = []string{r.KeyEnv}
	}
	r.key = strings.TrimSpace(env(names))
	if family == "openai" {
		r.Organization = cmp.Or(r.Organization, c.deps.Getenv("OPENAI_ORG_ID"))
		r.Project = cmp.Or(r.Project, c.deps.Getenv("OPENAI_PROJECT_ID"))
	}
	if family == "azure" {
		r.APIVersion = cmp.Or(r.APIVersion, c.deps.Getenv("AZURE_OPENAI_API_VERSION"))
	}
	r.secrets = append(r.secrets, r.key)
	for _, other := range keyOf { // a gateway may know those, too
		for _, name := range other {
			r.secrets = append(r.secrets, strings.TrimSpace(c.deps.Getenv(name)))
		}
	}
	return r, r.resolve(c.deps.Getenv, family, names[0])
}

// resolve fills in headers, and refuses what cannot work.
func (r *reached) resolve(getenv func(string) string, family, keyName string) error {
	headers := map[string]string{}
	for name, v := range r.Headers {
		if variable, ok := strings.CutPrefix(v, "$"); ok {
			if v = getenv(variable); v == "" {
				return fmt.Errorf("reach %s: header %s: the environment has no %s", r.spec.Name(), name, variable)
			}
			r.secrets = append(r.secrets, v)
		}
		headers[name] = v
	}
	r.Headers = headers
	u, err := url.Parse(r.BaseURL)
	switch {
	case r.BaseURL == "":
		return hint.Add(fmt.Errorf("reach %s: its address is not known", r.spec.Name()),
			"set %s, or providers.%s.base_url in the file of models", addressOf[family][0], family)
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "":
		return fmt.Errorf("reach %s: the base URL is not like https://HOST/PATH", r.spec.Name())
	case r.key == "" && (r.KeyEnv != "" || family != byURL && !local(u.Hostname())):
		return hint.Add(fmt.Errorf("reach %s: there is no key", r.spec.Name()), "set %s in the environment", keyName)
	}
	return nil
}

// local says whether a host is this machine, whose servers need no key.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// model makes the adapter.
func (r *reached) model(base http.RoundTripper) (llm.Model, error) {
	name := r.spec.Name()
	inText := r.Schemas != nil && !*r.Schemas
	switch r.spec.Provider {
	case "anthropic":
		return anthropic.Model(name, anthropic.Options{
			BaseURL: strings.TrimSuffix(strings.TrimRight(r.BaseURL, "/"), "/v1"), Key: r.key, APIVersion: r.APIVersion,
			Headers: r.Headers, SchemaInText: inText, Transport: base,
		}), nil
	case "google":
		return gemini.Model(name, gemini.Options{
			BaseURL: r.BaseURL, Key: cmp.Or(r.key, "none"), APIVersion: r.APIVersion,
			Headers: r.Headers, SchemaInText: inText, Transport: base,
		})
	}
	o := openai.Options{
		BaseURL: r.BaseURL, Key: r.key, Organization: r.Organization, Project: r.Project, APIVersion: r.APIVersion,
		Headers: r.Headers, SchemaInText: inText, Transport: base,
	}
	if r.spec.settings() == "azure" {
		o.KeyHeader, o.BaseURL = "Api-Key", r.azure()
	}
	if r.spec.Provider == byURL { // nobody knows what such a server can do: what all can is asked for
		o.MaxTokens = true
		o.SchemaInText = r.Schemas == nil || inText
	}
	if strings.HasSuffix(r.spec.Provider, "-responses") {
		return openai.Responses(name, o), nil
	}
	return openai.Chat(name, o), nil
}

// azure is the address of a deployment: of the interface that names a version, or
// of the one that does not.
func (r *reached) azure() string {
	base := strings.TrimRight(r.BaseURL, "/")
	switch {
	case strings.HasSuffix(base, "/openai/v1"):
		return base
	case r.APIVersion != "" && r.spec.Provider == "azure":
		return strings.TrimSuffix(base, "/openai") + "/openai/deployments/" + url.PathEscape(r.spec.Model)
	case r.APIVersion != "":
		return strings.TrimSuffix(base, "/openai") + "/openai"
	}
	return strings.TrimSuffix(base, "/openai") + "/openai/v1"
}
