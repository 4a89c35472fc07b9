package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"taste/llm"
	"taste/llm/cache"
	"taste/run"
)

func (a *app) callsCommand() *cobra.Command {
	var prices string
	var machine bool
	c := &cobra.Command{
		Use: "calls RUN", Short: "Say what calls of language models took and cost",
		Long: `Calls sums up the kept calls of a run directory, or of a file of calls, by role
and model: each call once, however often it was of use. docs/llm.md tells what
prices are.`,
		Args: positional(1, 1, "a run directory or a file of calls"),
	}
	c.Flags().StringVar(&prices, "prices", "", "file of prices that override the program's own")
	c.Flags().BoolVar(&machine, "json", false, "for machines, as one JSON document")
	c.RunE = func(_ *cobra.Command, args []string) error {
		table, err := priceTable(prices)
		if err != nil {
			return err
		}
		b, err := billOf(args[0], table)
		if err != nil {
			return err
		}
		if machine {
			return printJSON(a.out, b)
		}
		return printBill(a.out, b)
	}
	return c
}

// priceTable is the program's table of prices, with those of a file before it.
func priceTable(file string) (*llm.Prices, error) {
	if file == "" {
		return llm.DefaultPrices(), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage(fmt.Errorf("read prices: %w", err), "")
	}
	p, err := llm.ReadPrices(data, llm.DefaultPrices())
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", file, err), "docs/llm.md shows the form of such a file")
	}
	return p, nil
}

// billOf reads the kept calls of a run directory or file.
func billOf(path string, prices *llm.Prices) (*llm.Bill, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, run.CallsFile)
	}
	s, err := cache.OpenReplay(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usage(err, "only runs in which a language model plays a role have such a file")
	}
	if err != nil {
		return nil, err
	}
	b := s.Bill(prices)
	return b, s.Close()
}

// printBill prints a bill as a table.
func printBill(out io.Writer, b *llm.Bill) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintf(w, "role\tmodel\t%8s  %10s  %10s  %10s  %10s  %10s\n", "calls", "input", "cached", "output", "reasoning", "dollars")
	line := func(role, model string, u llm.Usage, dollars *llm.Money) {
		_, e := fmt.Fprintf(w, "%s\t%s\t%8d  %10d  %10d  %10d  %10d  %10s\n", role, model, u.Calls, u.Input, u.Cached, u.Output, u.Reasoning, price(dollars))
		err = errors.Join(err, e)
	}
	for _, r := range b.Rows {
		line(r.Role, r.Model, r.Usage, r.Dollars)
	}
	line("all", "", b.Usage, b.Dollars)
	_, e := fmt.Fprintf(w, "tokens; reasoning is part of output, cached of input; prices of %s\n", b.AsOf)
	return errors.Join(err, e, w.Flush())
}

// price spells an amount to the hundredth of a cent; what has no price is
// unknown, never 0.
func price(m *llm.Money) string {
	if m == nil {
		return "unknown"
	}
	return strconv.FormatFloat(m.Float(), 'f', 4, 64)
}
