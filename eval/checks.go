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
	calls := callsOf(messages)
	checks := make([]ActionCheck, len(actions))
	for i := range actions {
		match := anyCall(calls, &actions[i])
		checks[i] = ActionCheck{Action: &actions[i], Match: match, Reward: factor(match)}
		if spec := d.Tool(actions[i].Name); spec != nil {
			checks[i].ToolType = strings.ToLower(string(spec.Type))
		}
	}
	return checks
}

type call struct {
	message int // its place in the conversation
	owner   string
	name    string
	args    *pyjson.Object
}

func callsOf(messages []chat.Message) []call {
	var calls []call
	for i := range messages {
		for c := range messages[i].ToolCalls {
			tc := &messages[i].ToolCalls[c]
			calls = append(calls, call{i, tc.Owner(), tc.Name, tc.Args()})
		}
	}
	return calls
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
	texts := spoken(messages)
	checks := make([]TextCheck, len(info))
	for i, s := range info {
		checks[i] = TextCheck{Text: s, Justification: "Information '" + s + "' not communicated."}
		if at := said(pyjson.Lower(s), texts); at >= 0 {
			checks[i].Met = true
			checks[i].Justification = "Information '" + s + "' communicated in the message:\n '" + messages[at].Body() + "'"
		}
	}
	return checks
}

// utterance is a text of the assistant as it is searched: lower case, without
// commas.
type utterance struct {
	message int
	text    string
}

func spoken(messages []chat.Message) []utterance {
	var out []utterance
	for i := range messages {
		if m := &messages[i]; m.Role == chat.Assistant && hasText(m.Body()) {
			out = append(out, utterance{i, strings.ReplaceAll(pyjson.Lower(m.Body()), ",", "")})
		}
	}
	return out
}

// said returns the place of the first message that holds a text, -1 for none.
func said(lowered string, texts []utterance) int {
	for _, u := range texts {
		if strings.Contains(u.text, lowered) {
			return u.message
		}
	}
	return -1
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
