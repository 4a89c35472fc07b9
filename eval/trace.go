package eval

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"taste/chat"
	"taste/pyjson"
)

// Kinds of trace.
const (
	kindCalls  = "calls"  // a fresh environment, perhaps in a task's initial state, and calls
	kindInit   = "init"   // initialization data, then calls
	kindGold   = "gold"   // a task's gold actions as calls, then the target state
	kindReward = "reward" // a conversation and its score
)

// trace is one line of a trace file.
type trace struct {
	line int
	id   string
	kind string
	obj  *pyjson.Object
}

// ErrFormat: a line is no trace of a known format.
var ErrFormat = errors.New("not a trace of a known format")

// maxLine bounds a line of a trace file, in bytes.
const maxLine = 1 << 28

// readTraces calls f for each line of a trace file, gzipped or not.
func readTraces(path string, f func(trace) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read traces: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	in, err := unzip(file)
	if err != nil {
		return fmt.Errorf("read traces %s: %w", path, err)
	}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	line := 1
	for ; scanner.Scan(); line++ {
		text := scanner.Bytes()
		if line == 1 {
			text = pyjson.CutBOM(text)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		t, err := parseTrace(text)
		if err != nil {
			return fmt.Errorf("read traces %s: line %d: %w", path, line, err)
		}
		t.line = line
		if err := f(t); err != nil {
			return err
		}
	}
	return readError(path, line, scanner.Err())
}

// ErrEmpty: a trace file has no trace.
var ErrEmpty = errors.New("no trace")

// readError tells what ended the reading of a file after its last line.
func readError(path string, line int, err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("read traces %s: the gzip file is truncated after line %d: %w", path, line-1, err)
	case err != nil:
		return fmt.Errorf("read traces %s: %w", path, err)
	}
	return nil
}

func unzip(file *os.File) (io.Reader, error) {
	in := bufio.NewReader(file)
	magic, _ := in.Peek(2)
	if len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		return gzip.NewReader(in)
	}
	return in, nil
}

func parseTrace(line []byte) (trace, error) {
	o, err := pyjson.DecodeObject(line)
	if err != nil {
		return trace{}, err
	}
	t := trace{obj: o}
	switch {
	case o.Has("messages"):
		t.kind = kindReward
	case o.Has("agent_data"):
		t.kind = kindInit
	case o.Has("gold_hash"):
		t.kind = kindGold
	case o.Has("calls") && o.Has("hash0"):
		t.kind = kindCalls
	default:
		return t, fmt.Errorf("%w: it has none of messages, agent_data, gold_hash, calls with hash0", ErrFormat)
	}
	r := chat.NewReader(o, "")
	t.id = r.StringOr("id", "")
	if t.kind == kindReward {
		t.id = r.String("task") + " " + r.StringOr("variant", "")
	}
	return t, checkShape(t.kind, r)
}

// checkShape holds what is only compared to its type, so that a trace cannot
// differ, or agree, for being misspelt.
func checkShape(kind string, r *chat.Reader) error {
	raised := kind == kindInit && r.OptString("raised") != nil
	if kind != kindReward && !raised {
		checkHashes(r, whatHash0, true)
		for i, v := range r.NeedList("calls") {
			c := chat.NewReader(v, fmt.Sprintf("calls[%d]", i))
			checkHashes(c, "hash", false)
			if inner := c.Object("env"); inner != nil {
				checkHashes(chat.NewReader(inner, c.At("env")), "hash", false)
			}
			r.Adopt(c.Err())
		}
	}
	if kind == kindGold {
		checkHashes(r, "gold_hash", true)
		r.NeedList("gold_errors")
		r.List("assertions_before")
		r.List("assertions_after")
	}
	return r.Err()
}

// checkHashes wants a list of two hashes, of agent and user, null for none.
func checkHashes(r *chat.Reader, key string, needed bool) {
	l, ok := r.List(key)
	if !ok && !needed {
		return
	}
	for _, v := range l {
		_, text := v.(string)
		ok = ok && (text || v == nil)
	}
	if !ok || len(l) != 2 {
		r.Fail(key, "want a list of two hashes")
	}
}
