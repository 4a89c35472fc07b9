package synth

import (
	"crypto/sha256"
	"encoding/hex"

	"taste/gates"
	"taste/pyjson"
	"taste/role"
	"taste/tau"
)

// Gate checks a task by rules that need no conversation: gold earns the reward,
// nothing else does. It is safe for concurrent use.
type Gate interface {
	Check(t *tau.Task, claims *gates.Claims) (*gates.Result, error)
}

// ContentHash is the SHA-256 of a task's JSON with sorted keys, ", " and ": ",
// and ASCII escapes, in hex.
func ContentHash(t *tau.Task) string {
	sum := sha256.Sum256(pyjson.Append(nil, t.JSON(), pyjson.Hash))
	return hex.EncodeToString(sum[:])
}

// Outcome tells what became of one attempt at a task.
type Outcome struct {
	Task      string         `json:"task"`
	Candidate int            `json:"candidate"` // of the sequences tried for this task
	Attempt   int            `json:"attempt"`   // with this sequence
	Sequence  []string       `json:"sequence"`
	Seed      uint64         `json:"seed,string"` // uses all 64 bits, which numbers of JSON do not hold everywhere
	Hash      string         `json:"hash"`        // ContentHash; "" without a task
	Failed    Check          `json:"failed"`      // the check that failed, "" if none did
	Reason    string         `json:"reason"`
	Review    []role.Finding `json:"review"`
	Verifier  []role.Attempt `json:"verifier"`
	Raw       []string       `json:"raw,omitempty"` // what a model answered where none of it could be used
}

// Check names what a task has to pass, in this order.
type Check string

// The checks.
const (
	CheckDraft    Check = "draft"    // an author finds a task for the sequence
	CheckReview   Check = "reviewer" // no critical finding
	CheckGates    Check = "gates"    // every gate, none of them untried
	CheckVerifier Check = "verifier" // one success in two attempts
)
