package telecom

import "taste/domain/builtin"

// Upstream is the part of a pack's manifest that names the domain's own files in
// a checkout of τ²-bench (see env.Import).
const Upstream = `{
 "policy": [{"file": "main_policy.md", "tag": "main_policy"}, {"file": "tech_support_manual.md", "tag": "tech_support_policy"}],
 "policy_workflow": [{"file": "main_policy.md", "tag": "main_policy"}, {"file": "tech_support_workflow.md", "tag": "tech_support_policy"}],
 "policy_solo": [{"file": "main_policy_solo.md", "tag": "main_policy"}, {"file": "tech_support_manual.md", "tag": "tech_support_policy"}],
 "policy_workflow_solo": [{"file": "main_policy_solo.md", "tag": "main_policy"}, {"file": "tech_support_workflow_solo.md", "tag": "tech_support_policy"}],
 "databases": {"agent": "db.toml", "user": "user_db.toml"},
 "clock": "` + now + `"
}`

// Tools returns the content of the domain's file of tool specifications.
func Tools() []byte { return []byte(files.Text(builtin.ToolsFile)) }
