package llm

import (
	"cmp"
	"encoding/json"
)

const (
	bytesPerToken = 4    // of English text and JSON, as tokenisers of the known providers have it
	usualAnswer   = 8192 // tokens that an answer may take where the request sets no limit
)

// Guess returns what a call will take at most, before it is made: its input at
// four bytes a token, none of it cached and all of it to be, its output as far as
// MaxTokens lets it.
func Guess(r *Request) Usage {
	in := tokensOf(r)
	return Usage{Input: in, Written: in, Output: cmp.Or(int64(r.MaxTokens), usualAnswer), Calls: 1}
}

// tokensOf estimates the input of a request. What never fails to be written
// counts as it is written; the rest of the request is next to nothing.
func tokensOf(r *Request) int64 {
	size := len(r.System)
	for i := range r.Messages {
		m := &r.Messages[i]
		size += len(m.Text) + len(m.Thought) + len(m.CallID)
		for j := range m.Calls {
			c := &m.Calls[j]
			size += len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Bad)
		}
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		size += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	if r.Schema != nil {
		size += len(r.Schema.JSON)
	}
	if len(r.Extra) > 0 {
		extra, _ := json.Marshal(r.Extra) // what has no JSON form is refused when it is sent
		size += len(extra)
	}
	return int64((size + bytesPerToken - 1) / bytesPerToken)
}
