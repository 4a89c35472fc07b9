package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"taste/chat"
	"taste/run"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

// coverageFlags are those of `taste coverage`.
type coverageFlags struct {
	domain  string
	pack    string
	without []string
	tools   bool
	machine bool
}

func (a *app) coverageCommand() *cobra.Command {
	var f coverageFlags
	c := &cobra.Command{
		Use: "coverage TASKS…", Short: "Measure how much of the space of tool sequences task files cover",
		Long: `Coverage prints the metrics of each task file side by side. TASKS are τ² task
files or run directories. Gold actions of all tasks count, those without any
included; entropies are normalised by the number of tools in the specification.`,
		Args: positional(1, -1, "task files"),
	}
	fs := c.Flags()
	fs.StringVar(&f.domain, "domain", "airline", "built-in domain whose tools the tasks use")
	fs.StringVar(&f.pack, "pack", "", "pack whose tools the tasks use, in the place of a built-in domain")
	fs.StringSliceVar(&f.without, "without", nil, "tools of the specification that do not count where entropies are normalised")
	fs.BoolVar(&f.tools, "tools", false, "add the share of tasks that use each tool")
	fs.BoolVar(&f.machine, "json", false, "print JSON")
	c.RunE = func(_ *cobra.Command, args []string) error {
		v, err := f.vocabulary()
		if err != nil {
			return err
		}
		cols, err := measureAll(v, args)
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
	return c
}

// vocabulary is made of the tools of a built-in domain or a pack. Only a pack's
// tool specifications are read, so that domains without native tools can be
// measured too.
func (f *coverageFlags) vocabulary() (toolseq.Vocab, error) {
	var tools []chat.ToolSpec
	if f.pack != "" {
		specs, err := packTools(f.pack)
		if err != nil {
			return toolseq.Vocab{}, err
		}
		tools = specs
	} else {
		b, err := findBuiltin(f.domain)
		if err != nil {
			return toolseq.Vocab{}, err
		}
		d, err := b.domain(1)
		if err != nil {
			return toolseq.Vocab{}, err
		}
		tools = d.Tools
	}
	return synth.Vocabulary(tools)
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

// column is one file's coverage.
type column struct {
	Label string `json:"label"`
	File  string `json:"file"`
	toolseq.Coverage
}

func measureAll(v toolseq.Vocab, files []string) ([]column, error) {
	var cols []column
	for i, label := range labels(files) {
		seqs, err := goldSequences(v, files[i])
		if err != nil {
			return nil, err
		}
		c, err := toolseq.Measure(v, seqs)
		if err != nil {
			return nil, err
		}
		cols = append(cols, column{label, files[i], c})
	}
	return cols, nil
}

// labels are the files' names, with their folders where names are equal.
func labels(files []string) []string {
	count := map[string]int{}
	for _, f := range files {
		count[filepath.Base(f)]++
	}
	out := make([]string, len(files))
	for i, f := range files {
		if out[i] = filepath.Base(f); count[out[i]] > 1 {
			out[i] = filepath.Join(filepath.Base(filepath.Dir(f)), out[i])
		}
	}
	return out
}

// loadTasks reads a task file, or the one of a run directory.
func loadTasks(path string) ([]tau.Task, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, run.TasksFile)
	}
	tasks, err := tau.LoadTasks(path)
	return tasks, usage(err, "a task file is a JSON array of tasks in the schema of τ²-bench")
}

func goldSequences(v toolseq.Vocab, path string) ([][]int, error) {
	tasks, err := loadTasks(path)
	if err != nil {
		return nil, err
	}
	var out [][]int
	for i := range tasks {
		seq, err := synth.Numbers(v, run.GoldSequence(&tasks[i]))
		if err != nil {
			return nil, usage(&tau.FileError{File: path, Task: tasks[i].ID, Path: "evaluation_criteria.actions", Err: err},
				"give the tasks' own domain with --domain or --pack")
		}
		out = append(out, seq)
	}
	if len(out) == 0 {
		return nil, usage(fmt.Errorf("%s: no tasks", path), "a task file is a JSON array of tasks")
	}
	return out, nil
}

func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(v)
}

// metric is one row of the table.
type metric struct {
	name string
	of   func(*toolseq.Coverage) string
}

func metrics() []metric {
	number := func(name string, of func(*toolseq.Coverage) float64) metric {
		return metric{name, func(c *toolseq.Coverage) string { return fmt.Sprintf("%.2f", of(c)) }}
	}
	count := func(name string, of func(*toolseq.Coverage) int) metric {
		return metric{name, func(c *toolseq.Coverage) string { return strconv.Itoa(of(c)) }}
	}
	rows := []metric{
		count("tasks", func(c *toolseq.Coverage) int { return c.Sequences }),
		number("average length", func(c *toolseq.Coverage) float64 { return c.Length }),
		number("W/R", func(c *toolseq.Coverage) float64 { return c.WriteRead }),
		number("WED intra", func(c *toolseq.Coverage) float64 { return c.WED }),
	}
	for n := 1; n <= 4; n++ {
		rows = append(rows, number(fmt.Sprintf("H%d (bits)", n), func(c *toolseq.Coverage) float64 { return c.Entropy[n] }))
	}
	rows = append(rows, number("H avg norm", func(c *toolseq.Coverage) float64 { return c.EntropyNorm }),
		count("unique sequences", func(c *toolseq.Coverage) int { return c.UniqueSequences }))
	for n := 2; n <= 6; n++ {
		rows = append(rows, count(fmt.Sprintf("unique %d-grams", n), func(c *toolseq.Coverage) int { return c.Unique[n] }))
	}
	return append(rows, number("mean TTR", func(c *toolseq.Coverage) float64 { return c.TTR }))
}

func printCoverage(out io.Writer, v toolseq.Vocab, cols []column, tools bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	rows := metrics()
	if tools {
		for i, name := range v.Names {
			rows = append(rows, metric{name, func(c *toolseq.Coverage) string { return fmt.Sprintf("%.0f %%", 100*c.Share[i]) }})
		}
	}
	line := func(name string, cell func(*column) string) error {
		_, err := fmt.Fprint(w, name)
		for i := range cols {
			_, e := fmt.Fprintf(w, "\t%s", cell(&cols[i]))
			err = errors.Join(err, e)
		}
		_, e := fmt.Fprintln(w, "\t")
		return errors.Join(err, e)
	}
	err := line("", func(c *column) string { return c.Label })
	for _, r := range rows {
		err = errors.Join(err, line(r.name, func(c *column) string { return r.of(&c.Coverage) }))
	}
	return errors.Join(err, w.Flush())
}

func printLine(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
