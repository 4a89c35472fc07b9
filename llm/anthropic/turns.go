package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wire"
)

// Types of blocks that are thoughts.
const (
	thinking = "thinking"
	redacted = "redacted_thinking"
)

// turns are the messages of a request. Answers of tools are blocks of the user's
// message; what follows one another from the user is one message.
func turns(r *llm.Request) []sdk.MessageParam {
	var out []sdk.MessageParam
	for i := range r.Messages {
		m := &r.Messages[i]
		if m.Role == chat.Assistant {
			blocks := answer(m)
			if len(blocks) > 0 && len(out) == 0 {
				out = append(out, sdk.NewUserMessage(sdk.NewTextBlock(wire.Opening)))
			}
			if len(blocks) > 0 { // none are not taken
				out = append(out, sdk.NewAssistantMessage(blocks...))
			}
			continue
		}
		block := userBlock(m)
		if n := len(out); n > 0 && out[n-1].OfUser != nil {
			out[n-1].OfUser.Content = append(out[n-1].OfUser.Content, block)
			continue
		}
		out = append(out, sdk.NewUserMessage(block))
	}
	return out
}

// nothing stands for a text without a word, which is not taken.
const nothing = "(nothing)"

func userBlock(m *llm.Message) sdk.ContentBlockParamUnion {
	switch {
	case m.Role != chat.Tool && strings.TrimSpace(m.Text) == "":
		return sdk.NewTextBlock(nothing)
	case m.Role != chat.Tool:
		return sdk.NewTextBlock(m.Text)
	}
	b := &sdk.ToolResultBlockParam{ToolUseID: m.CallID}
	if m.Failed {
		b.IsError = param.NewOpt(true)
	}
	if strings.TrimSpace(m.Text) != "" {
		b.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: m.Text}}}
	}
	return sdk.ContentBlockParamUnion{OfToolResult: b}
}

// answer is an earlier answer: to the letter where its blocks were kept and
// nothing was changed since, else its thoughts and what it says by now.
func answer(m *llm.Message) []sdk.ContentBlockParamUnion {
	raw, same := kept(m)
	var out []sdk.ContentBlockParamUnion
	for _, block := range raw {
		out = append(out, param.Override[sdk.ContentBlockParamUnion](block))
	}
	if same {
		return out
	}
	if strings.TrimSpace(m.Text) != "" {
		out = append(out, sdk.NewTextBlock(m.Text))
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		out = append(out, sdk.NewToolUseBlock(c.ID, wire.Arguments(c), c.Name))
	}
	return out
}

// kept are the blocks that were kept of an answer: all, where they say the same
// as the message, else the thoughts. What another provider kept is passed over.
func kept(m *llm.Message) (raw []json.RawMessage, same bool) {
	var blocks []sdk.ContentBlockUnion
	if len(m.Thought) == 0 || json.Unmarshal(m.Thought, &raw) != nil || json.Unmarshal(m.Thought, &blocks) != nil {
		return nil, false
	}
	text, calls, thinks := said(blocks)
	if !thinks {
		return nil, false
	}
	if text == m.Text && wire.Same(calls, m.Calls) {
		return raw, true
	}
	var thoughts []json.RawMessage
	for i := range blocks {
		if blocks[i].Type == thinking || blocks[i].Type == redacted {
			thoughts = append(thoughts, raw[i])
		}
	}
	return thoughts, false
}
