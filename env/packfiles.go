package env

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/pyjson/toml"
)

// read returns a file's content; ok is false where that failed, which is kept.
func (l *loader) read(file, advice string) (data []byte, ok bool) {
	if l.outside(file) {
		return nil, false
	}
	data, err := os.ReadFile(filepath.Join(l.dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		l.missing(file, advice)
	} else if err != nil {
		l.fail(file, advice, err)
	}
	return data, err == nil
}

// exists checks for a file that is read later, if at all.
func (l *loader) exists(file string) {
	if l.outside(file) {
		return
	}
	info, err := os.Stat(filepath.Join(l.dir, file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.missing(file, "")
	case err != nil:
		l.fail(file, "", err)
	case info.IsDir():
		l.fail(file, "the manifest names it", errors.New("want a file, it is a folder"))
	}
}

// outside refuses paths that lead out of the pack.
func (l *loader) outside(file string) bool {
	out := file != "" && !filepath.IsLocal(file)
	if out {
		l.fail(file, "copy the file into the pack", errors.New("a manifest names files by paths within the pack's folder"))
	}
	return out
}

func (l *loader) missing(file, advice string) {
	if advice == "" {
		advice = "the manifest names it"
	}
	l.fail(file, advice, fmt.Errorf("file is missing: %w", fs.ErrNotExist))
}

// value reads a JSON file, or a TOML file by the end of its name.
func (l *loader) value(file, advice string) (v any, ok bool) {
	data, ok := l.read(file, advice)
	if !ok {
		return nil, false
	}
	format := "JSON"
	var err error
	if filepath.Ext(file) == ".toml" {
		format = "TOML"
		v, err = toml.Decode(pyjson.CutBOM(data))
	} else {
		v, err = pyjson.DecodeFile(data)
	}
	if err != nil {
		l.fail(file, "", fmt.Errorf("broken %s: %w", format, err))
	}
	return v, err == nil
}

func (l *loader) object(file, advice string) (o *pyjson.Object, ok bool) {
	v, ok := l.value(file, advice)
	if !ok {
		return nil, false
	}
	if o, ok = v.(*pyjson.Object); !ok {
		l.fail(file, "", errors.New("want a JSON object"))
	}
	return o, ok
}

// texts reads policies and guidelines.
func (l *loader) texts() {
	before := len(l.errs)
	policy, ok := l.policy("policy")
	if !ok {
		l.fail(manifestName, "docs/pack.md describes it", errors.New("policy: required list is missing"))
	}
	l.domain.Policy = policy
	sum := sha256.Sum256([]byte(policy))
	if want := l.text("policy_sha256", ""); len(l.errs) == before && want != "" && want != hex.EncodeToString(sum[:]) {
		l.fail(manifestName, "the policy was edited: correct policy_sha256 or restore the text", fmt.Errorf("policy: %w", ErrHash))
	}
	l.domain.Policies = map[string]string{}
	for key := range l.man.All() {
		if name, further := furtherPolicy(key); further {
			l.domain.Policies[name], _ = l.policy(key)
		}
	}
	l.domain.UserGuidelines = l.named("user_guidelines")
	l.domain.UserToolGuidelines = l.named("user_guidelines_tools")
}

// furtherPolicy returns the name of the policy that a key of a manifest lists
// the parts of, beside the pack's first.
func furtherPolicy(key string) (name string, ok bool) {
	name, ok = strings.CutPrefix(key, "policy_")
	return name, ok && key != "policy_sha256"
}

// named reads the file that a key of the manifest names, "" where there is none.
func (l *loader) named(key string) string {
	file := l.text(key, "")
	if file == "" {
		return ""
	}
	text, _ := l.read(file, "")
	return string(text)
}

// policy assembles the text that a key of the manifest lists the parts of; ok
// is false where there is no such key. A line break stands between two parts
// with tags, nothing between others.
func (l *loader) policy(key string) (policy string, ok bool) {
	r := chat.NewReader(l.man, "")
	parts, ok := r.List(key)
	l.keep(r)
	if !ok {
		return "", r.Err() != nil
	}
	var text strings.Builder
	tagged := false
	for i, part := range parts {
		file, tag := policyPart(part)
		if file == "" {
			l.fail(manifestName, "docs/pack.md describes it", fmt.Errorf("%s[%d]: want a file name or a file with a tag", key, i))
			continue
		}
		data, _ := l.read(file, "")
		if tag == "" {
			text.Write(data)
		} else {
			if tagged {
				text.WriteByte('\n')
			}
			fmt.Fprintf(&text, "<%s>\n%s\n</%s>", tag, data, tag)
		}
		tagged = tag != ""
	}
	return text.String(), true
}

func policyPart(part any) (file, tag string) {
	switch x := part.(type) {
	case string:
		return x, ""
	case *pyjson.Object:
		f, _ := x.Get("file")
		t, _ := x.Get("tag")
		file, _ = f.(string)
		tag, _ = t.(string)
	case []any:
		if len(x) == 2 {
			tag, _ = x[0].(string)
			file, _ = x[1].(string)
		}
	}
	return file, tag
}

func (l *loader) tools() {
	l.toolsFile = l.text("tools", "tools.json")
	v, ok := l.value(l.toolsFile, "")
	if !ok {
		return
	}
	list, ok := v.([]any)
	if !ok {
		l.fail(l.toolsFile, "docs/pack.md describes it", errors.New("want a list of tools"))
		return
	}
	l.domain.Tools = []chat.ToolSpec{}
	for i, e := range list {
		spec, err := chat.ReadToolSpec(e, fmt.Sprintf("tools[%d]", i))
		if err != nil {
			l.fail(l.toolsFile, "docs/pack.md describes it", err)
			l.toolsLost = true
			continue
		}
		l.domain.Tools = append(l.domain.Tools, spec)
	}
}
