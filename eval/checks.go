package eval

import (
	"strings"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// CheckActions matches each gold action against all calls of a conversation,
// whoever made them.
func CheckActions(d *env.Domain, actions []tau.Action, messages []chat.Message) []ActionCheck {
	var calls []call
	for i := range messages {
		for c := range messages[i].ToolCalls {
			tc := &messages[i].ToolCalls[c]
			calls = append(calls, call{tc.Name, tc.Args()})
		}
	}
	checks := make([]ActionCheck, len(actions))
	for i := range actions {
		match := anyCall(calls, &actions[i])
		checks[i] = ActionCheck{Match: match, Reward: factor(match)}
		if spec := d.Tool(actions[i].Name); spec != nil {
			checks[i].ToolType = strings.ToLower(string(spec.Type))
		}
	}
	return checks
}

type call struct {
	name string
	args *pyjson.Object
}

func anyCall(calls []call, a *tau.Action) bool {
	want := a.Args()
	for i := range calls {
		if calls[i].name == a.Name && sameArguments(&calls[i], want, a.CompareArgs) {
			return true
		}
	}
	return false
}

// sameArguments compares the named arguments; nil names those that the call
// has, so a call without arguments matches any action of its tool. Values are
// compared as Python does: 1 equals 1.0 and True.
func sameArguments(c *call, want *pyjson.Object, names []string) bool {
	if names == nil {
		names = c.args.Keys()
	}
	for _, n := range names {
		got, ok := c.args.Get(n)
		w, wanted := want.Get(n)
		if ok != wanted || ok && !pyjson.Equal(got, w) {
			return false
		}
	}
	return true
}

// CheckCommunicated looks for each string in the assistant's texts: lower case
// on both sides, commas removed from the text only.
func CheckCommunicated(info []string, messages []chat.Message) []TextCheck {
	var texts []string
	for i := range messages {
		if messages[i].Role == chat.Assistant && hasText(messages[i].Body()) {
			texts = append(texts, strings.ReplaceAll(pyjson.Lower(messages[i].Body()), ",", ""))
		}
	}
	checks := make([]TextCheck, len(info))
	for i, s := range info {
		checks[i].Text = s
		for _, t := range texts {
			checks[i].Met = checks[i].Met || strings.Contains(t, pyjson.Lower(s))
		}
	}
	return checks
}

func hasText(s string) bool { return pyjson.Strip(s) != "" }

func allMet(checks []TextCheck) bool {
	for _, c := range checks {
		if !c.Met {
			return false
		}
	}
	return true
}
