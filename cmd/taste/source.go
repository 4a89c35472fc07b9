package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"taste/contract"
	"taste/domain/airline"
	"taste/domain/mock"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/rules"
	"taste/run"
	"taste/tau"
)

// toolset is a domain whose tools the program carries.
type toolset struct {
	name     string
	native   env.Native
	upstream string        // what makes a pack of a checkout of τ²-bench
	specs    func() []byte // the program's own descriptions of the tools
}

// builtin is a domain that the program carries whole.
type builtin struct {
	toolset
	about    string
	domain   func(worldSeed uint64) (*env.Domain, error)
	seeds    func() ([]tau.Task, error)
	contract func() []byte
	phrases  func() [][]byte
}

// builtins are all domains, by name.
var builtins = []builtin{
	{
		toolset: toolset{"airline", airline.Native, airline.Upstream, airline.Tools},
		about:   "bookings, changes and cancellations of flights", domain: airline.Builtin,
		seeds: airline.Seeds, contract: airline.Contract, phrases: airline.Phrases,
	},
	{
		toolset: toolset{"retail", retail.Native, retail.Upstream, retail.Tools},
		about:   "orders of an online shop: cancelling, changing, returning, exchanging", domain: retail.Builtin,
		seeds: retail.Seeds, contract: retail.Contract, phrases: retail.Phrases,
	},
	{
		toolset: toolset{"telecom", telecom.Native, telecom.Upstream, telecom.Tools},
		about:   "phones and lines of a mobile operator: repairs with the customer's help, bills, data, roaming", domain: telecom.Builtin,
		seeds: telecom.Seeds, contract: telecom.Contract, phrases: telecom.Phrases,
	},
}

// packOnly are domains without a built-in world, contract and phrase book: packs
// of them can be made, checked and replayed.
var packOnly = []toolset{
	{"mock", mock.Native, mock.Upstream, mock.Tools},
}

func toolsets() []toolset {
	all := slices.Clone(packOnly)
	for _, b := range builtins {
		all = append(all, b.toolset)
	}
	return all
}

// registry holds the native implementations that packs name.
func registry() env.Registry {
	r := env.Registry{}
	for _, t := range toolsets() {
		r[env.Key(t.name, "tau2")] = t.native
	}
	return r
}

func findToolset(name string) (*toolset, error) {
	all := toolsets()
	i := slices.IndexFunc(all, func(t toolset) bool { return t.name == name })
	if i < 0 {
		return nil, usage(fmt.Errorf("unknown domain %q", name), "domains whose tools the program carries: %s", strings.Join(registry().Names(), ", "))
	}
	return &all[i], nil
}

func builtinNames() string {
	var names []string
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return strings.Join(names, ", ")
}

func findBuiltin(name string) (*builtin, error) {
	i := slices.IndexFunc(builtins, func(b builtin) bool { return b.name == name })
	if i >= 0 {
		return &builtins[i], nil
	}
	err := fmt.Errorf("unknown domain %q", name)
	if _, missing := findToolset(name); missing == nil {
		err = fmt.Errorf("of domain %q the program carries the tools alone: packs of it can be made, checked and replayed", name)
	}
	return nil, usage(err, "known domains: %s; `taste domain list` describes them", builtinNames())
}

// sourceFlags say where a domain comes from.
type sourceFlags struct {
	pack      string
	worldSeed uint64
	contract  string
	phrases   []string
	seedTasks string
	given     func(flag string) bool
}

func (f *sourceFlags) add(flags *pflag.FlagSet) {
	f.addFiles(flags)
	seedVar(flags, &f.worldSeed, "world-seed", "seed of the built-in world")
	flags.StringVar(&f.seedTasks, "seed-tasks", "", "task set of the pack that sampling starts from, or a split of its default one (default: verified, else the split base, else default)")
}

// addFiles adds the flags that say where the domain's files are.
func (f *sourceFlags) addFiles(flags *pflag.FlagSet) {
	flags.StringVar(&f.pack, "pack", "", "folder of domain data to use in the place of the built-in world")
	flags.StringVar(&f.contract, "contract", "", "contract file in the place of the domain's own")
	flags.StringSliceVar(&f.phrases, "phrases", nil, "files of a phrase book in the place of the domain's own")
	f.given = flags.Changed
}

// source is a domain with all that its roles work from.
type source struct {
	Domain    *env.Domain
	SeedSet   string
	SeedTasks []tau.Task
	WorldSeed *uint64
	Contract  *contract.Contract
	Phrases   [][]byte
	License   string // text of the data's licence, where the pack has one
	upstream  string // what τ²-bench has of the domain
	rules     []byte // the contract's text
	roles     *run.Makers
}

// load brings up a domain by name.
func (f *sourceFlags) load(name string) (*source, error) {
	b, err := findBuiltin(name)
	if err != nil {
		return nil, err
	}
	s := &source{upstream: b.upstream}
	if f.pack != "" {
		err = s.fromPack(f, name)
	} else {
		err = s.fromWorld(f, b)
	}
	if err != nil {
		return nil, err
	}
	return s, s.texts(f, b)
}

func (s *source) fromWorld(f *sourceFlags, b *builtin) error {
	if f.seedTasks != "" {
		return usage(errors.New("--seed-tasks names a task set of a pack"), "give --pack DIR with it, or leave it out")
	}
	var err error
	if s.Domain, err = b.domain(f.worldSeed); err != nil {
		return err
	}
	s.SeedSet, s.WorldSeed = "built-in", &f.worldSeed
	s.SeedTasks, err = b.seeds()
	return err
}

