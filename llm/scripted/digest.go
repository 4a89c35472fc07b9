package scripted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"taste/llm"
)

// sum is a hash of what a request says. The trial is left out: it is never
// sent, and over the wire nobody knows it.
func sum(r *llm.Request, salt string) [sha256.Size]byte {
	said := *r
	said.Trial = 0
	text, err := json.Marshal(&said)
	if err != nil { // raw JSON in it that is none
		text = []byte(err.Error())
	}
	return sha256.Sum256(append(text, salt...))
}

// digest is a short one, for ids: the same request gets the same answer to the
// byte.
func digest(r *llm.Request) string {
	s := sum(r, "")
	return hex.EncodeToString(s[:8])
}

// fraction maps a request to [0, 1), differently for each salt.
func fraction(r *llm.Request, salt string) float64 {
	s := sum(r, salt)
	return float64(binary.BigEndian.Uint64(s[:8])>>11) / (1 << 53)
}

// named gives calls without an id one.
func named(calls []llm.Call, sum string) []llm.Call {
	out := append([]llm.Call(nil), calls...)
	for i := range out {
		if out[i].ID == "" {
			out[i].ID = "call_" + sum + "_" + strconv.Itoa(i+1)
		}
	}
	return out
}

// estimate counts a token for four bytes.
func estimate(r *llm.Request, m *llm.Message) llm.Usage {
	in := len(r.System)
	for i := range r.Messages {
		in += size(&r.Messages[i])
	}
	for _, t := range r.Tools {
		in += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	return llm.Usage{Input: tokens(in), Output: tokens(size(m)), Reasoning: tokens(len(m.Thought))}
}

func size(m *llm.Message) int {
	n := len(m.Text) + len(m.Thought)
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Arguments) + len(c.Bad)
	}
	return n
}

func tokens(bytes int) int64 { return int64(bytes+3) / 4 }
