package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/sync/errgroup"

	"taste/llm/cache"
	"taste/llm/connect"
	"taste/models"
	"taste/role"
	"taste/rules"
	"taste/stats"
)

// bench are those who judge sequences, and what they need.
type bench struct {
	role.Judge
	names   []string // of a committee; nil: there is one judge
	models  *evalModels
	workers int // questions under way at once
}

// bench makes the judges that flags name.
func (a *app) bench(f *judgeFlags, src *source) (*bench, error) {
	b := &bench{workers: 1}
	if len(f.judges) == 0 {
		f.judges = []string{f.judge}
	} else if b.names = f.judges; len(f.judges) < 2 {
		return nil, usage(errors.New("--judges: one judge is no committee"), "name several, or give --judge")
	}
	var err error
	if b.models, err = a.asking(f.models, f.calls); err != nil {
		return nil, err
	}
	var committee models.Committee
	for _, spec := range f.judges {
		j, err := b.judge(src, spec)
		if err != nil {
			return nil, errors.Join(err, b.models.close())
		}
		committee = append(committee, models.Member{Name: spec, Judge: j})
	}
	if b.Judge = committee[0].Judge; b.names != nil {
		b.Judge = committee
	}
	return b, nil
}

// asking prepares models that answer single questions. Their calls are kept in a
// file; "": nowhere.
func (a *app) asking(file, calls string) (m *evalModels, err error) {
	m = &evalModels{app: a}
	if m.config, err = readModels(file); err != nil {
		return nil, err
	}
	if m.prices, err = priceTable(m.config.Prices); err != nil {
		return nil, err
	}
	if calls != "" {
		if m.store, err = cache.Open(calls); err != nil {
			return nil, writable(err)
		}
	}
	m.connect()
	return m, nil
}

// lose tells of answers that nobody kept, when work is interrupted.
func (m *evalModels) lose(ctx context.Context) {
	if ctx.Err() != nil && len(m.seats) > 0 && m.store == nil {
		fmt.Fprintln(m.app.log, "taste: what models have answered is lost; with --calls FILE it is kept")
	}
}

// modelsAtOnce is how many sequences are put to models side by side.
const modelsAtOnce = 32

// judge makes one judge.
func (b *bench) judge(src *source, spec string) (role.Judge, error) {
	p, err := connect.ParsePlayer(spec)
	if err != nil {
		return nil, advised(err, "want rules, or a model")
	}
	if p.Model == "" {
		return rules.NewJudge(src.Contract), nil
	}
	if p.Rules {
		return nil, usage(fmt.Errorf("%s: rules spare a model what is certain while a sampler learns; here all is asked", spec), "give --judges rules,%s to compare", p.Model)
	}
	b.workers = modelsAtOnce
	m, err := b.models.model(p.Model, "judge")
	if err != nil {
		return nil, badParty(err)
	}
	return models.NewJudge(models.Base{Model: m, Domain: src.Domain, Contract: src.Contract})
}

// all judges sequences side by side; verdicts are in their order.
func (b *bench) all(ctx context.Context, asked []asked) ([]role.Verdict, error) {
	out := make([]role.Verdict, len(asked))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(b.workers)
	for i := range asked {
		group.Go(func() (err error) {
			out[i], err = b.Judge.Judge(ctx, asked[i].Sequence)
			return err
		})
	}
	return out, group.Wait()
}

// agreement prints how the members of a committee judged, and how far they agree.
func (b *bench) agreement(out io.Writer, verdicts []role.Verdict) {
	if b.names == nil {
		return
	}
	o := models.CommitteeOpinions(b.names, verdicts, 1)
	for _, m := range o.Members {
		fmt.Fprintf(out, "judge: %s: %d plausible, %d implausible, %d unusable; %d as the majority\n", m.Name, m.For, m.Against, m.Unusable, m.With)
	}
	a := o.Agreement
	fmt.Fprintf(out, "judge: agreement %s, Fleiss' kappa %s, Krippendorff's alpha %s%s\n", figure(a.Observed), figure(a.Kappa), figure(a.Alpha), alphaSpan(a))
}

func figure(v *float64) string {
	if v == nil {
		return "undefined"
	}
	return strconv.FormatFloat(*v, 'f', 2, 64)
}

func alphaSpan(a stats.Agreement) string {
	if a.Low == nil {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", figure(a.Low), figure(a.High))
}
