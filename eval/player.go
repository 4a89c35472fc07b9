package eval

import (
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// player replays one trace.
type player struct {
	domain *env.Domain
	tasks  map[string]*tau.Task
	trace  trace

	env  *env.Environment
	last *env.Environment // the state of which hash is known
	hash [2]any           // as recorded traces spell them: string or nil
	past [2]any           // hash as it was recorded last

	calls, inexact, drawn int
	mismatches            []Mismatch
	request               string
}

// ErrNoTask: a trace refers to a task that the task set lacks.
var ErrNoTask = errors.New("the task set has no such task")

// play fails only where the trace itself cannot be used.
func (p *player) play() error {
	err := p.replay()
	p.env, p.last, p.trace.obj = nil, nil, nil // a file's players live until its end
	return err
}

func (p *player) replay() error {
	switch p.trace.kind {
	case kindReward:
		return p.reward()
	case kindInit:
		return p.initialized()
	case kindGold:
		return p.gold()
	}
	task, err := p.task("task")
	if err != nil {
		return err
	}
	if err := p.start(task); err != nil {
		return err
	}
	return p.replayCalls()
}

func (p *player) task(key string) (*tau.Task, error) {
	v, _ := p.trace.obj.Get(key)
	if v == nil {
		return nil, nil
	}
	t := p.tasks[pyjson.Str(v)]
	if t == nil {
		return nil, fmt.Errorf("%w: %s", ErrNoTask, pyjson.Str(v))
	}
	return t, nil
}

// differ records a mismatch.
func (p *player) differ(call int, what string, expected, got any) {
	p.mismatches = append(p.mismatches, Mismatch{
		Line: p.trace.line, Trace: p.trace.id, Call: call,
		What: what, Request: p.request, Expected: spell(expected), Got: spell(got),
	})
}

// start sets up a task's initial state and compares the hash of it.
func (p *player) start(task *tau.Task) error {
	p.env = p.domain.Environment()
	if task != nil {
		p.request = "set state of task " + task.ID
		if err := p.env.SetState(task.InitialState); err != nil {
			p.differ(-1, "initial state", "no error", err.Error())
			return nil
		}
	}
	p.checkHash0()
	return nil
}

// whatHash0 is what differs where a trace begins in another state.
const whatHash0 = "hash0"

func (p *player) checkHash0() {
	p.rehash()
	want, ok := p.trace.obj.Get(whatHash0)
	if ok && !pyjson.Same(want, p.hashes()) {
		p.differ(-1, whatHash0, want, p.hashes())
	}
	p.past = p.hash
}

func (p *player) hashes() any { return []any{p.hash[0], p.hash[1]} }

// rehash computes the hashes anew where the state has changed.
func (p *player) rehash() {
	if p.last != nil && p.last.Equal(p.env) {
		return
	}
	p.hash = [2]any{orNil(p.env.Hash()), orNil(p.env.UserHash())}
	p.last = p.env.Clone()
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (p *player) replayCalls() error {
	r := chat.NewReader(p.trace.obj, "")
	for i, v := range r.NeedList("calls") {
		c := chat.NewReader(v, fmt.Sprintf("calls[%d]", i))
		if c.Err() != nil {
			return c.Err()
		}
		before := p.hash
		p.calls++
		target := c.Obj
		if inner := c.Object("env"); inner != nil {
			target = inner
			r := chat.NewReader(inner, c.At("env"))
			p.envCall(i, r)
			c.Adopt(r.Err())
		} else {
			p.toolCall(i, c)
		}
		if err := c.Err(); err != nil {
			return err
		}
		p.checkHash(i, target, before)
	}
	return r.Err()
}

// checkHash compares the hash after a call; a record without one says that
// nothing changed. Of a side with keys that the reference draws at random it
// compares whether the hash has changed.
func (p *player) checkHash(i int, call *pyjson.Object, before [2]any) {
	want, recorded := before, p.past
	if v, ok := call.Get("hash"); ok {
		copy(want[:], v.([]any)) // checkShape has seen it
		recorded = want
	}
	p.rehash()
	same := true
	for side, owner := range [2]string{chat.Assistant, chat.User} {
		if p.env.Drawn(owner) != nil {
			p.drawn++
			same = same && (recorded[side] == p.past[side]) == (p.hash[side] == before[side])
		} else {
			same = same && want[side] == p.hash[side]
		}
	}
	if !same {
		p.differ(i, "hash", []any{want[0], want[1]}, p.hashes())
	}
	p.past = recorded
}

// same compares texts, but for keys that the reference draws at random.
func (p *player) same(want, got string) bool {
	for _, owner := range [2]string{chat.Assistant, chat.User} {
		for _, key := range p.env.Drawn(owner) {
			want = takeOver(want, got, key)
		}
	}
	return want == got
}

// takeOver writes key into want wherever got has it, where both are of one
// length.
func takeOver(want, got, key string) string {
	if len(want) != len(got) {
		return want
	}
	out := []byte(want)
	for at := 0; ; {
		i := strings.Index(got[at:], key)
		if i < 0 {
			return string(out)
		}
		at += i
		at += copy(out[at:], key)
	}
}

func (p *player) toolCall(i int, c *chat.Reader) {
	requestor, name := c.StringOr("requestor", chat.Assistant), c.String("name")
	args := c.NeedObject("arguments")
	if c.Err() != nil {
		return
	}
	p.request = requestor + " " + name + " " + pyjson.Dumps(args)
	got := p.env.CallOrdered(requestor, name, args)
	if exact := c.BoolOr("exact", true); !exact {
		p.inexact++
	} else if want := c.String("content"); !p.same(want, got.Content) {
		p.differ(i, "content", want, got.Content)
	}
	if want := c.Bool("error"); want != got.Error {
		p.differ(i, "error", want, fmt.Sprintf("%v (%s)", got.Error, got.Content))
	}
}

func (p *player) envCall(i int, c *chat.Reader) {
	call, err := tau.ReadEnvCall(c.Obj, c.Path)
	if err != nil {
		c.Adopt(err)
		return
	}
	p.request = call.EnvType + " environment " + call.FuncName + " " + pyjson.Dumps(call.Args())
	got, err := p.env.EnvCall(&call)
	want, _ := c.Obj.Get("result")
	failed := c.Bool("error")
	if failed != (err != nil) {
		p.differ(i, "error", failed, fmt.Sprint(err))
		return
	}
	if err != nil {
		got = err.Error()
	}
	exact := c.BoolOr("exact", true)
	if !exact {
		p.inexact++
	} else if !pyjson.Same(want, got) {
		p.differ(i, "result", want, got)
	}
}
