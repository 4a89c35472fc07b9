package models

import (
	"context"
	"fmt"
	"strings"

	"taste/llm"
	"taste/role"
	"taste/tau"
)

// Reviewer has a model hold tasks to the policy. It implements role.Reviewer.
type Reviewer struct {
	base Base
	view *View
}

// NewReviewer makes a reviewer.
func NewReviewer(b Base) (*Reviewer, error) {
	v, err := NewView(b.Domain)
	if err != nil {
		return nil, fmt.Errorf("make reviewer: %w", err)
	}
	_, err = b.prompt("reviewer")
	return &Reviewer{base: b, view: v}, err
}

// reviewerData is what the reviewer's prompt is filled with.
type reviewerData struct {
	Domain *View
	Task   *TaskDoc
}

// ReviewAnswer is a reviewer's answer.
type ReviewAnswer struct {
	Path     string `json:"path"` // how a competent agent earns the reward, or why none can
	Findings []struct {
		Severity role.Severity `json:"severity"`
		Rule     string        `json:"rule"`
		Evidence string        `json:"evidence"`
	} `json:"findings"`
}

// Rule of the finding that there is no usable review.
const noReview = "no usable review"

// Review implements role.Reviewer. A task about which the model gives no usable
// answer is not accepted: that is a critical finding, with the raw answers.
func (r *Reviewer) Review(ctx context.Context, t *tau.Task) ([]role.Finding, error) {
	doc, err := newTaskDoc(r.base.Domain, t)
	if err != nil {
		return nil, fmt.Errorf("review task %s: %w", t.ID, err)
	}
	a, _, err := ask(ctx, &r.base, "reviewer", reviewerData{r.view, doc}, about{role: "reviewer", item: t.ID}, (*ReviewAnswer).check)
	if why, raw, ok := llm.NoAnswer(err); ok {
		return []role.Finding{{Severity: role.Critical, Rule: noReview, Evidence: why, Raw: raw}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("review task %s: %w", t.ID, err)
	}
	out := []role.Finding{}
	for _, f := range a.Findings {
		out = append(out, role.Finding{Severity: f.Severity, Rule: f.Rule, Evidence: f.Evidence})
	}
	return out, nil
}

// check holds findings to saying what they are about.
func (a *ReviewAnswer) check() error {
	for i, f := range a.Findings {
		switch {
		case f.Severity != role.Critical && f.Severity != role.Minor:
			return fmt.Errorf("findings[%d].severity is %q; it is critical or minor", i, f.Severity)
		case strings.TrimSpace(f.Rule) == "" || strings.TrimSpace(f.Evidence) == "":
			return fmt.Errorf("findings[%d] lacks its rule or its evidence", i)
		}
	}
	return nil
}
