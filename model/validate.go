package model

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/rules"
)

// Validate checks that the model, or every member of a committee, can predict: it has rules, the sizes of their parameters match each
// other and the preprocessing, and its loss is known. An untrained model is an error that wraps [ErrInvalid]. Predicting calls Validate;
// saving also checks the values.
func (m *Model) Validate() error {
	if m == nil {
		return fmt.Errorf("%w: nil model", ErrInvalid)
	}
	if m.Neighbours != nil && !m.Number() {
		return fmt.Errorf("%w: neighbours correct one target with the identity link: set model.neighbours: none", ErrInvalid)
	}
	if m.Neighbours != nil && !m.Neighbours.fits(m.Preprocessing) {
		return fmt.Errorf("%w: its neighbours were not fitted to it: use FitNeighbours", ErrInvalid)
	}
	if _, err := criterionOf(m); err != nil {
		return fmt.Errorf("%w: training.options: %w", ErrInvalid, err)
	}
	if !m.Committee() {
		return checkRules(m)
	}
	for k, member := range m.Members {
		if member == nil {
			return fmt.Errorf("%w: members[%d] is missing", ErrInvalid, k)
		}
		if err := checkRules(member); err != nil {
			return fmt.Errorf("members[%d]: %w", k, err)
		}
		if got, want := len(member.Features), len(m.Features); got != want {
			return fmt.Errorf("%w: members[%d] has %d features, the committee %d", ErrInvalid, k, got, want)
		}
		if !member.Response.same(m.Response) {
			return fmt.Errorf("%w: members[%d] has another response than the committee", ErrInvalid, k)
		}
	}
	return nil
}

// ErrInvalid is wrapped by the errors of [Model.Validate].
var ErrInvalid = errors.New("model: invalid model")

func checkRules(m *Model) error {
	if m.RuleBase == nil {
		return fmt.Errorf("%w: no rules: train the model, or load it from a file", ErrInvalid)
	}
	if err := m.RuleBase.CheckSizes(); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	o := m.objective()
	k := o.kind()
	if got, want := m.RuleBase.OutputCount(), k.outputs(); got != want {
		return fmt.Errorf("%w: the rules have %d outputs; the response needs %d", ErrInvalid, got, want)
	}
	if err := checkResponse(o, k); err != nil {
		return fmt.Errorf("%w: response.%w", ErrInvalid, err)
	}
	used, inputs := 0, len(m.Components)
	for _, f := range m.Features {
		if !f.Constant {
			used++
		}
	}
	for k, c := range m.Components {
		if len(c.Loadings) != used {
			return fmt.Errorf("%w: components[%d] has %d loadings; %d features are used", ErrInvalid, k, len(c.Loadings), used)
		}
	}
	if m.Components == nil {
		inputs = used
	}
	if got := m.RuleBase.Features(); got != inputs {
		return fmt.Errorf("%w: the rules are over %d inputs; the preprocessing gives %d", ErrInvalid, got, inputs)
	}
	return nil
}

// NewCommittee combines models into one that predicts the mean of their predictions. It needs at least two members with the schema and
// missing-value policy of p, the preprocessing of the whole training part; none may be a committee, calibrated, or have neighbours.
func NewCommittee(p Preprocessing, members []*Model, t Training) (*Model, error) {
	m := &Model{Preprocessing: p, Members: members, Training: t}
	return m, checkMembers(m)
}

func checkMembers(m *Model) error {
	if len(m.Members) < 2 {
		return fmt.Errorf("members: %d: a committee needs at least two", len(m.Members))
	}
	for k, member := range m.Members {
		switch {
		case member == nil || member.RuleBase == nil && !member.Committee():
			return fmt.Errorf("members[%d]: has no rules", k)
		case member.Committee():
			return fmt.Errorf("members[%d]: is a committee itself", k)
		case member.Calibration != nil:
			return fmt.Errorf("members[%d]: is calibrated; only the committee can be", k)
		case member.Neighbours != nil:
			return fmt.Errorf("members[%d]: has neighbours; only the committee can have them", k)
		case member.ImputeMeans != m.ImputeMeans:
			return fmt.Errorf("members[%d].missing: %s; the committee has %s", k, missingPolicy(member.ImputeMeans), missingPolicy(m.ImputeMeans))
		case !member.Response.same(m.Response):
			return fmt.Errorf("members[%d].response: differs from the committee's", k)
		case !sameTable(member.Schema, m.Schema):
			return fmt.Errorf("members[%d].schema: differs from the committee's", k)
		}
	}
	return nil
}

// sameTable reports whether two schemas read a table in the same way. Members were trained on different samples: a column may be
// constant, and so unused, in those of one member only, and so may the weights.
func sameTable(a, b data.Schema) bool {
	used := func(s data.Schema) data.Schema {
		s.Weight = ""
		if s.Time != nil { // the unit of MASE is of the samples, and Blank is of a table that is read
			time := *s.Time
			time.Scale, time.Target, time.Weight, time.Blank = 0, "", "", nil
			s.Time = &time
		}
		s.Columns = slices.Clone(s.Columns)
		for i := range s.Columns {
			s.Columns[i].Unused = false
		}
		return s
	}
	return reflect.DeepEqual(used(a), used(b))
}

// New combines a rulebase with its preprocessing and summarises the rules over the training samples x [N][M], in the order of the
// schema's features, with weights [N] (nil: all one). Weights of another number are an error. If ctx ends, New returns its error.
func New(ctx context.Context, p Preprocessing, rb *rules.RuleBase, x [][]float64, weights []float64, t Training) (*Model, error) {
	m := &Model{Preprocessing: p, RuleBase: rb, Training: t}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if weights != nil && len(weights) != len(x) {
		return nil, fmt.Errorf("%w: %d weights of %d samples", ErrInvalid, len(weights), len(x))
	}
	m.Rules = make([]RuleSummary, rb.Rules())
	total := numeric.WeightSum(weights, len(x))
	summaries := make([][]RuleSummary, parallel.Blocks(len(x), blockRows))
	err := eachRows(ctx, len(x), func(block, start, end int) error {
		scaled, err := p.scale(x[start:end], start)
		if err == nil {
			summaries[block] = summarise(rb.FiringLevels(scaled, nil), weights[min(start, len(weights)):], total)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, block := range summaries {
		for r, s := range block {
			m.Rules[r].Share += s.Share
			m.Rules[r].Samples += s.Samples
		}
	}
	return m, nil
}

// summarise returns the summaries [R] of the rules over some of the samples, from their
// normalised firing levels [N][R] and weights; total is the sum of all weights.
func summarise(levels [][]float64, weights []float64, total float64) []RuleSummary {
	summaries := make([]RuleSummary, len(levels[0]))
	for n, f := range levels {
		w := numeric.WeightAt(weights, n)
		strongest := 0
		for r, level := range f {
			summaries[r].Share += w * level / total
			if level > f[strongest] {
				strongest = r
			}
		}
		if f[strongest] > 0 {
			summaries[strongest].Samples++
		}
	}
	return summaries
}
