package run

// Cast says who plays the roles of a run in which language models take part. All
// of it changes what the run comes to.
type Cast struct {
	Roles   map[string]string         `json:"roles"`             // by role: rules, a model, or rules+MODEL
	Judges  []string                  `json:"judges,omitempty"`  // who reviews tasks together, in the place of the reviewer
	Audit   float64                   `json:"audit,omitempty"`   // share of what rules are certain of about which the judge is asked all the same
	Options map[string]map[string]any `json:"options,omitempty"` // by role: what its calls ask for
	Prompts map[string]string         `json:"prompts"`           // SHA-256 of the prompts, by name and version
}

// Player is who plays a role; without a cast rules play all.
func (c *Cast) Player(role string) string {
	if c == nil || c.Roles[role] == "" {
		return Rules
	}
	return c.Roles[role]
}

// Rules is the player that is no model.
const Rules = "rules"
