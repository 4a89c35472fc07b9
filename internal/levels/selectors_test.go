package levels

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// use is one mention of a package's name.
type use struct{ where, pkg, what string }

// selectors finds the mentions of banned names, by import path, outside tests.
func selectors(t *testing.T, banned map[string][]string) []use {
	t.Helper()
	root := filepath.Join("..", "..")
	var out []use
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		names := localNames(f)
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := s.X.(*ast.Ident)
			if ok && slices.Contains(banned[names[x.Name]], s.Sel.Name) {
				out = append(out, use{set.Position(s.Pos()).String(), path.Dir(filepath.ToSlash(rel)), x.Name + "." + s.Sel.Name})
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// localNames maps the names that a file knows packages by to their paths.
func localNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(strings.TrimSuffix(p, "/v2"))
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = p
	}
	return names
}
