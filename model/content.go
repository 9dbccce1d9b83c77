package model

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// content is the content of a model file.
type content struct {
	Schema     data.Schema `json:"schema"`
	Missing    string      `json:"missing"` // error or mean
	Features   []Feature   `json:"features"`
	Target     Target      `json:"target"`
	Response   Response    `json:"response,omitzero"`
	Components []Component `json:"components,omitempty"`
	rulesContent
	Training    Training     `json:"training"`
	Neighbours  *Neighbours  `json:"neighbours,omitempty"`
	Calibration *Calibration `json:"calibration,omitempty"`
	Pages       []*page.Page `json:"pages,omitempty"`
	Members     []*content   `json:"members,omitempty"` // of a committee, which has no rules of its own
}

// newContent returns the content of a model file.
func newContent(m *Model) *content {
	c := &content{
		Schema: m.Schema, Missing: missingPolicy(m.ImputeMeans), Features: m.Features, Target: m.Target, Response: m.Response,
		Components: m.Components, Training: m.Training, Neighbours: m.Neighbours, Calibration: m.Calibration,
		Pages: m.Pages,
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

// model checks the content and returns its model. Errors name the field.
func (c *content) model() (*Model, error) {
	if c.Missing != "mean" && c.Missing != "error" {
		return nil, fmt.Errorf("missing: %s: must be mean or error", escape.Quote(c.Missing))
	}
	m := &Model{
		Preprocessing: Preprocessing{Schema: c.Schema, ImputeMeans: c.Missing == "mean", Features: c.Features, Target: c.Target,
			Response: c.Response, Components: c.Components},
		Training: c.Training, Rules: c.Rules, Calibration: c.Calibration, Pages: c.Pages,
	}
	if err := CheckPreprocessing(m.Preprocessing); err != nil {
		return nil, err
	}
	if err := c.checkTraining(); err != nil {
		return nil, err
	}
	if c.Members != nil {
		if err := c.addMembers(m); err != nil {
			return nil, err
		}
		return m, c.complete(m)
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
	if err := checkPages(m); err != nil {
		return nil, err
	}
	return m, c.complete(m)
}

// complete checks the calibration and adds the neighbours, if any, to a model that is complete otherwise.
func (c *content) complete(m *Model) error {
	if m.Calibration != nil {
		if err := checkCalibration(m); err != nil {
			return err
		}
	}
	return c.addNeighbours(m)
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
	if !reflect.DeepEqual(c.rulesContent, rulesContent{}) || c.Pages != nil {
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

// CheckPreprocessing checks a preprocessing that comes from elsewhere, such as a file: its schema, that its features are those of the
// schema, and that its numbers are finite and in their domains. The error names the field.
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
	own := func(c data.Column) bool { return c.Missing }
	if i := slices.IndexFunc(p.Schema.Columns, own); i >= 0 && !p.ImputeMeans {
		return fmt.Errorf("missing: error: missing cells of %s are values: must be mean", escape.Quote(p.Schema.Columns[i].Name))
	}
	o := p.objective()
	if err := checkResponse(o, o.kind()); err != nil {
		return fmt.Errorf("response.%w", err)
	}
	return nil
}

func checkScaling(p Preprocessing) error {
	names := p.Schema.Features()
	if len(p.Features) != len(names) {
		return fmt.Errorf("features: %d; the schema has %d", len(p.Features), len(names))
	}
	limits := p.Limits()
	for m, f := range p.Features {
		switch {
		case limits[m].Of(f.Min) != f.Min || limits[m].Of(f.Max) != f.Max:
			return fmt.Errorf("features[%d] (%s): min %v and max %v are not within the limits of the column, %s", m, escape.Quote(f.Name), f.Min,
				f.Max, limits[m])
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
		return fmt.Errorf("training: %d samples, %d iterations: want at least one sample, and no negative count",
			c.Training.Samples, c.Training.Iterations)
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

// rulesContent is the rulebase in a model file; a committee has none. content.model reports missing fields one by one.
type rulesContent struct {
	Membership string              `json:"membership,omitempty"`
	Formula    *membership.Formula `json:"formula,omitempty"` // for a shape that is not built in
	TNorm      string              `json:"tnorm,omitempty"`   // if not product

	Defuzzification string `json:"defuzzification,omitempty"` // if not tsk

	SpreadFloor float64                `json:"spread_floor,omitempty"`
	Antecedents map[string][][]float64 `json:"antecedents,omitempty"` // [R][M] by parameter name
	Consequents [][]float64            `json:"consequents,omitempty"` // [R][C(M+1)], bias first

	Knots  [][]float64 `json:"knots,omitempty"`  // [M], empty for an input without a curve
	Curves [][]float64 `json:"curves,omitempty"` // [C or C R][Q]

	MergeWeights []int         `json:"merge_weights,omitempty"` // [R]
	Tie          [][]int       `json:"tie,omitempty"`           // [R][M]
	Splits       []rules.Split `json:"splits,omitempty"`

	Keep    []rules.Keep   `json:"keep,omitempty"`    // [R]
	Signs   []int          `json:"signs,omitempty"`   // [C(M+1)]
	Without [][]rules.Keep `json:"without,omitempty"` // [R][M]

	Rules []RuleSummary `json:"rules,omitempty"`
}

func newRulesContent(rb *rules.RuleBase) rulesContent {
	c := rulesContent{
		Membership: rb.Shape.Name(), SpreadFloor: rb.SpreadFloor,
		Antecedents: map[string][][]float64{}, Consequents: rb.Consequents,
		Curves: rb.Curves, MergeWeights: rb.MergeWeights, Tie: rb.Tie, Splits: rb.Splits, Keep: rb.Keep, Signs: rb.Signs, Without: rb.Without,
	}
	for _, k := range rb.Knots {
		c.Knots = append(c.Knots, append([]float64{}, k...)) // no knots are an empty list, not null
	}
	if f, ok := membership.AsFormula(rb.Shape); ok {
		c.Formula = &f
	}
	if t := inference.OrProduct(rb.TNorm); t != (inference.Product{}) {
		c.TNorm = t.Name()
	}
	if d := inference.OrTSK(rb.Defuzzification); d != (inference.TSK{}) {
		c.Defuzzification = d.Name()
	}
	for j, p := range rb.Shape.Params() {
		c.Antecedents[p.Name] = rb.Antecedents[j]
	}
	return c
}

// shape returns the shape of the membership functions, built in or from its formula.
func (c *rulesContent) shape() (membership.Function, error) {
	switch {
	case c.Formula == nil:
		f, err := membership.Lookup(c.Membership)
		if err != nil {
			err = fmt.Errorf("%w; a shape of another module is registered by the program that loads the model", err)
		}
		return f, err
	case c.Formula.Name != c.Membership:
		return nil, fmt.Errorf("formula.name: %q; membership is %q", c.Formula.Name, c.Membership)
	}
	return c.Formula.Shape()
}

// infer sets the t-norm and the defuzzification of a rulebase.
func (c *rulesContent) infer(rb *rules.RuleBase) (err error) {
	if c.TNorm != "" {
		if rb.TNorm, err = inference.LookupTNorm(c.TNorm); err != nil {
			return fmt.Errorf("tnorm: %w", err)
		}
	}
	if c.Defuzzification != "" {
		if rb.Defuzzification, err = inference.LookupDefuzzification(c.Defuzzification); err != nil {
			return fmt.Errorf("defuzzification: %w", err)
		}
	}
	return nil
}

// ruleBase checks the rules and returns their rulebase.
func (c *rulesContent) ruleBase() (*rules.RuleBase, error) {
	shape, err := c.shape()
	if err != nil {
		return nil, err
	}
	rb := &rules.RuleBase{Shape: shape, SpreadFloor: c.SpreadFloor, MergeWeights: c.MergeWeights, Tie: c.Tie, Splits: c.Splits,
		Keep: c.Keep, Signs: c.Signs, Without: c.Without}
	if err := c.infer(rb); err != nil {
		return nil, err
	}
	rb.Knots, rb.Consequents, rb.Curves = c.Knots, c.Consequents, c.Curves
	for _, p := range shape.Params() {
		rows, ok := c.Antecedents[p.Name]
		if !ok {
			return nil, fmt.Errorf("antecedents: %s is missing", p.Name)
		}
		rb.Antecedents = append(rb.Antecedents, rows)
	}
	if n := len(shape.Params()); len(c.Antecedents) != n {
		return nil, fmt.Errorf("antecedents: %v; %s has %d parameters", slices.Sorted(maps.Keys(c.Antecedents)), c.Membership, n)
	}
	return rb, rb.Validate()
}
