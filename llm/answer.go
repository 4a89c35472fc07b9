package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// SchemaInstruction is what an adapter adds to the system text where the
// provider does not take schemas.
func SchemaInstruction(s *Schema) string {
	return "Answer with one JSON value and nothing else: no explanation and no code fence. It has to fit this JSON schema:\n" + string(s.JSON)
}

// answerJSON finds the JSON value in an answer: the whole of it, or the last
// code block, or the longest object in its prose. Thoughts
// that a server left in the text, up to </think>, are passed over.
func answerJSON(text string) ([]byte, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, errors.New("it is empty")
	}
	_, said, thought := strings.Cut(text, "</think>")
	if !thought {
		said = text
	}
	for _, found := range []string{text, said, lastBlock(said), braced(said)} {
		if json.Valid([]byte(found)) {
			return []byte(found), nil
		}
	}
	var v any
	return nil, fmt.Errorf("it is no JSON value: %w", json.Unmarshal([]byte(text), &v))
}

// lastBlock is what stands in the last code block, without its language.
func lastBlock(text string) string {
	parts := strings.Split(text, "```")
	if len(parts) < 3 {
		return ""
	}
	block := parts[len(parts)-2]
	if start := strings.IndexAny(block, "\n{["); start >= 0 {
		block = block[start:]
	}
	return block
}

// braced is the longest object that stands in prose.
func braced(text string) string {
	longest := ""
	for from := 0; ; {
		at := strings.IndexByte(text[from:], '{')
		if at < 0 {
			return longest
		}
		from += at
		var found json.RawMessage
		if json.NewDecoder(strings.NewReader(text[from:])).Decode(&found) != nil {
			from++
			continue
		}
		if len(found) > len(longest) {
			longest = string(found)
		}
		from += len(found)
	}
}

// validator returns what holds a value to a schema; without a schema anything will do.
func validator(s *Schema) (func([]byte) error, error) {
	if s == nil {
		return func([]byte) error { return nil }, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.JSON))
	if err != nil {
		return nil, fmt.Errorf("read schema %s: %w", s.Name, err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // a schema refers to nothing outside
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, fmt.Errorf("read schema %s: %w", s.Name, err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		return nil, fmt.Errorf("read schema %s: %w", s.Name, err)
	}
	return func(text []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return misfit(schema.Validate(v))
	}, nil
}

// mostFaults bounds what is told of one answer.
const mostFaults = 8

// misfit says at which places a value does not fit, in words for a model.
func misfit(err error) error {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	lines := leaves(invalid, nil)
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if more := len(lines) - mostFaults; more > 0 {
		lines = append(lines[:mostFaults], fmt.Sprintf("and %d more", more))
	}
	return errors.New("it does not fit the schema: " + strings.Join(lines, "; "))
}

var english = message.NewPrinter(language.English)

// leaves lists the faults that have no others beneath them.
func leaves(e *jsonschema.ValidationError, lines []string) []string {
	for _, c := range e.Causes {
		lines = leaves(c, lines)
	}
	if _, group := e.ErrorKind.(*kind.Group); group || len(e.Causes) > 0 {
		return lines
	}
	place := "at the top"
	if len(e.InstanceLocation) > 0 {
		place = "at /" + strings.Join(e.InstanceLocation, "/")
	}
	return append(lines, place+": "+e.ErrorKind.LocalizedString(english))
}
