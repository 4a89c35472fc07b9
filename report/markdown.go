package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"taste/stats"
	"taste/toolseq"
)

//go:embed report.md.tmpl
var layout string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"join":    func(s []string) string { return strings.Join(s, ", ") },
	"arrows":  func(s []string) string { return strings.Join(s, " → ") },
	"percent": func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) },
	"share":   func(n, of int) string { return fmt.Sprintf("%d (%.0f %%)", n, 100*float64(n)/float64(max(1, of))) },
	"plural": func(n int, thing string) string {
		if n != 1 {
			thing += "s"
		}
		return fmt.Sprintf("%d %s", n, thing)
	},
	"two":  func(x float64) string { return fmt.Sprintf("%.2f", x) },
	"mul":  func(x float64) float64 { return 100 * x },
	"rows": rows,
	"interval": func(s stats.Share) string {
		return fmt.Sprintf("%.2f (%.2f to %.2f)", s.Share, s.Low, s.High)
	},
	"drop": func(d *float64) string {
		if d == nil {
			return "–"
		}
		return fmt.Sprintf("%.0f %%", 100**d)
	},
	"p":        func(p float64) string { return fmt.Sprintf("%.2g", p) },
	"telling":  func(agent string) bool { return agent == "greedy" },
	"quote":    func(text string) string { return strings.ReplaceAll(text, "\n", "\n>\n> ") },
	"customer": func(technique string) string { return does[technique] },
}).Parse(layout))

// Markdown writes the report for people.
func (r *Report) Markdown() ([]byte, error) {
	var out bytes.Buffer
	err := page.Execute(&out, r)
	return out.Bytes(), err
}

// Unmade is how many of the missing tasks had a sequence.
func (r *Report) Unmade() int { return r.Missing - r.Dropped }

// row is a metric of the coverage table.
type row struct{ Name, Benchmark, SeedTasks string }

func rows(c Coverage) []row {
	var out []row
	add := func(name, format string, of func(*toolseq.Coverage) any) {
		out = append(out, row{name, fmt.Sprintf(format, of(&c.Benchmark)), fmt.Sprintf(format, of(&c.SeedTasks))})
	}
	add("tasks", "%d", func(c *toolseq.Coverage) any { return c.Sequences })
	add("average length", "%.2f", func(c *toolseq.Coverage) any { return c.Length })
	if !c.Changes {
		add("W/R", "%.2f", func(c *toolseq.Coverage) any { return c.WriteRead })
	}
	add("WED intra", "%.2f", func(c *toolseq.Coverage) any { return c.WED })
	for n := 1; n <= 4; n++ {
		add(fmt.Sprintf("H%d (bits)", n), "%.2f", func(c *toolseq.Coverage) any { return c.Entropy[n] })
	}
	add("H avg norm", "%.2f", func(c *toolseq.Coverage) any { return c.EntropyNorm })
	add("unique sequences", "%d", func(c *toolseq.Coverage) any { return c.UniqueSequences })
	for n := 2; n <= 6; n++ {
		add(fmt.Sprintf("unique %d-grams", n), "%d", func(c *toolseq.Coverage) any { return c.Unique[n] })
	}
	add("mean TTR", "%.2f", func(c *toolseq.Coverage) any { return c.TTR })
	return out
}
