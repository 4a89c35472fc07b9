package chat

// Part is a message that stands alone: the answers of a bundle are parts of their
// own.
type Part struct {
	*Message
	Index   int       // place of the message, or of its bundle, in the conversation
	Answers *ToolCall // the call that a tool message answers; nil where none waits for it
	Number  int       // of that call in its message, from 1; 0 where it is the only one
}

// Parts takes a conversation apart and finds the call behind each answer: of the
// calls that wait, the first of its id.
func Parts(messages []Message) []Part {
	var out []Part
	var waiting []Part // calls as Answers and Number
	for i := range messages {
		m := &messages[i]
		for c := range m.ToolCalls {
			p := Part{Answers: &m.ToolCalls[c]}
			if len(m.ToolCalls) > 1 {
				p.Number = c + 1
			}
			waiting = append(waiting, p)
		}
		if m.ToolMessages == nil {
			out = append(out, part(m, i, &waiting))
		}
		for t := range m.ToolMessages {
			out = append(out, part(&m.ToolMessages[t], i, &waiting))
		}
	}
	return out
}

func part(m *Message, index int, waiting *[]Part) Part {
	p := Part{Message: m, Index: index}
	if m.Role != Tool {
		return p
	}
	for i, w := range *waiting {
		if w.Answers.ID == m.ID && w.Answers.Owner() == orAssistant(m.Requestor) {
			p.Answers, p.Number = w.Answers, w.Number
			*waiting = append((*waiting)[:i], (*waiting)[i+1:]...)
			return p
		}
	}
	return p
}
