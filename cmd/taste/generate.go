package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"taste/gates"
	"taste/llm"
	"taste/phrase"
	"taste/report"
	"taste/rules"
	"taste/run"
)

func (a *app) generateCommand() *cobra.Command {
	var f startFlags
	c := &cobra.Command{
		Use: "generate DOMAIN", Short: "Write a benchmark of verified tasks",
		Long: `Generate does all four stages and writes a run directory: tasks.json and all
that led to it. Interrupted at any moment, the same command goes on from there
and ends with the same bytes.

With fewer tasks than asked for it ends with exit code 1, and the run directory
says why; see taste --help for the other codes. With --json the last line holds
what report.json says of coverage, attempts, checks and tools.`,
		Args: positional(1, 1, "a domain"),
	}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.dry {
			return a.dryMake(c.Context(), args[0], &f, true)
		}
		s, err := a.begin(args[0], &f)
		if err != nil {
			return err
		}
		return s.close(a.generate(c.Context(), s, f.work.machine))
	}
	return c
}

func (a *app) generate(ctx context.Context, s *stages, machine bool) error {
	if _, err := s.Sample(ctx); err != nil {
		return err
	}
	if _, err := s.Select(ctx); err != nil {
		return err
	}
	if _, err := a.instantiate(ctx, s); err != nil {
		return err
	}
	return a.evolve(ctx, s, machine)
}

// instantiate does the third stage.
func (a *app) instantiate(ctx context.Context, s *stages) (int, error) {
	makers, err := s.makers()
	if err != nil {
		return 0, err
	}
	return s.Instantiate(ctx, makers)
}

// evolve does the fourth stage, measures what it did and writes the report.
func (a *app) evolve(ctx context.Context, s *stages, machine bool) error {
	makers, err := s.makers()
	if err != nil {
		return err
	}
	if _, err := s.Evolve(ctx, makers); err != nil {
		return err
	}
	if !s.Dir.Has(run.DifficultyFile) && !s.cast.writes() {
		if _, err := a.difficulty(ctx, s, 1); err != nil {
			return err
		}
	}
	r, err := a.report(s)
	if err != nil {
		return err
	}
	if err := errors.Join(a.spent(s, machine), a.summary(s.Dir.Path(), r, machine)); err != nil {
		return err
	}
	return s.Manifest.Enough(r.Tasks)
}

// report writes both files of the report.
func (a *app) report(s *stages) (*report.Report, error) {
	return report.Write(report.Input{Dir: s.Dir, Manifest: s.Manifest, Vocab: s.Vocab, SeedTasks: s.SeedTasks, Contract: s.source.Contract})
}

// book loads the phrase book.
func (s *source) book() (*phrase.Book, error) {
	book, err := phrase.Load(append([][]byte{phrase.Common}, s.Phrases...)...)
	if err != nil {
		return nil, usage(fmt.Errorf("load phrase book: %w", err), "ARCHITECTURE.md says where its language is described")
	}
	return book, nil
}

// makers are the rules roles of a domain, made once. Domain, contract and phrase
// book that do not fit together are refused.
func (s *source) makers() (run.Makers, error) {
	if s.roles != nil {
		return *s.roles, nil
	}
	book, err := s.book()
	if err != nil {
		return run.Makers{}, err
	}
	if err := rules.Fit(s.Domain, s.Contract, book); err != nil {
		return run.Makers{}, usage(err, "contract and phrase book have to name what the domain has, and each other's acts and slots; ARCHITECTURE.md describes both")
	}
	s.roles = &run.Makers{
		Author: rules.NewAuthor(s.Domain, s.Contract, book), Reviewer: rules.NewReviewer(s.Domain, s.Contract, book),
		Gate: gates.New(s.Domain, s.Contract, book), Verifier: rules.NewVerifier(s.Domain, s.Contract, book),
		Evolver: rules.NewEvolver(s.Domain, s.Contract, book),
	}
	return *s.roles, nil
}

// result is what machines read at the end.
type result struct {
	Event    string          `json:"event"`
	Run      string          `json:"run"`
	Tasks    int             `json:"tasks"`
	Asked    int             `json:"asked"`
	Coverage report.Coverage `json:"coverage"`
	Attempts report.Attempts `json:"attempts"`
	Checks   report.Checks   `json:"checks"`
	Tools    []report.Share  `json:"tools"`
}

// summary says where the benchmark is and how broad.
func (a *app) summary(path string, r *report.Report, machine bool) error {
	if machine {
		return printLine(a.out, result{"result", path, r.Tasks, r.Asked, r.Coverage, r.Attempts, r.Checks, r.Tools})
	}
	c, seeds := &r.Coverage.Benchmark, &r.Coverage.SeedTasks
	_, err := fmt.Fprintf(a.out, `%s: %s, average length %.1f, WED %.2f (seed tasks %.2f), %s (%d)
%d of %s passed; %d wrong variants of gold earn nothing
read %s/report.md
`, path, made(r), c.Length, c.WED, seeds.WED, plural(c.Unique[3], "different 3-gram"), seeds.Unique[3], r.Attempts.Passed, plural(r.Attempts.Made, "attempt"), r.Checks.Mutants, path)
	return err
}

// spent says what calls of models cost.
func (a *app) spent(s *stages, machine bool) error {
	if s.line.store == nil {
		return nil
	}
	bill := s.line.store.Bill(s.line.prices)
	if machine {
		return printLine(a.out, struct {
			Event string `json:"event"`
			*llm.Bill
		}{"calls", bill})
	}
	_, err := fmt.Fprintf(a.out, "%s of models, %s dollars; `taste calls %s` lists them\n", plural(int(bill.Usage.Calls), "call"), price(bill.Dollars), s.Dir.Path())
	return err
}

// made says how many tasks there are, and how many were asked for where that
// differs.
func made(r *report.Report) string {
	if r.Missing > 0 {
		return fmt.Sprintf("%d of %s", r.Tasks, plural(r.Asked, "task"))
	}
	return plural(r.Tasks, "task")
}

func (a *app) instantiateCommand() *cobra.Command {
	var f continueFlags
	c := &cobra.Command{Use: "instantiate RUN", Short: "Stage 3: make a verified task of each sequence", Args: positional(1, 1, "a run directory")}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.resume(args[0], &f)
		if err != nil {
			return err
		}
		made, err := a.instantiate(c.Context(), s)
		if err == nil {
			err = a.instantiated(s, made, f.work.machine)
		}
		return s.close(err)
	}
	return c
}

// instantiated says how many tasks there are to be made harder.
func (a *app) instantiated(s *stages, made int, machine bool) error {
	path, asked := s.Dir.Path(), s.Manifest.Settings.Tasks
	var err error
	if machine {
		err = printLine(a.out, baseResult{"result", path, made, asked})
	} else {
		_, err = fmt.Fprintf(a.out, "%s: %s in %s; `taste evolve %s` makes them harder\n", path, plural(made, "task"), run.BaseTasksFile, path)
	}
	return errors.Join(err, s.Manifest.Enough(made))
}

// baseResult is what machines read after the third stage.
type baseResult struct {
	Event string `json:"event"`
	Run   string `json:"run"`
	Tasks int    `json:"tasks"`
	Asked int    `json:"asked"`
}
