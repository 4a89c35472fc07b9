package levels

import (
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

// The SDKs of model providers take minutes to compile: nothing but the adapters
// imports them, only llm/connect imports the adapters, and only the program that.
// Tests are held to it, too.
func TestSDKsStayBehindTheirAdapters(t *testing.T) {
	may := map[string][]string{
		"github.com/openai/":      {"llm/openai"},
		"github.com/anthropics/":  {"llm/anthropic"},
		"google.golang.org/genai": {"llm/gemini"},
		module + "/llm/openai":    {"llm/openai", "llm/connect"},
		module + "/llm/anthropic": {"llm/anthropic", "llm/connect"},
		module + "/llm/gemini":    {"llm/gemini", "llm/connect"},
		module + "/llm/connect":   {"llm/connect", "cmd/taste"},
	}
	seen := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			for prefix, pkgs := range may {
				if !strings.HasPrefix(name, prefix) {
					continue
				}
				seen[prefix] = true
				if !slices.Contains(pkgs, path.Dir(filepath.ToSlash(rel))) {
					t.Errorf("%s imports %s", rel, name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != len(may) {
		t.Errorf("seen are only %v: does the test still look where they are?", seen)
	}
}
