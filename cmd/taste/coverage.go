package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"taste/chat"
	"taste/internal/hint"
	"taste/run"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

// coverageFlags are those of `taste coverage`.
type coverageFlags struct {
	domain  string
	pack    string
	split   string
	without []string
	tools   bool
	machine bool
	given   func(flag string) bool
}

func (a *app) coverageCommand() *cobra.Command {
	var f coverageFlags
	c := &cobra.Command{
		Use: "coverage TASKS…", Short: "Measure how much of the space of tool sequences task files cover",
		Long: `Coverage prints the metrics of each task file side by side. TASKS are τ² task
files or run directories. Gold actions of all tasks count, those without any
included.

  average length    gold calls per task
  W/R               calls that write, per call that does not
  WED intra         weighted edit distance of two tasks' tool sequences, mean over
                    all pairs; a substitution costs 0.33 within a group of tools
                    of one type, 0.66 within a type, 1 otherwise
  Hn (bits)         entropy of the n-grams of tools, in bits
  H avg norm        H1 to H4, each by the most it could be, averaged
  unique n-grams    different runs of n calls
  mean TTR          type-token ratio: different n-grams by all n-grams, mean of
                    n = 2 to 6

docs/metrics.md has the formulas and the keys of --json.`,
		Args: positional(1, -1, "task files"),
	}
	fs := c.Flags()
	fs.StringVar(&f.domain, "domain", "", "built-in domain whose tools the tasks use (default: that of their run, their pack or the tasks themselves)")
	fs.StringVar(&f.pack, "pack", "", "pack whose tools the tasks use, in the place of a built-in domain")
	fs.StringVar(&f.split, "split", "", "count the tasks of this split alone; the splits are those of the folder that a file lies in, else of --pack")
	fs.StringSliceVar(&f.without, "without", nil, "tools of the specification that do not count where entropies are normalised")
	fs.BoolVar(&f.tools, "tools", false, "add the share of tasks that use each tool")
	fs.BoolVar(&f.machine, "json", false, "print JSON")
	f.given = fs.Changed
	c.RunE = func(_ *cobra.Command, args []string) error { return a.coverage(&f, args) }
	return c
}

func (a *app) coverage(f *coverageFlags, args []string) error {
	files, err := f.read(args)
	if err != nil {
		return err
	}
	v, err := a.vocabulary(f, &files[0])
	if err != nil {
		return err
	}
	cols, err := measureAll(v, files)
	if err != nil {
		return err
	}
	if err := f.uncount(v, cols); err != nil {
		return err
	}
	if f.machine {
		return printJSON(a.out, cols)
	}
	return printCoverage(a.out, v, cols, f.tools)
}

// taskFile is a task file that was read.
type taskFile struct {
	*origin
	arg   string // as it was given
	label string
	tasks []tau.Task
}

func (f *coverageFlags) read(args []string) ([]taskFile, error) {
	titles := labels(args)
	var out []taskFile
	for i, arg := range args {
		o, err := findOrigin(arg)
		if err != nil {
			return nil, err
		}
		t := taskFile{origin: o, arg: arg, label: titles[i]}
		if t.tasks, err = o.some(f.given("split"), f.split, f.pack); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// vocabulary is made of the tools of a pack or a built-in domain, without flags
// of that which the first file is of.
func (a *app) vocabulary(f *coverageFlags, first *taskFile) (toolseq.Vocab, error) {
	pack, domain := f.pack, f.domain
	if pack != "" && domain != "" {
		return toolseq.Vocab{}, usage(errors.New("--domain and --pack exclude each other"), "a pack names its own domain: leave --domain out")
	}
	if pack == "" && domain == "" {
		var sure bool
		domain, sure = first.domain(first.tasks)
		if first.pack != nil {
			pack = first.dir
		}
		if !sure {
			fmt.Fprintf(a.log, "coverage: nothing says what domain the tasks are of; %s is taken\n", domain)
		}
	}
	tools, err := specifications(pack, domain)
	if err != nil {
		return toolseq.Vocab{}, err
	}
	return synth.Vocabulary(tools)
}

// specifications are the tools of a pack, else of a built-in domain. Only a
// pack's tool specifications are read, so that domains without native tools can
// be measured too.
func specifications(pack, domain string) ([]chat.ToolSpec, error) {
	if pack != "" {
		head, err := readPackHead(pack)
		if err != nil {
			return nil, err
		}
		return head.tools()
	}
	b, err := findBuiltin(domain)
	if err != nil {
		return nil, hint.Add(err, "known domains: %s; name the pack of another one with --pack", builtinNames())
	}
	d, err := b.domain(1)
	if err != nil {
		return nil, err
	}
	return d.Tools, nil
}

// uncount takes the tools that do not count out of the entropies' normalisation.
func (f *coverageFlags) uncount(v toolseq.Vocab, cols []column) error {
	for _, name := range f.without {
		if _, ok := v.Index(name); !ok {
			return usage(fmt.Errorf("--without %s: no such tool", name), "tools: %s", strings.Join(v.Names, ", "))
		}
	}
	left := v.Len() - len(f.without)
	if left < 2 {
		return usage(fmt.Errorf("--without leaves %d tools", left), "leave at least 2")
	}
	for i := range cols {
		cols[i].EntropyNorm *= math.Log2(float64(v.Len())) / math.Log2(float64(left))
	}
	return nil
}

// column is one file's coverage. Shares are by tool, not by number.
type column struct {
	Label string `json:"label"`
	File  string `json:"file"`
	toolseq.Coverage
	Tools map[string]float64 `json:"share"`
}

func measureAll(v toolseq.Vocab, files []taskFile) ([]column, error) {
	var cols []column
	for i := range files {
		seqs, err := goldSequences(v, &files[i])
		if err != nil {
			return nil, err
		}
		c, err := toolseq.Measure(v, seqs)
		if err != nil {
			return nil, err
		}
		col := column{Label: files[i].label, File: files[i].arg, Coverage: c, Tools: map[string]float64{}}
		for t, name := range v.Names {
			col.Tools[name] = c.Share[t]
		}
		cols = append(cols, col)
	}
	return cols, nil
}

func goldSequences(v toolseq.Vocab, f *taskFile) ([][]int, error) {
	var out [][]int
	for i := range f.tasks {
		t := &f.tasks[i]
		seq, err := synth.Numbers(v, run.GoldSequence(t))
		if err != nil {
			return nil, usage(&tau.FileError{File: f.file, Task: t.ID, Path: "evaluation_criteria.actions", Err: err},
				"give the tasks' own domain with --domain or --pack")
		}
		out = append(out, seq)
	}
	return out, nil
}
