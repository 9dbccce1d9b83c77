package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// rulesContent is the rulebase in a model file; a committee has none. content.model
// reports missing fields one by one.
type rulesContent struct {
	Membership string              `json:"membership,omitempty"`
	Formula    *membership.Formula `json:"formula,omitempty"` // for a shape that is not built in
	TNorm      string              `json:"tnorm,omitempty"`   // if not product; since version 4, as the next

	Defuzzification string `json:"defuzzification,omitempty"` // if not tsk

	SpreadFloor float64                `json:"spread_floor,omitempty"`
	Antecedents map[string][][]float64 `json:"antecedents,omitempty"` // [R][M] by parameter name
	Consequents [][]float64            `json:"consequents,omitempty"` // [R][C(M+1)], bias first

	Knots  [][]float64 `json:"knots,omitempty"`  // [M], empty for an input without a curve; since version 3, as the next
	Curves [][]float64 `json:"curves,omitempty"` // [C or C R][Q]

	MergeWeights []int         `json:"merge_weights,omitempty"` // [R]; since version 2, as the next two
	Tie          [][]int       `json:"tie,omitempty"`           // [R][M]
	Splits       []rules.Split `json:"splits,omitempty"`

	Keep  []rules.Keep `json:"keep,omitempty"`  // [R]; since version 5, as the next
	Signs []int        `json:"signs,omitempty"` // [C(M+1)]

	Rules []RuleSummary `json:"rules,omitempty"`
}

func newRulesContent(rb *rules.RuleBase) rulesContent {
	c := rulesContent{
		Membership: rb.Shape.Name(), SpreadFloor: rb.SpreadFloor,
		Antecedents: map[string][][]float64{}, Consequents: rb.Consequents,
		Curves: rb.Curves, MergeWeights: rb.MergeWeights, Tie: rb.Tie, Splits: rb.Splits, Keep: rb.Keep, Signs: rb.Signs,
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

// constrains reports whether parts of rules are kept, or signs of slopes bounded.
func (c *rulesContent) constrains() bool { return c.Keep != nil || c.Signs != nil }

// infers reports whether the rules have another t-norm or defuzzification than the paper's.
func (c *rulesContent) infers() bool { return c.TNorm != "" || c.Defuzzification != "" }

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
	rb := &rules.RuleBase{Shape: shape, SpreadFloor: c.SpreadFloor, MergeWeights: c.MergeWeights, Tie: c.Tie, Splits: c.Splits, Keep: c.Keep, Signs: c.Signs}
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
