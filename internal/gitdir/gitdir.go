// Package gitdir reads from a checkout which commit of which repository it is,
// without git.
package gitdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ErrNone: a folder lies in no git repository.
var ErrNone = errors.New("not in a git repository")

// Head returns the commit, in hex, that is checked out in the repository in
// which path lies. Changes to the files since are not seen.
func Head(path string) (commit string, err error) {
	dir, err := find(path)
	if err != nil {
		return "", err
	}
	head, err := line(filepath.Join(dir, "HEAD"))
	if err != nil {
		return "", fmt.Errorf("read commit of %s: %w", path, err)
	}
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return head, nil
	}
	for _, d := range []string{dir, common(dir)} {
		if commit, err := line(filepath.Join(d, filepath.FromSlash(ref))); err == nil {
			return commit, nil
		}
	}
	if commit := packed(common(dir), ref); commit != "" {
		return commit, nil
	}
	return "", fmt.Errorf("read commit of %s: %s has no commit", path, ref)
}

var github = regexp.MustCompile(`github\.com[:/]([^/\s]+/[^/\s]+?)(\.git)?/?\s*$`)

// Repository returns "owner/name" of the repository's origin on GitHub, or "".
func Repository(path string) string {
	dir, err := find(path)
	if err != nil {
		return ""
	}
	data, err := os.ReadFile(filepath.Join(common(dir), "config"))
	if err != nil {
		return ""
	}
	origin := false
	for l := range strings.Lines(string(data)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			origin = l == `[remote "origin"]`
		}
		if m := github.FindStringSubmatch(l); origin && m != nil && strings.HasPrefix(l, "url") {
			return m[1]
		}
	}
	return ""
}

// find returns the git directory of the repository in which path lies.
func find(path string) (string, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for {
		git := filepath.Join(at, ".git")
		info, err := os.Stat(git)
		if err == nil && info.IsDir() {
			return git, nil
		}
		if err == nil {
			return linked(at, git)
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", fmt.Errorf("%s: %w", path, ErrNone)
		}
		at = parent
	}
}

// linked follows the file that a further work tree has in the place of a git
// directory.
func linked(at, file string) (string, error) {
	text, err := line(file)
	if err != nil {
		return "", err
	}
	dir, ok := strings.CutPrefix(text, "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s: %w", file, ErrNone)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(at, dir)
	}
	return dir, nil
}

// common returns the git directory that work trees share.
func common(dir string) string {
	shared, err := line(filepath.Join(dir, "commondir"))
	if err != nil {
		return dir
	}
	if filepath.IsAbs(shared) {
		return shared
	}
	return filepath.Join(dir, shared)
}

func packed(dir, ref string) string {
	data, err := os.ReadFile(filepath.Join(dir, "packed-refs"))
	if err != nil {
		return ""
	}
	for l := range strings.Lines(string(data)) {
		if commit, name, ok := strings.Cut(strings.TrimSpace(l), " "); ok && name == ref {
			return commit
		}
	}
	return ""
}

// line reads a file of one line.
func line(path string) (string, error) {
	data, err := os.ReadFile(path)
	return strings.TrimSpace(string(data)), err
}
