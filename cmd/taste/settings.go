package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"taste/run"
	"taste/synth"
	"taste/toolseq"
)

// settingFlags are the settings that fix a run.
type settingFlags struct {
	tasks       int
	seed        uint64
	method      string
	sampler     string
	exponent    string
	noNegative  bool
	judgePool   string
	sample      synth.SampleSettings
	selects     synth.SelectSettings
	instantiate synth.InstantiateSettings
	evolve      synth.EvolveSettings
	given       func(flag string) bool
}

func (f *settingFlags) add(fs *pflag.FlagSet) {
	f.sample, f.selects, f.instantiate = synth.DefaultSampleSettings(), synth.DefaultSelectSettings(), synth.DefaultInstantiateSettings()
	f.evolve = synth.DefaultEvolveSettings()
	fs.IntVar(&f.tasks, "tasks", 0, fmt.Sprintf("number of tasks (default: as many as the pack has seed tasks; %d without a pack)", defaultTasks))
	seedVar(fs, &f.seed, "seed", "seed of everything that is drawn")
	fs.StringVar(&f.method, "method", string(synth.Best), "paper: the published method to the letter; best: this program's own")
	fs.StringVar(&f.sampler, "sampler", string(synth.Trained), "what sequences are drawn from: trained, seeds (seed sequences alone) or uniform")
	fs.IntVar(&f.sample.Attempts, "attempts", f.sample.Attempts, "generation attempts of training")
	fs.Float64Var(&f.sample.Params.LambdaNeg, "lambda-neg", f.sample.Params.LambdaNeg, "weight of the n-grams' negative evidence; 0, for none, needs --method paper")
	fs.BoolVar(&f.noNegative, "no-negative", false, "keep no table of negative evidence; needs --method paper")
	fs.Float64Var(&f.sample.Temperature, "temperature", f.sample.Temperature, "temperature of pool and probe; 0: the one that training ended with")
	fs.StringVar(&f.exponent, "exponent", string(toolseq.Inverse), "how a temperature T enters: inverse (1/T) or literal (T, as the formula is printed)")
	fs.IntVar(&f.sample.Probe, "probe", f.sample.Probe, "first-seen sequences judged to estimate acceptance")
	fs.IntVar(&f.sample.InFlight, "in-flight", 0, fmt.Sprintf("verdicts of a model asked for side by side (default %d); another number is another run", defaultInFlight))
	fs.Float64Var(&f.sample.StopAt, "stop-at", 0, "end training once the judge accepts more than this share, with 95 % certainty; 0: after all attempts")
	fs.IntVar(&f.selects.Pool, "pool", f.selects.Pool, "sequences drawn to choose from")
	fs.StringVar(&f.judgePool, "judge-pool", "", "with --method best: all, or chosen to judge what is chosen alone (default: chosen where a model judges, else all)")
	fs.IntVar(&f.selects.Rounds, "rounds", f.selects.Rounds, "further clusterings for clusters without a plausible member")
	fs.IntVar(&f.instantiate.Tries, "tries", f.instantiate.Tries, "tasks tried for a sequence")
	fs.IntVar(&f.instantiate.Repairs, "repairs", f.instantiate.Repairs, "repairs of each")
	fs.IntVar(&f.evolve.Rounds, "wordings", f.evolve.Rounds, "wordings tried to make a task harder, at each level")
	f.given = fs.Changed
}

// defaultTasks is how many tasks are made of a built-in world.
const defaultTasks = 50

// settings checks the flags and returns what they say about a run over src.
func (f *settingFlags) settings(src *source, c *cast) (run.Settings, error) {
	if !f.given("tasks") {
		f.tasks = src.size()
	}
	s := run.Settings{Tasks: f.tasks, Seed: f.seed, Method: synth.Method(f.method), Sample: f.sample, Select: f.selects, Instantiate: f.instantiate, Evolve: f.evolve}
	s.Sample.Sampler = synth.Sampler(f.sampler)
	s.Sample.Params = f.params(c)
	if most := s.Select.Most(); s.Select.Validate() == nil && (f.tasks < 1 || f.tasks > most) {
		return s, usage(fmt.Errorf("--tasks %d: want 1 to %d", f.tasks, most),
			"of a pool of %d sequences at most half are chosen; --pool N draws a larger one", s.Select.Pool)
	}
	if err := f.asked(&s, c); err != nil {
		return s, err
	}
	if err := f.ablation(s); err != nil {
		return s, err
	}
	if !f.trains() {
		s.Sample.Attempts = 0
	}
	return s, usage(s.Validate(), "`--help` lists the settings and their defaults")
}

// asked completes what depends on whom is asked.
func (f *settingFlags) asked(s *run.Settings, c *cast) error {
	byModel := c.players["judge"].Model != ""
	switch {
	case byModel && !f.given("in-flight"):
		s.Sample.InFlight = defaultInFlight
	case !byModel && f.given("in-flight"):
		return usage(errors.New("--in-flight with --judge rules: rules answer at once"), "leave it out")
	case byModel && s.Sample.InFlight < 1:
		return usage(fmt.Errorf("--in-flight %d: want 1 to 1024", s.Sample.InFlight), "1 asks for one verdict after the other")
	}
	switch best := s.Method == synth.Best; {
	case f.judgePool != "" && (!best || f.judgePool != poolChosen && f.judgePool != poolAll):
		return usage(fmt.Errorf("--judge-pool %s: want %s or %s, with --method best", f.judgePool, poolAll, poolChosen), "--method paper judges medoids, and what takes their place")
	case best:
		s.Select.Lazy = f.judgePool == poolChosen || f.judgePool == "" && byModel
	}
	if c.players["evolver"].Model != "" && !f.given("wordings") {
		s.Evolve.Rounds = modelWordings
	}
	return nil
}

// What --judge-pool has the judge asked about.
const (
	poolAll    = "all"
	poolChosen = "chosen"
)

const (
	defaultInFlight = 32 // verdicts of a model under way at once
	modelWordings   = 3  // the method's
)

// trains is false for the samplers that learn nothing from the judge.
func (f *settingFlags) trains() bool {
	return f.sampler != string(synth.Uniform) && f.sampler != string(synth.Seeds)
}

// ablation refuses settings that would not do what they say.
func (f *settingFlags) ablation(s run.Settings) error {
	for _, flag := range []string{"attempts", "lambda-neg", "no-negative"} {
		if !f.trains() && f.given(flag) {
			return usage(fmt.Errorf("--%s with --sampler %s: nothing is trained", flag, f.sampler), "leave it out, or sample from the trained model")
		}
	}
	if p := s.Sample.Params; p.Gates != nil && (p.LambdaNeg == 0 || !p.Negatives) {
		return usage(errors.New("sampling without negative evidence under --method best: its gates learn from every rejection all the same"),
			"give --method paper, whose n-grams hold all evidence")
	}
	return nil
}

// params are the sampler's hyperparameters: the method's, and with them the
// flags that were given.
func (f *settingFlags) params(c *cast) toolseq.Params {
	p := toolseq.PaperParams()
	if f.method == string(synth.Best) && f.sampler == string(synth.Trained) {
		p = toolseq.BestParams()
		if c.players["judge"].Model != "" {
			p = toolseq.NoisyParams()
		}
	}
	p.LambdaNeg = f.sample.Params.LambdaNeg
	p.Negatives = !f.noNegative
	p.Exponent = toolseq.Exponent(f.exponent)
	return p
}
