package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"taste/toolseq"
)

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
