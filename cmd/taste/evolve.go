package main

import (
	"github.com/spf13/cobra"
)

func (a *app) evolveCommand() *cobra.Command {
	var f continueFlags
	c := &cobra.Command{
		Use: "evolve RUN", Short: "Stage 4: make tasks harder whose gold stays as it is",
		Long: `Evolve adds to each task of a run what makes it hard: a customer who insists,
misspeaks, makes false claims, calls for a supervisor or keeps things back, and
records that look alike. Each such trap is proven: an agent with the skill that
it tests earns the reward, one without it does not, and without the trap it
does. Where too few can be proven a task is worded anew with mild adversity, or
stays as it is; tasks_meta.json says which and why.`,
		Args: positional(1, 1, "a run directory"),
	}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.resume(args[0], &f)
		if err != nil {
			return err
		}
		return s.close(a.evolve(c.Context(), s, f.work.machine))
	}
	return c
}
