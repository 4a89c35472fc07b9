package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"taste/llm"
)

// Failure reads an answer that is a failure.
func Failure(status int, header http.Header, body []byte) *llm.Error {
	said := readSaid(body)
	e := &llm.Error{Class: classify(status, said), Status: status, Message: clip(said.message)}
	e.RetryAfter = max(retryAfter(header), said.delay)
	return e
}

// said is what the body of a failure says.
type said struct {
	message string
	words   string // type, code and status, in lower case
	code    int    // where it is a number
	delay   time.Duration
}

// Hidden reads a failure that came as an answer: one that holds an error and
// nothing else of use. It is nil where there is no error in it.
func Hidden(body []byte) *llm.Error {
	var outer struct{ Error json.RawMessage }
	if json.Unmarshal(body, &outer) != nil || len(outer.Error) == 0 || string(outer.Error) == "null" {
		return nil
	}
	s := readError(outer.Error)
	status := s.code
	switch {
	case status >= 400 && status < 600:
	case strings.Contains(s.words, "rate_limit"):
		status = http.StatusTooManyRequests
	case blocked.MatchString(s.words), strings.Contains(s.words, "invalid"):
		status = http.StatusBadRequest
	default:
		status = http.StatusInternalServerError
	}
	return &llm.Error{Class: classify(status, s), Message: clip(s.message), RetryAfter: s.delay}
}

// readSaid finds the message wherever providers and compatible servers put it.
func readSaid(body []byte) said {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct{ Error, Message, Detail json.RawMessage }
	if json.Unmarshal(body, &outer) != nil {
		return said{message: string(body)}
	}
	for _, text := range []json.RawMessage{outer.Error, outer.Message, outer.Detail} {
		if len(text) > 0 && string(text) != "null" {
			return readError(text)
		}
	}
	return said{message: string(body)}
}

// readError reads what stands under "error": an object, or a text alone.
func readError(text json.RawMessage) said {
	var plain string
	if json.Unmarshal(text, &plain) == nil {
		return said{message: plain}
	}
	var e struct {
		Message, Type, Status string
		Code                  any
		Details               []struct{ Reason, RetryDelay string }
	}
	if json.Unmarshal(text, &e) != nil {
		return said{message: string(text)}
	}
	out := said{message: cmp.Or(e.Message, string(text))}
	code, _ := e.Code.(string)
	if n, ok := e.Code.(float64); ok {
		out.code = int(n)
	}
	words := []string{e.Type, code, e.Status}
	for _, d := range e.Details {
		words = append(words, d.Reason)
		if delay, err := time.ParseDuration(d.RetryDelay); err == nil {
			out.delay = max(out.delay, delay)
		}
	}
	out.words = strings.ToLower(strings.Join(words, " "))
	return out
}

// By these words failures are told apart that share a status.
var (
	noFunds = regexp.MustCompile(`insufficient_quota|credit balance|spend.?limit|billing`)
	noModel = regexp.MustCompile(`model_not_found|not a valid model|invalid model|unknown model`)
	badKey  = regexp.MustCompile(`api_key_invalid|api key not valid|api key expired|invalid_api_key`)
	tooLong = regexp.MustCompile(`context_length_exceeded|exceed_context_size|prompt is too long|request_too_large|` +
		`maximum context length|context (?:length|window|size)|input token count .* exceeds|too many (?:input )?tokens`)
	blocked = regexp.MustCompile(`content_filter|content_policy|content management policy|content filtering policy|` +
		`responsible ?ai|invalid_prompt|safety_violation|cyber_policy|bio_policy`)
)

// classify names the kind of a failure by its status and its words.
func classify(status int, s said) llm.Class {
	text := s.words + " " + strings.ToLower(s.message)
	switch {
	case status == http.StatusUnauthorized, status == http.StatusPaymentRequired, status == http.StatusForbidden:
		return llm.Auth
	case status < 500 && (noFunds.MatchString(text) || badKey.MatchString(text)):
		return llm.Auth
	case status == http.StatusTooManyRequests:
		return llm.RateLimited
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict:
		return llm.Overloaded
	case status == http.StatusRequestEntityTooLarge, tooLong.MatchString(text):
		return llm.TooLong
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, noModel.MatchString(text):
		return llm.Refused
	case blocked.MatchString(text):
		return llm.Blocked
	}
	return llm.BadRequest
}

// retryAfter reads how long a provider asks to be left alone: in seconds, in
// milliseconds, or until a time, as of the answer's own date.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return atLeastZero(ms * float64(time.Millisecond))
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		return atLeastZero(s * float64(time.Second))
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(until.Sub(now), 0)
}

// longest is the longest wait that is taken at its word.
const longest = 24 * time.Hour

func atLeastZero(d float64) time.Duration {
	if !(d > 0) { // NaN too
		return 0
	}
	return time.Duration(min(d, float64(longest)))
}

// clipped is how much of a provider's words an error keeps, in bytes.
const clipped = 600

// clip makes one line of a text and cuts it.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= clipped {
		return s
	}
	return strings.ToValidUTF8(s[:clipped], "") + " …"
}
