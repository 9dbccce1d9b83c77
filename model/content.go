package model

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// content is the content of a model file.
type content struct {
	Schema     data.Schema `json:"schema"`
	Missing    string      `json:"missing"` // error or mean
	Features   []Feature   `json:"features"`
	Target     Target      `json:"target"`
	Response   Response    `json:"response,omitzero"`    // since version 4
	Components []Component `json:"components,omitempty"` // since version 2
	rulesContent
	Training    Training     `json:"training"`
	Neighbours  *Neighbours  `json:"neighbours,omitempty"` // since version 3
	Calibration *Calibration `json:"calibration,omitempty"`
	Members     []*content   `json:"members,omitempty"` // of a committee, which has no rules of its own
}

// newContent returns the content of a model file.
func newContent(m *Model) *content {
	c := &content{
		Schema: m.Schema, Missing: missing(m.ImputeMeans), Features: m.Features, Target: m.Target, Response: m.Response, Components: m.Components,
		Training: m.Training, Neighbours: m.Neighbours, Calibration: m.Calibration,
	}
	for _, member := range m.Members {
		c.Members = append(c.Members, newContent(member))
	}
	if m.RuleBase != nil {
		c.rulesContent = newRulesContent(m.RuleBase)
	}
	c.Rules = m.Rules
	return c
}

// version returns the lowest version of the file format that has all fields in use, so
// that older programs can read the file where possible.
func (c *content) version() int {
	if c.constrains() || slices.ContainsFunc(c.Members, func(m *content) bool { return m != nil && m.constrains() }) {
		return 5
	}
	if !c.Response.IsZero() || c.Schema.Classes != nil || c.Schema.Others != nil || c.Training.Sample != 0 || c.infers() || slices.ContainsFunc(c.Members, func(m *content) bool { return m != nil && m.infers() }) {
		return 4
	}
	if c.Neighbours != nil || c.Curves != nil || slices.ContainsFunc(c.Members, func(m *content) bool { return m != nil && m.Curves != nil }) {
		return 3
	}
	if c.MergeWeights != nil || c.Tie != nil || c.Splits != nil || c.Components != nil || c.Members != nil || c.Calibration != nil ||
		c.Schema.Weight != "" || len(c.Schema.NA) > 0 || c.Target.SD != 0 || c.Target.Margin != 0 || c.Target.Low != nil || c.Target.High != nil {
		return 2
	}
	for _, f := range c.Features {
		if f.Power != nil || f.Quantiles != nil {
			return 2
		}
	}
	return 1
}

// missing returns Preprocessing.ImputeMeans as it is written in a file.
func missing(imputeMeans bool) string {
	if imputeMeans {
		return "mean"
	}
	return "error"
}

// model checks the content and returns its model. Errors name the field.
func (c *content) model() (*Model, error) {
	if c.Missing != "mean" && c.Missing != "error" {
		return nil, fmt.Errorf("missing: %s: must be mean or error", escape.Quote(c.Missing))
	}
	m := &Model{
		Preprocessing: Preprocessing{Schema: c.Schema, ImputeMeans: c.Missing == "mean", Features: c.Features, Target: c.Target, Response: c.Response, Components: c.Components},
		Training:      c.Training, Rules: c.Rules, Calibration: c.Calibration,
	}
	if err := CheckPreprocessing(m.Preprocessing); err != nil {
		return nil, err
	}
	if err := c.checkTraining(); err != nil {
		return nil, err
	}
	if m.Calibration != nil {
		if err := checkCalibration(m.Calibration, m.kind()); err != nil {
			return nil, err
		}
	}
	if c.Members != nil {
		if err := c.addMembers(m); err != nil {
			return nil, err
		}
		return m, c.addNeighbours(m)
	}
	rb, err := c.ruleBase()
	if err != nil {
		return nil, err
	}
	m.RuleBase = rb
	if got, want := rb.Features(), len(m.Inputs()); got != want {
		return nil, fmt.Errorf("features: %d are used, but the rules have %d", want, got)
	}
	if got, want := rb.OutputCount(), m.OutputCount(); got != want {
		return nil, fmt.Errorf("consequents: of %d outputs; the response needs %d", got, want)
	}
	if got, want := len(c.Rules), rb.Rules(); got != want {
		return nil, fmt.Errorf("rules: %d summaries of %d rules", got, want)
	}
	return m, c.addNeighbours(m)
}

