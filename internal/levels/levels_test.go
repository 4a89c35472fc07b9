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

const module = "taste"

// levels lists the packages from the lowest level up; those of one line do not
// import each other. A trailing / stands for all packages below.
var levels = []string{
	"pyjson stats internal/gitdir internal/hint internal/shared internal/ui",
	"pyjson/ internal/words",
	"chat",
	"tau llm llm/internal/wire",
	"env llm/cache llm/scripted llm/openai llm/anthropic llm/gemini prompts",
	"env/native llm/connect",
	"env/native/",
	"domain/builtin",
	"domain/ eval internal/library",
	"results toolseq kmedoids",
	"toolseq/ view",
	"inspect",
	"contract phrase",
	"role",
	"sim",
	"rules remote person",
	"models",
	"gates players",
	"synth",
	"run",
	"report trials",
	"cmd/",
	"internal/levels",
}

func level(pkg string) int {
	return slices.IndexFunc(levels, func(line string) bool {
		return slices.ContainsFunc(strings.Fields(line), func(entry string) bool {
			return entry == pkg || strings.HasSuffix(entry, "/") && strings.HasPrefix(pkg, entry)
		})
	})
}

// imports yields every import of one of our packages outside tests.
func imports(t *testing.T, yield func(file, pkg, imported string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && file != root && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if inner, ok := strings.CutPrefix(name, module+"/"); ok {
				yield(rel, pkg, inner)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// own says whether imported lies inside pkg, as its internal packages do.
func own(pkg, imported string) bool { return strings.HasPrefix(imported, pkg+"/") }

func TestPackagesImportLowerLevels(t *testing.T) {
	seen := 0
	imports(t, func(file, pkg, imported string) {
		seen++
		from, to := level(pkg), level(imported)
		switch {
		case own(pkg, imported) || own(imported, pkg) || strings.Contains(pkg, "/internal/"):
		case from < 0 || to < 0:
			t.Errorf("%s: %s or %s has no level: give it one", file, pkg, imported)
		case to >= from:
			t.Errorf("%s: %s (level %d) imports %s (level %d)", file, pkg, from, imported, to)
		}
	})
	if seen < 50 {
		t.Errorf("only %d imports found: is this the module?", seen)
	}
}

// Below cmd nothing exits, prints, or reads the environment, the clock or
// global randomness.
func TestOnlyCommandsTouchTheProcess(t *testing.T) {
	banned := map[string][]string{
		"os":           {"Exit", "Getenv", "LookupEnv", "Environ", "Stdout", "Stderr", "Stdin", "Args"},
		"fmt":          {"Print", "Println", "Printf"},
		"time":         {"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"},
		"log":          {"Print", "Println", "Printf", "Fatal", "Fatalf", "Panic"},
		"math/rand/v2": {"Int", "IntN", "Uint64", "Float64", "Shuffle", "Perm", "N"},
	}
	for _, use := range selectors(t, banned) {
		if !strings.HasPrefix(use.pkg, "cmd/") && use.pkg != "internal/shared" {
			t.Errorf("%s uses %s", use.where, use.what)
		}
	}
}