func (s *source) fromPack(f *sourceFlags, name string) error {
	if f.given("world-seed") {
		return usage(errors.New("--world-seed and --pack exclude each other"), "a pack has its own data: leave --world-seed out")
	}
	p, err := loadPack(f.pack)
	if err != nil {
		return err
	}
	if p.Domain.Name != name {
		return usage(fmt.Errorf("pack %s is of domain %q, not %q", f.pack, p.Domain.Name, name), "name the pack's own domain")
	}
	if p.Domain.Semantics != "tau2" {
		return usage(fmt.Errorf("pack %s has semantics %q", f.pack, p.Domain.Semantics), "tasks are made for tau2 packs")
	}
	s.Domain = p.Domain
	if err := s.seedsOf(p, f.seedTasks); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(f.pack, "LICENSE"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s.License = string(text)
	return err
}

// The task sets and the split that packs of τ²-bench have.
const (
	defaultSet  = "default"
	verifiedSet = "verified"
	baseSplit   = "base"
)

// seedsOf reads the tasks that sampling starts from: a task set of the pack, or a
// split of its default one. Without a name it is the verified set, else the base
// split where that leaves something out, else the default set.
func (s *source) seedsOf(p *env.Pack, name string) error {
	set := name
	switch sets := p.TaskSets(); {
	case slices.Contains(sets, name):
	case name == "" && slices.Contains(sets, verifiedSet):
		set = verifiedSet
	default:
		set = defaultSet
	}
	all, err := p.Tasks(set)
	if err != nil {
		return err
	}
	s.SeedSet, s.SeedTasks = set, all
	if set == name || set == verifiedSet {
		return nil
	}
	split := cmp.Or(name, baseSplit)
	part, err := splitOf(p, set, split, all)
	switch {
	case err != nil && name != "":
		return fmt.Errorf("--seed-tasks: %w", err)
	case err == nil && (name != "" || len(part) < len(all)):
		s.SeedSet, s.SeedTasks = split, part
	}
	return nil
}

// splitOf keeps the tasks of a pack's task set that are in a split.
func splitOf(p *env.Pack, set, split string, tasks []tau.Task) ([]tau.Task, error) {
	head, err := readPackHead(p.Dir)
	if err != nil {
		return nil, err
	}
	return (&origin{dir: p.Dir, file: set, pack: head}).split(split, "", tasks)
}

// size is how many tasks a benchmark of the domain has by default.
func (s *source) size() int {
	if s.WorldSeed != nil {
		return defaultTasks
	}
	return len(s.SeedTasks)
}

// texts reads contract and phrase book.
func (s *source) texts(f *sourceFlags, b *builtin) error {
	var err error
	if s.rules = b.contract(); f.contract != "" {
		if s.rules, err = os.ReadFile(f.contract); err != nil {
			return usage(err, "give a readable contract file")
		}
	}
	if s.Phrases = b.phrases(); len(f.phrases) > 0 {
		if s.Phrases, err = readAll(f.phrases); err != nil {
			return usage(err, "give readable files of a phrase book")
		}
	}
	if s.Contract, err = contract.Load(s.rules); err != nil {
		return usage(fmt.Errorf("load contract %s: %w", f.contract, err), "ARCHITECTURE.md describes the language")
	}
	if d := s.Contract.Domain; d != b.name {
		return usage(fmt.Errorf("contract %s is of domain %q, not %q", f.contract, d, b.name), "give a contract of the domain itself")
	}
	if f.contract != "" {
		return errors.Join(s.cites(f.contract), usage(s.spelt(b), "ARCHITECTURE.md describes the language; fields are those of the records, arguments and answers of the domain"))
	}
	return nil
}

// cites refuses a contract that was given where it cites what does not stand in the
// policy. Packs with policies of their own may come with the domain's contract.
func (s *source) cites(file string) error {
	policy := "pack"
	if s.WorldSeed != nil {
		policy = "builtin"
	}
	err := s.Contract.CheckCites(policy, s.Domain.Policy)
	if err != nil {
		err = fmt.Errorf("contract %s: %w", file, err)
	}
	return usage(err, "a place is %s/HEADINGS/NUMBER, the headings joined by dots and sentences counted below them; `taste domain show %s --policy` prints the policy, with --pack that of the pack", policy, s.Domain.Name)
}

// spelt names fields of the contract that nothing has. Records of a pack may lack
// some, so that those of the built-in world count, too.
func (s *source) spelt(b *builtin) error {
	worlds := []*env.Domain{s.Domain}
	if s.WorldSeed == nil {
		world, err := b.domain(1)
		if err != nil {
			return err
		}
		worlds = append(worlds, world)
	}
	return rules.Spelt(s.Contract, worlds...)
}

func readAll(paths []string) ([][]byte, error) {
	var out [][]byte
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

// describe is what the manifest says of the domain.
func (s *source) describe() (run.Domain, error) {
	d := s.Domain
	tools, err := json.Marshal(d.Tools)
	if err != nil {
		return run.Domain{}, err
	}
	e := d.Environment()
	return run.Domain{
		Name: d.Name, Pack: d.Pack, Semantics: d.Semantics, WorldSeed: s.WorldSeed, SeedTasks: s.SeedSet,
		License: d.License, Source: d.Source,
		Hashes: map[string]string{
			"database": e.Hash(), "policy": digest([]byte(d.Policy)), "tools": digest(tools),
			"seed_tasks": digest(tau.AppendTasks(nil, s.SeedTasks)), "contract": digest(s.rules), "phrases": digest(bytes.Join(s.Phrases, nil)),
		},
	}, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// label names the database in words.
func (s *source) label() string {
	if s.WorldSeed != nil {
		return fmt.Sprintf("built-in world %d", *s.WorldSeed)
	}
	return "pack " + s.Domain.Pack
}
