package gitdir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

// tree writes files, by path.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestHead(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"detached": {".git/HEAD": commit + "\n"},
		"branch":   {".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": commit + "\n"},
		"packed":   {".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": "# pack-refs\n" + commit + " refs/heads/main\n"},
		"further work tree": {
			".git": "gitdir: main/.git/worktrees/a\n", "main/.git/worktrees/a/HEAD": "ref: refs/heads/a\n",
			"main/.git/worktrees/a/commondir": "../..\n", "main/.git/refs/heads/a": commit + "\n",
		},
	} {
		files["deep/inside/file"] = ""
		for _, at := range []string{".", "deep/inside"} {
			got, err := Head(filepath.Join(tree(t, files), at))
			if err != nil || got != commit {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}

func TestHeadErrors(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no commit yet":   {".git/HEAD": "ref: refs/heads/main\n"},
		"no head":         {".git/config": ""},
		"no git file":     {".git": "hello\n"},
		"dead work tree":  {".git": "gitdir: nowhere\n"},
		"other refs only": {".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": commit + " refs/heads/other\n"},
	} {
		if got, err := Head(tree(t, files)); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, err := Head(filepath.Join(t.TempDir(), "nowhere")); err != nil && !errors.Is(err, ErrNone) {
		t.Errorf("outside: %v", err)
	}
}

func TestRepository(t *testing.T) {
	for url, want := range map[string]string{
		"https://github.com/ann/tools.git":  "ann/tools",
		"https://github.com/ann/tools":      "ann/tools",
		"https://github.com/ann/tools/":     "ann/tools",
		"git@github.com:ann/tools.git":      "ann/tools",
		"ssh://git@github.com/ann/my.tools": "ann/my.tools",
		"/home/ann/tools":                   "",
	} {
		config := "[remote \"fork\"]\n\turl = https://github.com/bob/other.git\n[remote \"origin\"]\n\tfetch = x\n\turl = " + url + "\n"
		if got := Repository(tree(t, map[string]string{".git/HEAD": commit, ".git/config": config})); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if got := Repository(tree(t, map[string]string{".git/HEAD": commit})); got != "" {
		t.Errorf("without a configuration: %q", got)
	}
}
