package env

import (
	"errors"
	"slices"
	"strings"

	"taste/chat"
	"taste/pyjson"
)

// checkTools compares the specifications with what the domain implements.
func (c *checker) checkTools() {
	if c.native == nil || c.domain.Tools == nil {
		return
	}
	for _, side := range sides {
		tools := c.native.Tools(side)
		for i := range c.domain.Tools {
			spec := &c.domain.Tools[i]
			if spec.Requestor != side {
				continue
			}
			at := slices.IndexFunc(tools, func(s Signature) bool { return s.Name == spec.Name })
			if at < 0 {
				c.tool(spec.Name, Wrong, "domain "+c.domain.Name+" has no such tool of the "+side)
				continue
			}
			c.checkSchema(spec, &tools[at])
		}
		for _, s := range tools {
			if !c.toolsLost && !slices.ContainsFunc(c.domain.Tools, func(t chat.ToolSpec) bool { return t.Name == s.Name && t.Requestor == side }) {
				c.tool(s.Name, Doubtful, "the domain has this tool of the "+side+", the pack does not describe it")
			}
		}
	}
}

func (c *checker) tool(name string, grade Grade, text string) {
	c.add(PackFault{File: c.toolsFile, Path: name, Kind: AboutTool, Grade: grade, Text: text})
}

// checkSchema compares the parameters that a model is shown with those that
// there are.
func (c *checker) checkSchema(spec *chat.ToolSpec, sig *Signature) {
	name, err := schemaName(spec)
	if err != nil {
		c.tool(spec.Name, Wrong, "schema: "+err.Error())
		return
	}
	if name != spec.Name {
		c.tool(spec.Name, Wrong, "schema: the function's name is "+pyjson.Repr(name))
	}
	params, err := spec.Parameters()
	if err != nil {
		c.tool(spec.Name, Wrong, "schema: "+err.Error())
		return
	}
	var shown []string
	for _, p := range params {
		shown = append(shown, p.Name)
		if !slices.Contains(sig.Params, p.Name) {
			c.tool(spec.Name, Wrong, "schema: the tool has no parameter "+pyjson.Repr(p.Name)+"; it has "+strings.Join(sig.Params, ", "))
		}
	}
	for _, p := range sig.Params[:sig.required()] {
		switch i := slices.Index(shown, p); {
		case i < 0:
			c.tool(spec.Name, Wrong, "schema: required parameter "+pyjson.Repr(p)+" is missing")
		case !params[i].Required:
			c.tool(spec.Name, Doubtful, "schema: parameter "+pyjson.Repr(p)+" is required")
		}
	}
}

func schemaName(spec *chat.ToolSpec) (string, error) {
	schema, err := pyjson.DecodeObject(spec.Schema)
	if err != nil {
		return "", err
	}
	fn := chat.NewReader(schema, "").Object("function")
	if fn == nil {
		return "", errors.New("function: required object is missing")
	}
	r := chat.NewReader(fn, "function")
	return r.String("name"), r.Err()
}
