package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"taste/llm"
)

// Server answers in the wire formats of providers, which it tells apart by the
// path: …/chat/completions, …/responses, …/messages, …/models/M:generateContent.
type Server struct {
	Func Func
	Log  func(*Entry) // called for each request when it is answered, or given up; may be nil

	seen atomic.Int64
}

// Entry is what a server tells of a request.
type Entry struct {
	Number int64        // of the request, from 1, in order of arrival
	Path   string       // of its address
	Role   string       // by the first line of the prompt
	Rule   string       // of the script that answered
	Status int          // of HTTP; 0: the connection ended without one
	Fault  string       // that was played, "" for an answer
	Body   []byte       // of the request
	Ask    *llm.Request // the same, read; nil if it could not be
}

// requestLimit is how much of a request is read, in bytes.
const requestLimit = 64 << 20

// format is the wire form of a provider.
type format struct {
	read    func(path string, body []byte) (*llm.Request, error)
	answer  func(r *llm.Request, a *llm.Response) []byte
	failure func(f *Fault) []byte
	blocked func(f *Fault) (status int, body []byte) // nil: a failure of status 400
}

var (
	formatChat      = &format{read: readChat, answer: answerChat, failure: chatFailure}
	formatResponses = &format{read: readResponses, answer: answerResponses, failure: chatFailure}
	formatMessages  = &format{read: readMessages, answer: answerMessages, failure: messagesFailure}
	formatGemini    = &format{read: readGemini, answer: answerGemini, failure: geminiFailure, blocked: geminiBlocked}
)

func formatOf(path string) *format {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return formatChat
	case strings.HasSuffix(path, "/responses"):
		return formatResponses
	case strings.HasSuffix(path, "/messages"):
		return formatMessages
	case strings.HasSuffix(path, ":generateContent"):
		return formatGemini
	}
	return nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	e := &Entry{Number: s.seen.Add(1), Path: req.URL.Path}
	if s.Log != nil {
		defer s.Log(e)
	}
	f := formatOf(req.URL.Path)
	if f == nil || req.Method != http.MethodPost {
		e.Status = http.StatusNotFound
		http.Error(w, "taste mock-llm answers POST to /v1/chat/completions, /v1/responses, /v1/messages and /v1beta/models/MODEL:generateContent",
			http.StatusNotFound)
		return
	}
	var err error
	if e.Body, err = io.ReadAll(io.LimitReader(req.Body, requestLimit)); err != nil {
		return // the client has gone
	}
	e.Ask, err = f.read(req.URL.Path, e.Body)
	if err != nil {
		e.fail(w, req, f, &Fault{Status: http.StatusBadRequest, Message: err.Error()})
		return
	}
	e.Role = role(e.Ask)
	ctx := context.WithValue(req.Context(), ruleKey{}, &e.Rule)
	res, err := s.Func(ctx, e.Ask)
	if err != nil {
		e.fail(w, req, f, faultOf(err))
		return
	}
	e.Status = http.StatusOK
	write(w, http.StatusOK, f.answer(e.Ask, complete(e.Ask, res)))
}

// fail plays a fault.
func (e *Entry) fail(w http.ResponseWriter, req *http.Request, form *format, f *Fault) {
	e.Fault = f.Error()
	e.Status = f.Status
	switch {
	case req.Context().Err() != nil:
		e.Status, e.Fault = 0, "the client went"
	case f.Hang:
		<-req.Context().Done()
	case f.Reset:
		panic(http.ErrAbortHandler)
	case f.Cut:
		e.Status = http.StatusOK
		cut(w, form.answer(e.Ask, complete(e.Ask, &llm.Response{Message: llm.Message{Text: "This answer breaks off."}})))
	case f.Overflow:
		e.Status = http.StatusBadRequest
		write(w, e.Status, form.failure(&Fault{Status: e.Status, Overflow: true}))
	case f.Blocked && form.blocked != nil:
		var body []byte
		e.Status, body = form.blocked(f)
		write(w, e.Status, body)
	case f.Blocked:
		e.Status = http.StatusBadRequest
		write(w, e.Status, form.failure(&Fault{Status: e.Status, Blocked: true}))
	default:
		status(w, form, f)
	}
}

// status answers with a status that is no success, or with a body that is no
// answer.
func status(w http.ResponseWriter, form *format, f *Fault) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.FormatFloat(f.RetryAfter.Seconds(), 'f', -1, 64))
	}
	if f.Body != "" {
		write(w, f.Status, []byte(f.Body))
		return
	}
	write(w, f.Status, form.failure(f))
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) //nolint:errcheck // the client may have gone
}

// cut sends half of an answer and ends the connection.
func cut(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	w.Write(body[:len(body)/2])           //nolint:errcheck // the client may have gone
	http.NewResponseController(w).Flush() //nolint:errcheck // as above
	panic(http.ErrAbortHandler)
}

// decode reads the body of a request.
func decode(body []byte, into any) error {
	var asked struct {
		Stream bool `json:"stream"`
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return fmt.Errorf("the request is no JSON object: %w", err)
	}
	if asked.Stream {
		return errors.New("taste mock-llm does not stream: leave out stream")
	}
	return json.Unmarshal(body, into)
}

// object writes JSON that is known to be writable.
func object(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil { // raw JSON in an answer that is none
		text, _ = json.Marshal(map[string]any{"error": map[string]any{"message": err.Error()}})
	}
	return text
}

// texts joins content that is a text or a list of parts.
func texts(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct{ Text, Refusal string }
	if json.Unmarshal(content, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text + p.Refusal)
	}
	return b.String()
}

// thoughtOf is the reasoning of an answer as a text.
func thoughtOf(m *llm.Message) string {
	var text string
	if json.Unmarshal(m.Thought, &text) != nil {
		return string(m.Thought)
	}
	return text
}

// argumentsOf is the text that stands for a call's arguments.
func argumentsOf(c *llm.Call) string {
	if c.Arguments == nil {
		return c.Bad
	}
	return string(c.Arguments)
}

// reasonOf is the provider's word for why an answer stopped.
func reasonOf(a *llm.Response, words map[llm.Stop]string) string {
	if a.Reason != "" {
		return a.Reason
	}
	if word, ok := words[a.Stop]; ok {
		return word
	}
	return string(a.Stop)
}
