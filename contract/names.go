package contract

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// nameCheck finds names that stand for nothing. A misspelt one would break
// nothing at once: a rule, a read or a wrong variant would be missing, and
// nobody told.
type nameCheck struct {
	c    *Contract
	errs []error
}

func (c *Contract) checkNames() error {
	k := &nameCheck{c: c}
	for _, name := range slices.Sorted(maps.Keys(c.Reads)) {
		k.tools("read "+name, c.Reads[name].Tool)
	}
	for _, kind := range slices.Sorted(maps.Keys(c.Records)) {
		if read := c.Records[kind].Read; c.Reads[read].Tool == "" {
			k.fault("record %s: no read is called %q", kind, read)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		k.tool(name, c.Tools[name])
	}
	for _, p := range c.Policy {
		k.tools("policy rule "+p.ID, p.Tools...)
		k.word("policy rule "+p.ID+": otherwise", p.Otherwise, "refuse", "handoff")
	}
	if h := c.Protocol.Handoff; h != "" {
		k.tools("protocol: handoff", h)
	}
	for _, w := range c.Wishes {
		k.wish(w)
	}
	return errors.Join(k.errs...)
}

func (k *nameCheck) fault(format string, args ...any) {
	k.errs = append(k.errs, fmt.Errorf(format, args...))
}

// tools wants declared tools.
func (k *nameCheck) tools(where string, names ...string) {
	for _, name := range names {
		if k.c.Tools[name] == nil {
			k.fault("%s: unknown tool %q", where, name)
		}
	}
}

// word wants one of a few words, or nothing.
func (k *nameCheck) word(where, got string, want ...string) {
	if got != "" && !slices.Contains(want, got) {
		k.fault("%s: %q, want one of %s", where, got, strings.Join(want, ", "))
	}
}

func (k *nameCheck) tool(name string, t *Tool) {
	k.word("tool "+name+": type", t.Type, "READ", "WRITE", "GENERIC")
	k.word("tool "+name+": side", t.Side, agentSide, userSide)
	for _, read := range t.Moves {
		if k.c.Reads[read].Tool == "" {
			k.fault("tool %s: moves: no read is called %q", name, read)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(t.Args)) {
		k.word("tool "+name+": source of "+path, t.Args[path].Source, "customer", "read", "choice", "computed", "free")
	}
}

func (k *nameCheck) wish(w *Wish) {
	where := "wish " + w.Name
	k.said(where, w)
	for _, name := range w.Excludes {
		if k.c.wishes[name] == nil {
			k.fault("%s: excludes: no wish is called %q", where, name)
		}
	}
	switch {
	case (w.Does == "") == (w.Tells == nil):
		k.fault("%s: want either does or tells", where)
	case w.Does != "":
		k.does(where, w)
	}
}

// said checks what a customer says of a wish or a trouble, and which reads go
// with it.
func (k *nameCheck) said(where string, w *Wish) {
	k.tools(where+": uses", w.Uses...)
	k.tools(where+": needs", w.Needs...)
	for _, s := range w.Slots {
		if s.Kind != "" && k.c.Records[s.Kind] == nil {
			k.fault("%s: slot %s: no kind of record is called %q", where, s.Name, s.Kind)
		}
	}
	for _, name := range w.detailed() {
		if w.slot(name) == nil {
			k.fault("%s: a detail says %q, which is no slot", where, name)
		}
	}
}

// does wants a declared tool, and the wish's arguments among those that it
// declares, if it declares any.
func (k *nameCheck) does(where string, w *Wish) {
	t := k.c.Tools[w.Does]
	if t == nil {
		k.fault("%s: does: unknown tool %q", where, w.Does)
		return
	}
	for _, arg := range slices.Sorted(maps.Keys(w.Args)) {
		if len(t.Args) > 0 && !t.declares(arg) {
			k.fault("%s: argument %s is none that tool %s declares under args", where, arg, w.Does)
		}
	}
}

// declares tells whether the contract says anything of an argument or of a part
// of it, as in "flights[].date".
func (t *Tool) declares(arg string) bool {
	for path := range t.Args {
		root, _, _ := strings.Cut(path, ".")
		if strings.TrimSuffix(root, "[]") == arg {
			return true
		}
	}
	return false
}
