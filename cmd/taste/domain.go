package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func (a *app) domainCommand() *cobra.Command {
	c := &cobra.Command{Use: "domain", Short: "Describe the domains", Args: cobra.NoArgs}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(a.domainListCommand(), a.domainShowCommand())
	return c
}

func (a *app) domainListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the built-in domains", Args: positional(0, 0, "none"),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, b := range builtins {
				d, err := b.domain(1)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%s\t%d tools\t%s\n", b.name, len(d.Tools), b.about)
			}
			return w.Flush()
		},
	}
}

func (a *app) domainShowCommand() *cobra.Command {
	var f sourceFlags
	var policy bool
	c := &cobra.Command{Use: "show DOMAIN", Short: "Show a domain's data, tools and contract", Args: positional(1, 1, "a domain")}
	f.add(c.Flags())
	c.Flags().BoolVar(&policy, "policy", false, "print the policy alone")
	c.RunE = func(_ *cobra.Command, args []string) error {
		src, err := f.load(args[0])
		if err != nil {
			return err
		}
		if policy {
			_, err = fmt.Fprintln(a.out, src.Domain.Policy)
			return err
		}
		return show(a.out, src)
	}
	return c
}

// show describes a domain in a few tables.
func show(out io.Writer, src *source) error {
	d, e := src.Domain, src.Domain.Environment()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "domain\t%s\npack\t%s\nsource\t%s\nlicence\t%s\nclock\t%s\ndatabase\t%s\n", d.Name, d.Pack, d.Source, d.License, d.Clock, e.Hash())
	for _, t := range e.Tables() {
		fmt.Fprintf(w, "  %s\t%d records\n", t, len(e.Keys(t)))
	}
	fmt.Fprintf(w, "policy\t%d characters (--policy prints it)\n", len([]rune(d.Policy)))
	fmt.Fprintf(w, "seed tasks\t%d (%s)\n", len(src.SeedTasks), src.SeedSet)
	c := src.Contract
	fmt.Fprintf(w, "contract\t%d sequence rules, %d policy rules, %d wishes\n", len(c.Sequence), len(c.Policy), len(c.Wishes))
	fmt.Fprintf(w, "tools\t%d\n", len(d.Tools))
	for i := range d.Tools {
		t := &d.Tools[i]
		fmt.Fprintf(w, "  %s\t%s\n", t.Name, t.Type)
	}
	return w.Flush()
}
