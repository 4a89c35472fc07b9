package airline

import "taste/domain/builtin"

// Upstream is the part of a pack's manifest that names the airline's own files
// in a checkout of τ²-bench (see env.Import).
const Upstream = `{"policy": ["policy.md"], "databases": {"agent": "db.json"}, "clock": "` + now + `"}`

// Tools returns the content of the domain's file of tool specifications.
func Tools() []byte { return []byte(files.Text(builtin.ToolsFile)) }