// addNeighbours adds the neighbours, if any, to a model that is complete otherwise.
func (c *content) addNeighbours(m *Model) error {
	if c.Neighbours == nil {
		return nil
	}
	if err := checkNeighbours(c.Neighbours, m.Preprocessing); err != nil {
		return fmt.Errorf("neighbours.%w", err)
	}
	n := *c.Neighbours
	if err := n.prepare(context.Background(), m); err != nil {
		return fmt.Errorf("neighbours.rows: %w", err)
	}
	m.Neighbours = &n
	return nil
}

// addMembers adds the members of a committee to its model.
func (c *content) addMembers(m *Model) error {
	if !reflect.DeepEqual(c.rulesContent, rulesContent{}) {
		return errors.New("members: a committee has no rules of its own")
	}
	for k, member := range c.Members {
		if member == nil {
			return fmt.Errorf("members[%d] is null", k)
		}
		if member.Members != nil {
			return fmt.Errorf("members[%d]: is a committee itself", k)
		}
		one, err := member.model()
		if err != nil {
			return fmt.Errorf("members[%d].%w", k, err)
		}
		m.Members = append(m.Members, one)
	}
	return checkMembers(m)
}

// CheckPreprocessing checks a preprocessing that comes from elsewhere, such as a file: its schema, that its
// features are those of the schema, and that its numbers are finite and in their domains. The error names the
// field.
func CheckPreprocessing(p Preprocessing) error {
	if err := p.Schema.Validate(); err != nil {
		return err
	}
	if err := checkScaling(p); err != nil {
		return err
	}
	if err := checkComponents(p); err != nil {
		return err
	}
	if err := checkResponse(&p); err != nil {
		return fmt.Errorf("response.%w", err)
	}
	return nil
}

func checkScaling(p Preprocessing) error {
	names := p.Schema.Features()
	if len(p.Features) != len(names) {
		return fmt.Errorf("features: %d; the schema has %d", len(p.Features), len(names))
	}
	for m, f := range p.Features {
		switch {
		case f.Name != names[m]:
			return fmt.Errorf("features[%d].name: %s; the schema has %s", m, escape.Quote(f.Name), escape.Quote(names[m]))
		case !numeric.Finite(f.Mean, f.Min, f.Max):
			return fmt.Errorf("features[%d] (%s): mean, min and max must be finite", m, escape.Quote(f.Name))
		case !(f.SD > 0) || !numeric.Finite(f.SD):
			return fmt.Errorf("features[%d].sd (%s): %v: must be positive", m, escape.Quote(f.Name), f.SD)
		case f.Min > f.Max:
			return fmt.Errorf("features[%d] (%s): min %v is above max %v", m, escape.Quote(f.Name), f.Min, f.Max)
		case f.Constant && f.Power != nil:
			return fmt.Errorf("features[%d].power (%s): it is constant and not used", m, escape.Quote(f.Name))
		}
		if f.Power != nil {
			if err := f.Power.check(); err != nil {
				return fmt.Errorf("features[%d].power (%s): %w", m, escape.Quote(f.Name), err)
			}
		}
		if err := checkQuantiles(f); err != nil {
			return fmt.Errorf("features[%d].quantiles (%s): %w", m, f.Name, err)
		}
	}
	if err := p.Target.check(); err != nil {
		return err
	}
	marked := p
	marked.markUnused()
	for i, c := range marked.Schema.Columns {
		if c.Unused != p.Schema.Columns[i].Unused {
			return fmt.Errorf("schema.columns[%d].unused (%s): contradicts the features", i, escape.Quote(c.Name))
		}
	}
	return nil
}

func (c *content) checkTraining() error {
	if c.Training.Samples < 1 || c.Training.Iterations < 0 {
		return fmt.Errorf("training: %d samples, %d iterations: want at least one sample, and no negative count", c.Training.Samples, c.Training.Iterations)
	}
	if s := c.Training.Sample; s < 0 || s >= c.Training.Samples && s != 0 {
		return fmt.Errorf("training: a sample of %d of %d samples: must be fewer", s, c.Training.Samples)
	}
	for r, s := range c.Rules {
		inRange := s.Share >= 0 && s.Share <= 1+1e-9
		if c.Formula != nil { // its grades, and so its firing levels, are unbounded
			inRange = numeric.Finite(s.Share)
		}
		if !inRange || s.Samples < 0 || s.Samples > c.Training.Sampled() {
			return fmt.Errorf("rules[%d]: share %v, %d samples: out of range", r, s.Share, s.Samples)
		}
	}
	return nil
}
