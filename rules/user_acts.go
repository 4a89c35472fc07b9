package rules

import (
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/phrase"
)

// What agents ask of customers who have tools, and what these say about it. A
// tool that takes a customer's consent has an act of its name behind willPrefix
// in the book: only who has it in the scenario uses the tool.
const (
	asksToDo     = "please_do"
	walksThrough = "walk_through"
	asksToCheck  = "check_again"
	forPeople    = "for_people"

	saysReading = "reports"
	saysHow     = "ask_how"
	saysWorks   = "works_now"
	saysBroken  = "still_broken"

	willPrefix     = "will_"
	conductTest    = "goes_by"
	personaHandy   = "handy"
	personaUnhandy = "unhandy"
)

// hands is what a customer does with tools of her own: one call at a time, and
// only when asked.
type hands struct {
	tools   map[string]bool // that she has
	unhandy bool            // she asks how to use each of them once
	shown   map[string]bool // tools that she did not have to ask about any more
	doing   *chat.ToolCall  // the call whose answer she waits for
	testing *errand         // the errand that the call is a test of, nil for none
	made    int             // calls
}

func newHands(tools []chat.ToolSpec, persona string) hands {
	h := hands{tools: map[string]bool{}, shown: map[string]bool{}, unhandy: persona == personaUnhandy}
	for _, t := range tools {
		h.tools[t.Name] = true
	}
	return h
}

// handle deals with what a message asks the customer to do: a call that she makes
// now, or acts that she answers with; neither where nothing is asked for.
func (u *customer) handle(h heard) (*chat.ToolCall, []phrase.Act) {
	var asked []phrase.Act
	for _, a := range h.acts {
		if a.Name == asksToDo || a.Name == walksThrough || a.Name == asksToCheck {
			asked = append(asked, a)
		}
	}
	switch {
	case len(asked) == 0:
		return nil, nil
	case len(asked) > 1:
		return nil, []phrase.Act{phrase.New("one_at_a_time")}
	case asked[0].Name == asksToCheck:
		return u.test(asked[0].Str("wish"))
	case u.current().balks:
		u.current().balks = false
		return nil, []phrase.Act{phrase.New(saysSupervisor)}
	}
	return u.tryCall(asked[0].Str("call"), asked[0].Name == walksThrough)
}

// tryCall makes a call, unless she has no such tool, is not willing, or has to ask
// how it is done.
func (u *customer) tryCall(text string, shows bool) (*chat.ToolCall, []phrase.Act) {
	call, ok := readCall(text)
	switch {
	case !ok || !u.tools[call.Name]:
		return nil, []phrase.Act{phrase.New("no_such_tool")}
	case !u.willing(call.Name):
		return nil, []phrase.Act{phrase.New("wont_do")}
	case u.unhandy && !u.shown[call.Name] && !shows:
		u.shown[call.Name] = true
		return nil, []phrase.Act{phrase.New(saysHow)}
	}
	u.shown[call.Name] = true
	return u.use(call, nil), nil
}

// willing tells whether she uses a tool: one that takes consent only if she was
// told that she is.
func (u *customer) willing(tool string) bool {
	if u.book.Spec(willPrefix+tool) == nil {
		return true
	}
	return slices.ContainsFunc(u.errands, func(e *errand) bool { return e.conducts(willPrefix+tool) != nil })
}

// conducts finds what the customer was told to do about an errand, nil if nothing.
func (e *errand) conducts(act string) *phrase.Act {
	i := slices.IndexFunc(e.Conduct, func(a phrase.Act) bool { return a.Name == act })
	if i < 0 {
		return nil
	}
	return &e.Conduct[i]
}

// test sees for herself whether a wish has its outcome: by the call that she goes
// by, else she takes the agent's word.
func (u *customer) test(wish string) (*chat.ToolCall, []phrase.Act) {
	e := u.current()
	if u.over() || e.Wish.Name != wish {
		return nil, nil
	}
	by := e.conducts(conductTest)
	if by == nil {
		e.closed = true
		return nil, append([]phrase.Act{phrase.New(saysWorks)}, u.next()...)
	}
	call, ok := readCall(by.Str("call"))
	if !ok || !u.tools[call.Name] {
		return nil, []phrase.Act{phrase.New(saysBroken)}
	}
	return u.use(call, e), nil
}

func (u *customer) use(call chat.ToolCall, testing *errand) *chat.ToolCall {
	u.made++
	call.ID, call.Requestor = fmt.Sprintf("user_call_%d", u.made), chat.User
	u.doing, u.testing = &call, testing
	return &call
}

// read says what a call of hers has shown: its answer word for word, or what it
// means for what she tests.
func (u *customer) read(answer string) []phrase.Act {
	e := u.testing
	u.doing, u.testing = nil, nil
	switch {
	case e == nil:
		return []phrase.Act{phrase.New(saysReading, "text", readable(answer))}
	case !strings.Contains(answer, e.conducts(conductTest).Str("shown")):
		return []phrase.Act{phrase.New(saysBroken)}
	}
	e.closed = true
	return append([]phrase.Act{phrase.New(saysWorks)}, u.next()...)
}

// readable makes an answer one that can be quoted.
func readable(answer string) string {
	if strings.TrimSpace(answer) == "" {
		return "(nothing)"
	}
	return strings.NewReplacer("“", `"`, "”", `"`).Replace(answer)
}
