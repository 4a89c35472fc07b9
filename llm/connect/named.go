package connect

import "maps"

// Asks is what a role asks of its model, by the names of settings, with further
// fields beside them: what records and manifests say of it.
func (c *Config) Asks(role string) map[string]any {
	return c.Roles[role].over(c.Options).named()
}

func (o Options) named() map[string]any {
	out := maps.Clone(o.Extra)
	if out == nil {
		out = map[string]any{}
	}
	if o.Temperature != nil {
		out["temperature"] = *o.Temperature
	}
	if o.TopP != nil {
		out["top_p"] = *o.TopP
	}
	if o.MaxTokens != nil {
		out["max_tokens"] = *o.MaxTokens
	}
	if o.Effort != "" {
		out["effort"] = o.Effort
	}
	return out
}

// Options are what the model fills in, by name: what records of conversations
// say of it.
func (m *filled) Options() map[string]any { return m.options.named() }
