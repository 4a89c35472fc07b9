package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"taste/chat"
)

func (a *app) domainCommand() *cobra.Command {
	c := &cobra.Command{Use: "domain", Short: "Describe the domains", Args: cobra.NoArgs}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(a.domainListCommand(), a.domainShowCommand())
	return c
}

// listed is a domain in a list.
type listed struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
	About string `json:"about"`
}

func (a *app) domainListCommand() *cobra.Command {
	var machine bool
	c := &cobra.Command{Use: "list", Short: "List the built-in domains", Args: positional(0, 0, "none")}
	c.Flags().BoolVar(&machine, "json", false, "print JSON")
	c.RunE = func(*cobra.Command, []string) error {
		var all []listed
		for _, b := range builtins {
			d, err := b.domain(1)
			if err != nil {
				return err
			}
			all = append(all, listed{b.name, len(d.Tools), b.about})
		}
		if machine {
			return printJSON(a.out, all)
		}
		w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
		for _, l := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, plural(l.Tools, "tool"), l.About)
		}
		return w.Flush()
	}
	return c
}

func (a *app) domainShowCommand() *cobra.Command {
	var f sourceFlags
	var machine bool
	var policy string
	c := &cobra.Command{Use: "show DOMAIN", Short: "Show a domain's data, tools and contract", Args: positional(1, 1, "a domain")}
	f.add(c.Flags())
	c.Flags().StringVar(&policy, "policy", "", "print the policy alone; --policy=NAME prints another one of the domain's")
	c.Flags().Lookup("policy").NoOptDefVal = firstPolicy
	c.Flags().BoolVar(&machine, "json", false, "print JSON, policy and tool schemas included")
	c.RunE = func(_ *cobra.Command, args []string) error {
		src, err := f.load(args[0])
		if err != nil {
			return err
		}
		if policy != "" && policy != firstPolicy {
			if src.Domain, err = src.Domain.WithPolicy(policy); err != nil {
				return inputError{err}
			}
		}
		if policy != "" && !machine {
			_, err = fmt.Fprintln(a.out, src.Domain.Policy)
			return err
		}
		if machine {
			return printJSON(a.out, showing(src))
		}
		return showing(src).print(a.out)
	}
	return c
}

// firstPolicy stands for the policy that a domain has without a name.
const firstPolicy = "first"

// shown describes a domain.
type shown struct {
	Domain    string          `json:"domain"`
	Pack      string          `json:"pack"`
	WorldSeed *uint64         `json:"world_seed"` // null with a pack
	Source    string          `json:"source"`
	License   string          `json:"license"`
	Clock     string          `json:"clock"`
	Hash      string          `json:"database_hash"`
	Tables    []showTable     `json:"tables"`
	Policy    string          `json:"policy"`
	Policies  []string        `json:"further_policies"` // names
	SeedTasks int             `json:"seed_tasks"`
	SeedSet   string          `json:"seed_task_set"`
	Contract  showRules       `json:"contract"`
	Tools     []chat.ToolSpec `json:"tools"` // as packs spell them
}

type showTable struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// showRules counts what a contract holds.
type showRules struct {
	Sequence int `json:"sequence_rules"`
	Policy   int `json:"policy_rules"`
	Wishes   int `json:"wishes"`
	Troubles int `json:"troubles"`
	Faults   int `json:"faults"`
}

func showing(src *source) *shown {
	d, e, c := src.Domain, src.Domain.Environment(), src.Contract
	s := &shown{
		Domain: d.Name, Pack: d.Pack, WorldSeed: src.WorldSeed, Source: d.Source, License: d.License, Clock: d.Clock, Hash: e.Hash(),
		Policy: d.Policy, Policies: append([]string{}, slices.Sorted(maps.Keys(d.Policies))...), SeedTasks: len(src.SeedTasks), SeedSet: src.SeedSet,
		Contract: showRules{len(c.Sequence), len(c.Policy), len(c.Wishes), len(c.Troubles), len(c.Faults)}, Tools: d.Tools,
	}
	for _, t := range e.Tables() {
		s.Tables = append(s.Tables, showTable{t, len(e.Keys(t))})
	}
	return s
}

// print writes a few tables.
func (s *shown) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "domain\t%s\npack\t%s\nsource\t%s\nlicence\t%s\nclock\t%s\ndatabase\t%s\n", s.Domain, s.Pack, s.Source, s.License, s.Clock, s.Hash)
	for _, t := range s.Tables {
		fmt.Fprintf(w, "  %s\t%s\n", t.Name, plural(t.Records, "record"))
	}
	fmt.Fprintf(w, "policy\t%d characters (--policy prints it)\n", len([]rune(s.Policy)))
	if len(s.Policies) > 0 {
		fmt.Fprintf(w, "further policies\t%s (--policy=NAME)\n", strings.Join(s.Policies, ", "))
	}
	fmt.Fprintf(w, "seed tasks\t%d (%s)\n", s.SeedTasks, s.SeedSet)
	r := &s.Contract
	fmt.Fprintf(w, "contract\t%d sequence rules, %d policy rules, %d wishes", r.Sequence, r.Policy, r.Wishes)
	if r.Faults > 0 {
		fmt.Fprintf(w, ", %d troubles, %d faults", r.Troubles, r.Faults)
	}
	fmt.Fprintln(w)
	s.printTools(w)
	return w.Flush()
}

// printTools lists the tools, whose they are where customers have some.
func (s *shown) printTools(w io.Writer) {
	users := 0
	for i := range s.Tools {
		if s.Tools[i].Requestor == chat.User {
			users++
		}
	}
	fmt.Fprintf(w, "tools\t%d", len(s.Tools))
	if users > 0 {
		fmt.Fprintf(w, ", %d of the agent and %d of the customer", len(s.Tools)-users, users)
	}
	fmt.Fprintln(w)
	for i := range s.Tools {
		t := &s.Tools[i]
		of := ""
		if t.Requestor == chat.User {
			of = "\tcustomer"
		}
		fmt.Fprintf(w, "  %s\t%s%s\n", t.Name, t.Type, of)
	}
}
