package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const longAbout = `taste writes benchmarks for agents that use tools: it samples plausible tool
sequences, chooses a broad set of them, makes a task of each in the schema of
τ²-bench, and emits only what its gates and verifier let pass.

Exit codes
  0    done
  1    done, and the answer is no: findings, mismatches, implausible sequences
       with --strict, fewer tasks than asked for, simulations missing, or a budget
       that is used up
  2    bad input: flags, files, packs, tasks of another domain or database; a key,
       a model or settings that a provider refuses, a model whose answers are of no
       use; with --replay, a call not kept
  3    a folder that may not be used: no run directory, one made with other
       settings, edited, in use or short of a stage; an export that is not new
  4    a fault while working: full disk, damaged journal, a provider that cannot be
       reached or fails after all tries
  130  interrupted; the same command goes on from there`

// main runs the program and returns its exit code.
func (a *app) main(ctx context.Context, args []string) int {
	root := &cobra.Command{
		Use: "taste", Short: "Write and check benchmark tasks for tool-using agents", Long: longAbout,
		Version: version, SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.log)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(err, "`%s --help` lists the flags", c.CommandPath())
	})
	root.AddCommand(a.generateCommand(), a.sampleCommand(), a.selectCommand(), a.instantiateCommand(), a.evolveCommand(),
		a.difficultyCommand(), a.domainCommand(), a.judgeCommand(), a.coverageCommand(), a.validateCommand(), a.replayCommand(),
		a.evalCommand(), a.scoreCommand(), a.viewCommand(), a.diffCommand(), a.exportCommand(), a.packCommand(), a.callsCommand(),
		a.mockLLMCommand())
	profiled(root)
	root.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	err := root.ExecuteContext(ctx)
	if err != nil && strings.HasPrefix(err.Error(), "unknown command") { // cobra has no type for it
		err = usage(err, "`taste --help` lists the commands")
	}
	return a.exit(err)
}

// positional checks the number of arguments, as bad input.
func positional(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usage(fmt.Errorf("%s: got %d arguments, want %s", c.CommandPath(), len(args), what), "`%s --help` shows how", c.CommandPath())
		}
		return nil
	}
}
