package rules

import (
	"fmt"
	"sync"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/pyjson"
)

// learnt is what an agent knows from its own calls: answers by call. It is a
// contract.Reader that makes no calls itself.
type learnt struct {
	texts  *decoded
	values map[string]ref.Val
	failed map[string]error
	tools  map[string]string // by call
}

func newLearnt(texts *decoded) *learnt {
	return &learnt{texts: texts, values: map[string]ref.Val{}, failed: map[string]error{}, tools: map[string]string{}}
}

// Read implements contract.Reader.
func (l *learnt) Read(tool string, args map[string]any) (ref.Val, error) {
	key := read{tool, args}.key()
	if v, ok := l.values[key]; ok {
		return v, nil
	}
	if err := l.failed[key]; err != nil {
		return nil, err
	}
	return nil, &contract.MissingRead{Tool: tool, Args: args}
}

// put takes over the answer to a call.
func (l *learnt) put(r read, content string, failed bool) {
	if failed {
		l.fail(r, fmt.Errorf("%s: %s", r.tool, content))
		return
	}
	key := r.key()
	l.values[key], l.tools[key] = l.texts.value(content), r.tool
}

// fail notes that a call has no answer.
func (l *learnt) fail(r read, err error) {
	key := r.key()
	l.failed[key], l.tools[key] = err, r.tool
}

// forget drops what tools have answered, for a write may have changed it.
func (l *learnt) forget(moved func(tool string) bool) {
	for key, tool := range l.tools {
		if moved(tool) {
			delete(l.values, key)
			delete(l.failed, key)
			delete(l.tools, key)
		}
	}
}

// decoded keeps the values of answers that were seen before: conversations
// about one task read the same records again and again.
type decoded struct{ values sync.Map }

func (d *decoded) value(content string) ref.Val {
	if v, ok := d.values.Load(content); ok {
		return v.(ref.Val)
	}
	v := answerValue(content)
	d.values.Store(content, v)
	return v
}

// answerValue reads a tool's answer: JSON, else plain text.
func answerValue(content string) ref.Val {
	v, err := pyjson.Decode([]byte(content))
	if err != nil {
		return contract.ToVal(content)
	}
	return contract.ToVal(pyjson.Plain(v))
}
