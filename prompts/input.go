package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"
)

// functions are those that templates have beside the usual ones.
var functions = template.FuncMap{
	"input": input,
	"json":  jsonText,
	"trim":  strings.TrimSpace,
}

// Marks around the JSON that a prompt is about.
const (
	inputBegins = "<input>"
	inputEnds   = "</input>"
)

// input shows a value as JSON between marks, where programs find it too: see
// [Input].
func input(v any) (string, error) {
	text, err := encode(v, " ")
	return inputBegins + "\n" + text + "\n" + inputEnds, err
}

// jsonText shows a value as JSON on one line.
func jsonText(v any) (string, error) { return encode(v, "") }

// encode writes JSON in which no mark can stand.
func encode(v any, indent string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "</", `<\/`), nil
}

// compact takes the white space out of valid JSON.
func compact(text []byte) json.RawMessage {
	var b bytes.Buffer
	_ = json.Compact(&b, text) // valid, as load has found
	return b.Bytes()
}

// ErrNoInput says that a text shows no input.
var ErrNoInput = errors.New("the prompt shows no input")

// Input reads the JSON between the marks of a rendered prompt into a value: what
// plays a model without one reads the question by it.
func Input(text string, into any) error {
	_, rest, ok := strings.Cut(text, inputBegins)
	body, _, closed := strings.Cut(rest, inputEnds)
	if !ok || !closed {
		return ErrNoInput
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		return fmt.Errorf("read the prompt's input: %w", err)
	}
	return nil
}
