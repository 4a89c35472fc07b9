package env

import (
	"fmt"
	"path/filepath"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/pyjson/toml"
)

// File is a file by its path below some folder.
type File struct {
	Path string
	Data []byte
}

// Checkout returns the files in which τ²-bench keeps a domain's policies and
// databases, by their paths below its folder of data, and its instructions to
// simulated users. It is what Import reads; upstream is as there. Policies that
// the domain lacks are left out.
func (d *Domain) Checkout(upstream string) ([]File, error) {
	own, err := pyjson.DecodeObject([]byte(upstream))
	if err != nil {
		return nil, fmt.Errorf("read what the domain takes of a checkout: %w", err)
	}
	c := &checkout{domain: d, seen: map[string]bool{}}
	for key, v := range own.All() {
		switch {
		case key == "databases":
			err = c.databases(v.(*pyjson.Object))
		case key == "policy":
			c.policy(v.([]any), d.Policy)
		case strings.HasPrefix(key, "policy_"):
			if text, ok := d.Policies[strings.TrimPrefix(key, "policy_")]; ok {
				c.policy(v.([]any), text)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	users := filepath.Join("tau2", "user_simulator")
	c.add(filepath.Join(users, "simulation_guidelines.md"), []byte(d.UserGuidelines))
	if tools, err := d.UserTools(nil); err == nil && len(tools) > 0 {
		c.add(filepath.Join(users, "simulation_guidelines_tools.md"), []byte(d.UserToolGuidelines))
	}
	return c.files, nil
}

type checkout struct {
	domain *Domain
	files  []File
	seen   map[string]bool
}

// add takes a file once: policies share parts.
func (c *checkout) add(path string, data []byte) {
	if !c.seen[path] {
		c.seen[path] = true
		c.files = append(c.files, File{path, data})
	}
}

func (c *checkout) own(name string, data []byte) {
	c.add(filepath.Join("tau2", "domains", c.domain.Name, name), data)
}

// databases writes both sides' databases, as JSON or, by the file's name, TOML.
func (c *checkout) databases(files *pyjson.Object) error {
	e := c.domain.Environment()
	for _, side := range []struct{ key, name string }{{"agent", chat.Assistant}, {"user", chat.User}} {
		file, _ := files.Get(side.key)
		name, _ := file.(string)
		db := e.state.JSON(side.name)
		if name == "" || db == nil {
			continue
		}
		data, err := spellFile(name, db)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		c.own(name, data)
	}
	return nil
}

// spellFile spells an object as τ²-bench's own files do.
func spellFile(name string, o *pyjson.Object) ([]byte, error) {
	if filepath.Ext(name) == ".toml" {
		return toml.Append(nil, o)
	}
	return append(pyjson.Append(nil, o, pyjson.Style{ASCII: true, Indent: "    "}), '\n'), nil
}

// policy writes the parts of a policy. One that is not made of them stands in the
// first, and the others are empty.
func (c *checkout) policy(parts []any, text string) {
	texts := splitPolicy(parts, text)
	for i, part := range parts {
		file, _ := policyPart(part)
		c.own(file, []byte(texts[i]))
	}
}

// splitPolicy takes apart what is put together of parts with tags.
func splitPolicy(parts []any, text string) []string {
	whole := make([]string, len(parts))
	whole[0] = text
	out := make([]string, len(parts))
	for i, part := range parts {
		_, tag := policyPart(part)
		end := "\n</" + tag + ">"
		rest, opens := strings.CutPrefix(text, "<"+tag+">\n")
		at := strings.Index(rest, end)
		if tag == "" || !opens || at < 0 {
			return whole
		}
		out[i], text = rest[:at], strings.TrimPrefix(rest[at+len(end):], "\n")
	}
	if text != "" {
		return whole
	}
	return out
}
