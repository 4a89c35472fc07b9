package players

import (
	"context"
	"fmt"

	"taste/sim"
	"taste/tau"
)

// agents implements Agents by what makes the agents of a task.
type agents struct {
	info Info
	make func(*tau.Task) sim.NewAgent
	fits func(*tau.Task) error // nil: all tasks do
}

// Info implements Agents.
func (a *agents) Info() Info { return a.info }

// Fits implements Agents.
func (a *agents) Fits(t *tau.Task) error { return fit(a.fits, t) }

// New implements Agents.
func (a *agents) New(ctx context.Context, t *tau.Task, s sim.AgentStart) (sim.Agent, error) {
	return a.make(t)(ctx, s)
}

// users implements Users as agents does Agents.
type users struct {
	info Info
	make func(*tau.Task) sim.NewUser
	fits func(*tau.Task) error
}

// Info implements Users.
func (u *users) Info() Info { return u.info }

// Fits implements Users.
func (u *users) Fits(t *tau.Task) error { return fit(u.fits, t) }

// New implements Users.
func (u *users) New(ctx context.Context, t *tau.Task, s sim.UserStart) (sim.User, error) {
	return u.make(t)(ctx, s)
}

// fit asks whether a task fits.
func fit(fits func(*tau.Task) error, t *tau.Task) error {
	if fits == nil {
		return nil
	}
	if err := fits(t); err != nil {
		return fmt.Errorf("task %s: %w: %w", t.ID, ErrUnfit, err)
	}
	return nil
}

// readable finds scenarios that a rules user cannot read.
func readable(made sim.NewUser) func(*tau.Task) error {
	return func(t *tau.Task) error {
		_, err := made(context.Background(), sim.UserStart{Scenario: t.UserScenario})
		return err
	}
}
