package scripted

import (
	"encoding/json"
	"strings"

	"taste/chat"
	"taste/llm"
)

// view is what conditions and templates see of a request.
type view struct {
	Role   string // of the prompt, by its first line; "" where it has none
	Model  string
	System string
	User   string // the last text of the user
	Last   string // the text of the last message
	From   string // who wrote it
	After  string // the tool that it answers
	Turns  int    // answers in the conversation so far
	Input  any    // the JSON between <input> and </input>, where our prompts show what they are about

	text    string // system text and messages
	asked   int    // how often just this was asked, now included
	request *llm.Request
}

// look makes the view of a request.
func look(r *llm.Request) *view {
	v := &view{Role: role(r), Model: r.Model, System: r.System, request: r}
	texts := []string{r.System}
	tools := map[string]string{} // by the id of a call
	for i := range r.Messages {
		m := &r.Messages[i]
		texts = append(texts, m.Text)
		v.Last, v.From, v.After = m.Text, m.Role, tools[m.CallID]
		switch m.Role {
		case chat.User:
			v.User = m.Text
		case chat.Assistant:
			v.Turns++
		}
		for _, c := range m.Calls {
			tools[c.ID] = c.Name
		}
	}
	v.text = strings.Join(texts, "\n")
	v.Input = input(v.text)
	return v
}

// input reads what a prompt is about; nil where it does not say.
func input(text string) any {
	_, rest, _ := strings.Cut(text, "<input>")
	body, _, ok := strings.Cut(rest, "</input>")
	if !ok {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var out any
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}
