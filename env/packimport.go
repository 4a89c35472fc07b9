package env

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taste/chat"
	"taste/internal/hint"
	"taste/pyjson"
)

// Import makes a pack of one domain from a checkout of τ²-bench.
type Import struct {
	Checkout string // the repository's folder
	Origin   Origin // what was checked out there
	Domain   string
	Upstream string // the part of the manifest that names the domain's own files, JSON
	Native   Native
	Name     string     // of the pack
	Tools    []byte     // content of its file of tool specifications
	More     []MoreTask // beside the checkout's own tasks
}

// Origin says which commit of which repository ("owner/name") data are from.
type Origin struct{ Repository, Commit string }

// MoreTask is a further file of tasks for a pack.
type MoreTask struct {
	Set    string // name of the task set
	File   string
	Origin Origin // zero: not known
}

// ErrCheckout: a folder is no checkout of τ²-bench with the data of the domain.
var ErrCheckout = errors.New("not a checkout of τ²-bench")

// Folders of a checkout.
var (
	checkoutDomains = filepath.Join("data", "tau2", "domains")
	checkoutUsers   = filepath.Join("data", "tau2", "user_simulator")
)

const importedTools = "tools.json"

// Write writes the pack into an empty folder. What is missing in the checkout is
// an error, and nothing is written then; what is wrong inside its files is not:
// CheckPack finds it, and there are no hashes of databases that do not load.
func (im *Import) Write(dir string) error {
	man, files, err := im.plan()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := f.copyTo(dir); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, importedTools), im.Tools, 0o666); err != nil {
		return err
	}
	if err := writeManifest(dir, man); err != nil {
		return err
	}
	im.addHashes(dir, man)
	return writeManifest(dir, man)
}

// copied is a file of a pack: where it is taken from and its name in the pack.
type copied struct{ from, name string }

func (f copied) copyTo(dir string) error {
	data, err := os.ReadFile(f.from)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, f.name), data, 0o666)
}

// plan makes the manifest and the list of files, and checks that these are
// there.
func (im *Import) plan() (*pyjson.Object, []copied, error) {
	own, err := pyjson.DecodeObject([]byte(im.Upstream))
	if err != nil {
		return nil, nil, fmt.Errorf("read what the domain takes of a checkout: %w", err)
	}
	data := filepath.Join(im.Checkout, checkoutDomains, im.Domain)
	if err := im.Find(); err != nil {
		return nil, nil, err
	}
	files := []copied{{filepath.Join(im.Checkout, "LICENSE"), "LICENSE"}}
	for _, name := range filesOf(own) {
		files = append(files, copied{filepath.Join(data, name), name})
	}
	files = append(files, copied{filepath.Join(data, "tasks.json"), "tasks.json"})
	tasks := pyjson.NewObject("default", "tasks.json")
	man := pyjson.NewObject("format", int64(packFormat), "name", im.Name, "domain", im.Domain, "semantics", "tau2",
		"license", "", "source", im.Origin.json())
	for k, v := range own.All() {
		man.Set(k, v)
	}
	man.Set("tools", importedTools)
	man.Set("tasks", tasks)
	if from := filepath.Join(data, "split_tasks.json"); fileExists(from) {
		files = append(files, copied{from, "splits.json"})
		man.Set("splits", "splits.json")
	}
	for _, m := range im.More {
		name := "tasks_" + m.Set + ".json"
		files = append(files, copied{m.File, name})
		tasks.Set(m.Set, name)
		if m.Origin != (Origin{}) {
			man.Set("source_"+m.Set, m.Origin.json())
		}
	}
	files = append(files, im.guidelines(man)...)
	if err := im.complete(files); err != nil {
		return nil, nil, err
	}
	license, err := os.ReadFile(files[0].from)
	man.Set("license", licenseInWords(string(license)))
	return man, files, err
}

// guidelines adds the instructions to a simulated user.
func (im *Import) guidelines(man *pyjson.Object) []copied {
	users := filepath.Join(im.Checkout, checkoutUsers)
	files := []copied{{filepath.Join(users, "simulation_guidelines.md"), "user_guidelines.md"}}
	man.Set("user_guidelines", "user_guidelines.md")
	if len(im.Native.Tools(chat.User)) > 0 {
		files = append(files, copied{filepath.Join(users, "simulation_guidelines_tools.md"), "user_guidelines_tools.md"})
		man.Set("user_guidelines_tools", "user_guidelines_tools.md")
	}
	return files
}

func (o Origin) json() *pyjson.Object {
	return pyjson.NewObject("repository", o.Repository, "commit", o.Commit)
}

// filesOf returns the files that policies and databases of a manifest name,
// each once.
func filesOf(man *pyjson.Object) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for key, v := range man.All() {
		if key == "databases" {
			for _, file := range v.(*pyjson.Object).All() {
				add(pyjson.Str(file))
			}
		}
		parts, _ := v.([]any)
		for _, part := range parts {
			file, _ := policyPart(part)
			add(file)
		}
	}
	return names
}

// Find says what a folder is where it is no checkout with the domain's data:
// the error wraps ErrCheckout.
func (im *Import) Find() error {
	const advice = "give the folder of the repository itself, which has data/tau2/domains"
	if _, err := os.Stat(im.Checkout); errors.Is(err, fs.ErrNotExist) {
		return hint.Add(fmt.Errorf("%s: %w: there is no such folder", im.Checkout, ErrCheckout), advice)
	}
	entries, err := os.ReadDir(filepath.Join(im.Checkout, checkoutDomains))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is missing", checkoutDomains)
	}
	if err != nil {
		return hint.Add(fmt.Errorf("%s: %w: %w", im.Checkout, ErrCheckout, err), advice)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if slices.Contains(names, im.Domain) {
		return nil
	}
	return hint.Add(fmt.Errorf("%s: %w with data of domain %s", im.Checkout, ErrCheckout, im.Domain), "it has data of %s", strings.Join(names, ", "))
}

// complete says which files are missing, all at once.
func (im *Import) complete(files []copied) error {
	var missing []string
	for _, f := range files {
		if !fileExists(f.from) {
			missing = append(missing, f.from)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	err := fmt.Errorf("%s: %w", strings.Join(missing, ", "), fs.ErrNotExist)
	return hint.Add(err, "is the checkout complete? `git status` in it shows what is missing")
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// licenseInWords makes "MIT, Copyright (c) 2025 Somebody" of a licence's text;
// one without a notice of copyright gives its first line.
func licenseInWords(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && len(kept) == 0 {
			kept = append(kept, strings.TrimSuffix(line, " License"))
		} else if strings.HasPrefix(line, "Copyright") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, ", ")
}

// addHashes completes the manifest of a pack that is written otherwise.
func (im *Import) addHashes(dir string, man *pyjson.Object) {
	l := &loader{dir: dir}
	l.load(Registry{Key(im.Domain, "tau2"): im.Native})
	sum := sha256.Sum256([]byte(l.domain.Policy))
	man.Set("policy_sha256", hex.EncodeToString(sum[:]))
	if l.initial == nil {
		return
	}
	hashes := make([]any, len(sides))
	for i, side := range sides {
		if h := l.initial.Hash(side); h != "" {
			hashes[i] = h
		}
	}
	man.Set("initial_hash", hashes)
}

func writeManifest(dir string, man *pyjson.Object) error {
	data := pyjson.Append(nil, man, pyjson.Style{Indent: " "})
	return os.WriteFile(filepath.Join(dir, manifestName), append(bytes.TrimSpace(data), '\n'), 0o666)
}
