package mock

import _ "embed"

// Upstream is the part of a pack's manifest that names the domain's own files in
// a checkout of τ²-bench (see env.Import).
const Upstream = `{"policy": ["policy.md"], "databases": {"agent": "db.json", "user": "user_db.json"}, "policy_solo": ["policy_solo.md"]}`

//go:embed tools.json
var tools []byte

// Tools returns the content of the domain's file of tool specifications.
func Tools() []byte { return tools }
