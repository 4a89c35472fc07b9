package connect

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"taste/internal/hint"
)

// Spec is what a specification says.
type Spec struct {
	Provider string // openai, openai-responses, azure, azure-responses, anthropic, google; url
	Model    string // as the provider spells it
	URL      string // of a url's server, up to the version
}

// providers are the words that begin specifications.
var providers = []string{"openai", "openai-responses", "azure", "azure-responses", "anthropic", "google"}

// byURL is the provider of servers that are given by their address.
const byURL = "url"

// unsupported are providers that people may ask for.
var unsupported = map[string]string{
	"bedrock": "use the provider's own interface, or a gateway that speaks Chat Completions: http://HOST/v1#MODEL",
	"vertex":  "use google/MODEL with a key of the Gemini API, or a gateway that speaks Chat Completions: http://HOST/v1#MODEL",
	"gemini":  "Gemini is google/MODEL",
	"claude":  "Claude is anthropic/MODEL",
}

const forms = "want openai/MODEL, openai-responses/MODEL, azure/DEPLOYMENT, azure-responses/DEPLOYMENT, anthropic/MODEL, google/MODEL or http://HOST/v1#MODEL"

// Parse reads a specification.
func Parse(text string) (Spec, error) {
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
		return parseURL(text)
	}
	provider, model, _ := strings.Cut(text, "/")
	if slices.Contains(providers, provider) && model != "" {
		return Spec{Provider: provider, Model: model}, nil
	}
	if advice, ok := unsupported[provider]; ok {
		return Spec{}, hint.Add(fmt.Errorf("read model %q: %s is not supported", text, provider), "%s", advice)
	}
	return Spec{}, fmt.Errorf("read model %q: %s", text, forms)
}

func parseURL(text string) (Spec, error) {
	bad := func(why string) (Spec, error) { return Spec{}, fmt.Errorf("read model %q: %s", text, why) }
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Spec{}, errors.New("read model: the address cannot be read") // a password may stand in it
	case u.User != nil || u.RawQuery != "":
		return Spec{}, hint.Add(errors.New("read model: the address holds a password or a query"),
			"models are named in files: put keys into the environment (%s)", keyOf[byURL][0])
	case u.Host == "":
		return bad("the address has no host")
	case u.Fragment == "":
		return bad("the model stands after #, as in http://localhost:8000/v1#MODEL")
	}
	model := u.Fragment
	u.Fragment, u.RawFragment = "", ""
	return Spec{Provider: byURL, Model: model, URL: strings.TrimRight(u.String(), "/")}, nil
}

// Name is what the model is known by: the specification.
func (s Spec) Name() string {
	if s.Provider == byURL {
		return s.URL + "#" + s.Model
	}
	return s.Provider + "/" + s.Model
}

// settings is the key under which the configuration has the provider.
func (s Spec) settings() string {
	if s.Provider == byURL {
		return s.URL
	}
	return strings.TrimSuffix(s.Provider, "-responses")
}

// Player is who plays a role: rules, a model, or rules for what is certain and a
// model for the rest.
type Player struct {
	Rules bool
	Model string // a specification; "": none
}

// ParsePlayer reads "rules", a specification, or "rules+" and a specification.
func ParsePlayer(text string) (Player, error) {
	if text == "rules" {
		return Player{Rules: true}, nil
	}
	model, mixed := strings.CutPrefix(text, "rules+")
	if _, err := Parse(model); err != nil {
		return Player{}, err
	}
	return Player{Rules: mixed, Model: model}, nil
}
