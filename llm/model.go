package llm

import "context"

// Model is a language model behind a provider's interface, or a decorator of one.
type Model interface {
	// Call makes one call. It is safe for concurrent use. Errors are *Error or
	// the context's. An answer that the provider's filter or the model itself
	// withheld is none: it is a Response that says so in Stop.
	Call(ctx context.Context, r *Request) (*Response, error)

	// Name says which model this is, e.g. "openai/gpt-x": the name stands in
	// manifests and in the keys of kept calls.
	Name() string
}

// Response is a model's answer.
type Response struct {
	Message Message `json:"message"`         // of the assistant
	Stop    Stop    `json:"stop"`            // why it ended
	Reason  string  `json:"reason"`          // the same in the provider's own word
	Usage   Usage   `json:"usage"`           // what it took
	Model   string  `json:"model,omitempty"` // that answered, as the provider says
	ID      string  `json:"id,omitempty"`    // of the answer, as the provider says
}

// Stop is why an answer ended.
type Stop string

// Why answers end.
const (
	End       Stop = "end"        // the model had said all
	ToolCalls Stop = "tool_calls" // the model waits for the answers to its calls
	Length    Stop = "length"     // a limit of tokens cut it off
	Refusal   Stop = "refusal"    // the model declined
	Filtered  Stop = "filtered"   // the provider's filter cut it off or withheld it
	Paused    Stop = "paused"     // the provider wants to be asked to go on
	Unknown   Stop = "unknown"    // a reason that we do not know: see Response.Reason
)

// Usage is what calls took, in tokens.
type Usage struct {
	Input     int64 `json:"input"`
	Cached    int64 `json:"cached,omitempty"`  // of Input, what the provider had in its cache
	Written   int64 `json:"written,omitempty"` // of the rest of Input, what it was paid to put there
	Output    int64 `json:"output"`
	Reasoning int64 `json:"reasoning,omitempty"` // of Output
	Calls     int64 `json:"calls"`               // 1 of a Response
}

// Add adds what other calls took.
func (u *Usage) Add(v Usage) {
	u.Input += v.Input
	u.Cached += v.Cached
	u.Written += v.Written
	u.Output += v.Output
	u.Reasoning += v.Reasoning
	u.Calls += v.Calls
}
