package model

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// content is a model as it is written.
type content struct {
	Schema      data.Schema            `json:"schema"`
	Missing     string                 `json:"missing"` // error or mean
	Features    []Feature              `json:"features"`
	Target      Target                 `json:"target"`
	Components  []Component            `json:"components,omitempty"` // since version 2
	Membership  string                 `json:"membership"`
	Formula     *membership.Formula    `json:"formula,omitempty"` // of a shape that is not built in
	SpreadFloor float64                `json:"spread_floor"`
	Antecedents map[string][][]float64 `json:"antecedents"` // [R][M] by parameter name
	Consequents [][]float64            `json:"consequents"` // [R][M+1], bias first

	MergeWeights []int   `json:"merge_weights,omitempty"` // [R]; since version 2
	Tie          [][]int `json:"tie,omitempty"`           // [R][M]; since version 2

	Rules    []RuleSummary `json:"rules"`
	Training Training      `json:"training"`
}

// content returns the model as it is written.
func (m *Model) content() *content {
	c := &content{
		Schema: m.Schema, Missing: missing(m.ImputeMeans), Features: m.Features, Target: m.Target, Components: m.Components,
		Membership: m.RuleBase.Shape.Name(), SpreadFloor: m.RuleBase.SpreadFloor,
		Antecedents: map[string][][]float64{}, Consequents: m.RuleBase.Consequents,
		MergeWeights: m.RuleBase.MergeWeights, Tie: m.RuleBase.Tie, Rules: m.Rules, Training: m.Training,
	}
	if f, ok := membership.Written(m.RuleBase.Shape); ok {
		c.Formula = &f
	}
	for j, p := range m.RuleBase.Shape.Params() {
		c.Antecedents[p.Name] = m.RuleBase.Antecedents[j]
	}
	return c
}

// version returns the lowest version of the file format that has all of the
// content's fields, so that older programs read what they can.
func (c *content) version() int {
	if c.MergeWeights != nil || c.Tie != nil || c.Components != nil || c.Target.SD != 0 || c.Target.Margin != 0 ||
		(Preprocessing{Features: c.Features}).straightened() {
		return 2
	}
	return 1
}

// shape returns the membership functions' shape, built in or written.
func (c *content) shape() (membership.Function, error) {
	switch {
	case c.Formula == nil:
		return membership.Lookup(c.Membership)
	case c.Formula.Name != c.Membership:
		return nil, fmt.Errorf("formula.name: %q; membership is %q", c.Formula.Name, c.Membership)
	}
	return c.Formula.Shape()
}

// missing is how a file writes Preprocessing.ImputeMeans.
func missing(imputeMeans bool) string {
	if imputeMeans {
		return "mean"
	}
	return "error"
}

// model checks the content and makes a model of it. Errors name the field.
func (c *content) model() (*Model, error) {
	if err := c.Schema.Validate(); err != nil {
		return nil, err
	}
	if c.Missing != "mean" && c.Missing != "error" {
		return nil, fmt.Errorf("missing: %q: must be mean or error", c.Missing)
	}
	m := &Model{
		Preprocessing: Preprocessing{Schema: c.Schema, ImputeMeans: c.Missing == "mean", Features: c.Features, Target: c.Target, Components: c.Components},
		Training:      c.Training, Rules: c.Rules,
	}
	if err := m.checkScaling(); err != nil {
		return nil, err
	}
	if err := m.checkComponents(); err != nil {
		return nil, err
	}
	if err := c.checkTraining(); err != nil {
		return nil, err
	}
	shape, err := c.shape()
	if err != nil {
		return nil, err
	}
	m.RuleBase = &rules.RuleBase{Shape: shape, SpreadFloor: c.SpreadFloor, MergeWeights: c.MergeWeights, Tie: c.Tie}
	m.RuleBase.Consequents = c.Consequents
	for _, p := range shape.Params() {
		rows, ok := c.Antecedents[p.Name]
		if !ok {
			return nil, fmt.Errorf("antecedents: %s is missing", p.Name)
		}
		m.RuleBase.Antecedents = append(m.RuleBase.Antecedents, rows)
	}
	if n := len(shape.Params()); len(c.Antecedents) != n {
		return nil, fmt.Errorf("antecedents: %v; %s has %d parameters", slices.Sorted(maps.Keys(c.Antecedents)), c.Membership, n)
	}
	if err := m.RuleBase.Validate(); err != nil {
		return nil, err
	}
	if got, want := m.RuleBase.Features(), len(m.Inputs()); got != want {
		return nil, fmt.Errorf("features: %d are used, but the rules have %d", want, got)
	}
	if got, want := len(c.Rules), m.RuleBase.Rules(); got != want {
		return nil, fmt.Errorf("rules: %d summaries of %d rules", got, want)
	}
	return m, nil
}

func (p Preprocessing) checkScaling() error {
	names := p.Schema.Features()
	if len(p.Features) != len(names) {
		return fmt.Errorf("features: %d; the schema has %d", len(p.Features), len(names))
	}
	for m, f := range p.Features {
		switch {
		case f.Name != names[m]:
			return fmt.Errorf("features[%d].name: %q; the schema has %q", m, f.Name, names[m])
		case !finite(f.Mean, f.Min, f.Max):
			return fmt.Errorf("features[%d] (%s): mean, min and max must be finite", m, f.Name)
		case !(f.SD > 0) || !finite(f.SD):
			return fmt.Errorf("features[%d].sd (%s): %v: must be positive", m, f.Name, f.SD)
		case f.Min > f.Max:
			return fmt.Errorf("features[%d] (%s): min %v is above max %v", m, f.Name, f.Min, f.Max)
		case f.Constant && f.Power != nil:
			return fmt.Errorf("features[%d].power (%s): it is constant and not used", m, f.Name)
		}
		if f.Power != nil {
			if err := f.Power.check(); err != nil {
				return fmt.Errorf("features[%d].power (%s): %w", m, f.Name, err)
			}
		}
	}
	if err := p.Target.check(); err != nil {
		return err
	}
	marked := p
	marked.markUnused()
	for i, c := range marked.Schema.Columns {
		if c.Unused != p.Schema.Columns[i].Unused {
			return fmt.Errorf("schema.columns[%d].unused (%s): the features say otherwise", i, c.Name)
		}
	}
	return nil
}

func (c *content) checkTraining() error {
	if c.Training.Samples < 1 || c.Training.Iterations < 0 {
		return fmt.Errorf("training: %d samples, %d iterations: must be counts", c.Training.Samples, c.Training.Iterations)
	}
	for r, s := range c.Rules {
		inRange := s.Share >= 0 && s.Share <= 1+1e-9
		if c.Formula != nil { // its grades, and so its firing levels, may be anything
			inRange = finite(s.Share)
		}
		if !inRange || s.Samples < 0 || s.Samples > c.Training.Samples {
			return fmt.Errorf("rules[%d]: share %v, %d samples: out of range", r, s.Share, s.Samples)
		}
	}
	return nil
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
