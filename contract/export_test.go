package contract

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Without returns the contract without a rule, which ruleIDs in the deletion
// test names, and whether Load would refuse the names that are left. Nothing is
// compiled again: what the rule's expressions brought into scope stays there.
func (c *Contract) Without(id string) (*Contract, error) {
	cut := *c
	kind, rest, _ := strings.Cut(id, ".")
	switch kind {
	case "protocol":
		cut.Protocol.Identify = c.Protocol.Identify && rest != "identify"
		if rest == "handoff" {
			cut.Protocol.Handoff = ""
		}
	case "customer":
		cut.Customer.Identify = deleteAt(c.Customer.Identify, rest)
	case "wish":
		cut.Wishes = withoutWish(c.Wishes, rest)
	case "fault":
		cut.Faults = slices.DeleteFunc(slices.Clone(c.Faults), func(f *Defect) bool { return f.Name == rest })
	case "trouble":
		cut.Troubles = slices.DeleteFunc(slices.Clone(c.Troubles), func(t *Trouble) bool { return t.Name == rest })
	case "tool":
		cut.Tools = withoutTool(c.Tools, rest)
	default:
		cut.Sequence = slices.DeleteFunc(slices.Clone(c.Sequence), func(r SeqRule) bool { return r.ID == id })
		cut.Policy = slices.DeleteFunc(slices.Clone(c.Policy), func(r PolicyRule) bool { return r.ID == id })
	}
	return &cut, errors.Join(cut.index(), cut.checkCustomer(), cut.checkSequence(), cut.checkNames(), cut.checkTroubles(), cut.checkEvolution(), cut.checkLint())
}

// deleteAt deletes the element that a name like "where#2" numbers.
func deleteAt[T any](list []T, name string) []T {
	_, at, _ := strings.Cut(name, "#")
	i, err := strconv.Atoi(at)
	if err != nil {
		panic(err)
	}
	return slices.Delete(slices.Clone(list), i, i+1)
}

// withoutWish drops a wish, or the part of it behind a dot.
func withoutWish(wishes []*Wish, rest string) []*Wish {
	name, part, inner := strings.Cut(rest, ".")
	out := slices.Clone(wishes)
	i := slices.IndexFunc(out, func(w *Wish) bool { return w.Name == name })
	if !inner {
		return slices.Delete(out, i, i+1)
	}
	w := *out[i]
	out[i] = &w
	switch part {
	case "sole":
		w.Sole = nil
	case "needs":
		w.Needs = nil
	default:
		w.Where = deleteAt(w.Where, part)
	}
	return out
}

// withoutTool drops a tool, an argument of it, or where that is idle.
func withoutTool(tools map[string]*Tool, rest string) map[string]*Tool {
	name, path, inner := strings.Cut(rest, ".")
	out := maps.Clone(tools)
	if !inner {
		delete(out, name)
		return out
	}
	tool := *out[name]
	tool.Args = maps.Clone(tool.Args)
	out[name] = &tool
	if arg, idle := strings.CutSuffix(path, ".idle"); idle {
		a := *tool.Args[arg]
		a.Idle = nil
		tool.Args[arg] = &a
	} else {
		delete(tool.Args, path)
	}
	return out
}
