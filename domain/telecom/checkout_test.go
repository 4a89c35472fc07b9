package telecom

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/env"
	"taste/internal/shared"
)

// What a domain is written as for τ²-bench reads as that domain.
func TestCheckoutReadsBack(t *testing.T) {
	d, err := Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.Checkout(Upstream)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	root, out := t.TempDir(), t.TempDir()
	write := func(path string, data []byte) {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		names[filepath.Base(f.Path)] = true
		write(filepath.Join("data", f.Path), f.Data)
	}
	for _, name := range []string{"main_policy.md", "tech_support_manual.md", "tech_support_workflow.md", "main_policy_solo.md", "tech_support_workflow_solo.md", "db.toml", "user_db.toml", "simulation_guidelines.md", "simulation_guidelines_tools.md"} {
		if !names[name] {
			t.Errorf("%s is missing", name)
		}
	}
	write("LICENSE", []byte("MIT License\n"))
	write(filepath.Join("data", "tau2", "domains", "telecom", "tasks.json"), []byte("[]"))
	im := &env.Import{Checkout: root, Domain: "telecom", Upstream: Upstream, Native: Native, Name: "again", Tools: Tools()}
	if err := im.Write(out); err != nil {
		t.Fatal(err)
	}
	p, err := env.LoadPack(out, env.Registry{env.Key("telecom", "tau2"): Native})
	if err != nil {
		t.Fatal(err)
	}
	was, is := d.Environment(), p.Domain.Environment()
	if was.Hash() != is.Hash() || was.UserHash() != is.UserHash() {
		t.Errorf("databases differ: %v", was.Diff(is))
	}
	if p.Domain.Policy != d.Policy || len(d.Policies) != 3 || !maps.Equal(p.Domain.Policies, d.Policies) {
		t.Error("the policies are other ones")
	}
	if p.Domain.UserToolGuidelines != d.UserToolGuidelines {
		t.Error("the instructions to users are other ones")
	}
}

// A pack's policies are written as the files that they are put together of.
func TestCheckoutOfThePack(t *testing.T) {
	d, dir := telecomPack(t), filepath.Join(shared.Dir(t), "packs", "tau2-telecom")
	files, err := d.Checkout(Upstream)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		if filepath.Ext(f.Path) != ".md" || strings.Contains(f.Path, "user_simulator") {
			continue
		}
		found++
		data, err := os.ReadFile(filepath.Join(dir, filepath.Base(f.Path)))
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != string(f.Data) {
			t.Errorf("%s is not the pack's", f.Path)
		}
	}
	if found != 5 {
		t.Errorf("%d files of policies, want 5", found)
	}
}
