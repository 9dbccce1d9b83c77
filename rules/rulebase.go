// Package rules holds the rulebase of a TSK fuzzy system, its plain forward
// pass, and the initialisers that place its rules.
//
// A [RuleBase] is plain data: R rules over M features, with parameters in readable form.
// Its forward pass here ([RuleBase.FiringLevels], [RuleBase.Forward],
// [RuleBase.Loss]) is written for clarity, directly from the paper's equations.
// It is the reference for every other implementation.
//
// A rulebase starts from clusters of the training samples, [FuzzyCMeans], [KMeans]
// or [GenFIS], then [New]; or from a [Grid]. [Prune] removes rules that fire little and
// merges rules that fire alike.
package rules

import (
	"errors"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// ErrInvalid is wrapped by every error of [RuleBase.Validate] and
// [RuleBase.CheckSizes].
var ErrInvalid = errors.New("rules: invalid rulebase")

// RuleBase is a set of R rules over M features, in scaled units:
//
//	IF x_1 is X_{r,1} and ... and x_M is X_{r,M}
//	THEN y_r(x) = w_{r,0} + w_{r,1} x_1 + ... + w_{r,M} x_M
//
// The paper's equation (1). To y_r(x), consequents can add curves, functions of single
// features that are linear between knots and constant beyond the first and the last:
//
//	c_{r,m}(x_m) = (1-t) V_{r,q} + t V_{r,q+1}    t = (x_m - k_q) / (k_{q+1} - k_q)
//
// for x_m between the knots k_q and k_{q+1}. Curves that all rules share are added to the
// prediction, since normalised firing levels sum to one.
//
// A rulebase has one output or several. With C outputs each rule has C consequents, of one
// IF part, see [RuleBase.Output].
//
// Functions and methods without an error result require a rulebase that [RuleBase.Validate] accepts, samples, masks, targets
// and weights of matching sizes, and indices in range. They panic otherwise, as an index of a slice does.
type RuleBase struct {
	Shape membership.Function
	Parameters

	// TNorm joins the grades of a rule to its firing level; nil: the product.
	// Defuzzification gives rules weights by their firing levels; nil: TSK.
	TNorm           inference.TNorm
	Defuzzification inference.Defuzzification

	// Knots [M] are the knots of the curves of each feature, ascending, in the units of the
	// inputs of the consequents: at least MinKnots, or none for a feature without a curve.
	// Columns of Curves are numbered over all features, from the knots of the first one.
	// Nil: no curves.
	Knots [][]float64

	// SpreadFloor is the least value of a parameter of kind membership.Spread
	// (Gaussian sigma). It is fixed when the rules are first placed.
	SpreadFloor float64

	// MergeWeights [R] counts the rules that each was merged from in pruning, w_r of
	// the paper's Algorithm 2; nil: one each. They are the weights of later merges and do
	// not affect the output.
	MergeWeights []int

	// Tie [R][M] labels the membership functions of each feature: rules with the same
	// label at m share X_{r,m}: its parameters are equal to the bit, and stay equal during
	// training. Nil: every rule has functions of its own.
	Tie [][]int

	// Keep [R] are the parts of each rule that are kept; nil: none of any rule.
	Keep []Keep

	// Signs [C(M+1)] bound the consequents of every rule by column: 1 from below by zero, -1
	// from above. 0, as for biases, bounds none. Nil: no bounds. Curves of a bounded feature do not fall,
	// or do not rise.
	Signs []int

	// Without [R][M] are the parts of each rule that must not mention a feature: its function in the IF part is flat,
	// its slopes in the THEN part are zero, and no update changes them. Curves that all rules share are no part of one. Nil: none.
	Without [][]Keep

	// Splits are the inner nodes of the tree that the rules started from, a node before
	// those below it; nil: the rules started otherwise. The sides of a split are the rules
	// below it. A rule that was merged across a split is on no side of any split. Rules that
	// are tied have no splits.
	Splits []Split
}

// New returns one rule of the given shape per cluster: antecedents by Shape.Place, biases
// from Targets and slopes zero, or consequents from Clusters.Plane. The spread floor is a
// tenth of the smallest spread, of the clusters or of the functions placed. There must be at least one cluster, with
// Centers and Spreads [R][M] and Targets [R C], as every [Initialiser] returns them.
func New(shape membership.Function, c *Clusters) *RuleBase {
	params := shape.Params()
	R, M, C := len(c.Centers), len(c.Centers[0]), c.Outputs()
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(len(params), R, M), SpreadFloor: math.Inf(1)}
	rb.SetOutputs(C)
	for r, center := range c.Centers {
		for m := range center {
			rb.SpreadFloor = min(rb.SpreadFloor, 0.1*c.Spreads[r][m])
			for j, v := range shape.Place(center[m], c.Spreads[r][m]) {
				rb.Antecedents[j][r][m] = v
				if params[j].Kind == membership.Spread && v > 0 {
					rb.SpreadFloor = min(rb.SpreadFloor, 0.1*v)
				}
			}
		}
		for i, t := range c.Targets[r*C:][:C] {
			rb.Consequents[r][i*(M+1)] = t
		}
		copy(rb.Consequents[r], c.Plane)
	}
	rb.Project()
	return rb
}

// Clone returns a deep copy.
func (rb *RuleBase) Clone() *RuleBase {
	c := *rb
	c.Parameters = NewParameters(len(rb.Antecedents), rb.Rules(), rb.Features())
	c.Consequents = cloneRows(rb.Consequents)
	c.MergeWeights = slices.Clone(rb.MergeWeights)
	c.Keep, c.Signs = slices.Clone(rb.Keep), slices.Clone(rb.Signs)
	c.Without = slices.Clone(rb.Without)
	for r, parts := range rb.Without {
		c.Without[r] = slices.Clone(parts)
	}
	c.Tie = slices.Clone(rb.Tie)
	for r, labels := range rb.Tie {
		c.Tie[r] = slices.Clone(labels)
	}
	c.Splits = slices.Clone(rb.Splits)
	for i, s := range rb.Splits {
		c.Splits[i] = s.clone()
	}
	for j := range rb.Antecedents {
		copyRows(c.Antecedents[j], rb.Antecedents[j])
	}
	c.Knots, c.Curves = cloneRows(rb.Knots), cloneRows(rb.Curves)
	return &c
}

// Project moves the antecedent parameters that are not kept into their domain: each to the
// least value of its kind or above, then the shape's own constraints.
func (rb *RuleBase) Project() {
	if kept := Kept(rb); kept != nil {
		defer restoreKept(rb, rb.Clone(), kept)
	}
	rows := make([][]float64, len(rb.Antecedents))
	for r := range rb.Consequents {
		for j := range rows {
			rows[j] = rb.Antecedents[j][r]
		}
		Project(rb.Shape, rb.SpreadFloor, rows)
	}
}

// Flatten makes the membership function X_{r,m} one everywhere, so that the antecedent of
// rule r does not depend on feature m. Training does not change a flat function. The
// shape must satisfy [CanBeFlat].
func (rb *RuleBase) Flatten(r, m int) {
	for j, v := range flatParams(rb.Shape) {
		rb.Antecedents[j][r][m] = v
	}
}

// IsFlat reports whether X_{r,m} is one everywhere, so that the IF part of rule r does
// not mention feature m.
func (rb *RuleBase) IsFlat(r, m int) bool {
	return flat(rb.Shape, rb.Function(make([]float64, len(rb.Antecedents)), r, m))
}

// LogSpace reports whether firing levels are computed as logarithms: whether the shape is a
// [membership.LogFunction] and the t-norm an [inference.LogTNorm].
func (rb *RuleBase) LogSpace() bool {
	_, shape := rb.Shape.(membership.LogFunction)
	_, norm := inference.OrProduct(rb.TNorm).(inference.LogTNorm)
	return shape && norm
}

// Length returns the mean number of conditions in the IF part of a rule: on one feature, or on all those of one of the categories.
func (rb *RuleBase) Length(categories [][]int) float64 {
	mentioned := 0
	for _, column := range byColumn(rb.Features(), categories) {
		for r := range rb.Rules() {
			if slices.ContainsFunc(column, func(m int) bool { return !rb.IsFlat(r, m) }) {
				mentioned++
			}
		}
	}
	return float64(mentioned) / float64(rb.Rules())
}

// Terms returns the mean number of terms in the THEN part of a rule: of slopes that are
// not zero, in all outputs.
func (rb *RuleBase) Terms() float64 {
	terms, width := 0, rb.Features()+1
	for _, w := range rb.Consequents {
		for i, v := range w {
			if i%width != 0 && v != 0 {
				terms++
			}
		}
	}
	return float64(terms) / float64(rb.Rules())
}

// Output returns a rulebase of output c alone, which shares the memory of its parameters
// with rb.
func (rb *RuleBase) Output(c int) *RuleBase {
	one := *rb
	one.Parameters = rb.Parameters.Output(c)
	if width := rb.Features() + 1; rb.Signs != nil {
		one.Signs = rb.Signs[c*width:][:width]
	}
	return &one
}

// SetOutputs gives each rule C consequents, all zero, and removes the curves and the bounds but Without.
func (rb *RuleBase) SetOutputs(C int) {
	rb.Consequents, rb.Knots, rb.Curves, rb.Signs = matrix(rb.Rules(), C*(rb.Features()+1)), nil, nil, nil
}

// MergeWeight returns w_r of Algorithm 2: the number of rules that rule r (from 0) was
// merged from.
func (rb *RuleBase) MergeWeight(r int) int {
	if rb.MergeWeights == nil {
		return 1
	}
	return rb.MergeWeights[r]
}

// Keeps reports whether one of the given parts of rule r (from 0) is kept.
func (rb *RuleBase) Keeps(r int, parts Keep) bool { return rb.Keep != nil && rb.Keep[r]&parts != 0 }

// Shared returns the groups, of two elements or more, of antecedent parameters that are
// copies of one: parameters of functions with a common label in Tie, and of common borders
// of Splits. No element is in two groups.
func (rb *RuleBase) Shared() [][]Element { return append(tied(rb), bordered(rb)...) }

// CheckSizes checks that the rulebase has a shape, R and M are at least one, and all
// parameters have the matching sizes, as the forward pass requires. It does not check
// values. The error names the parameter and its index.
func (rb *RuleBase) CheckSizes() error {
	switch {
	case rb == nil:
		return invalid("nil rulebase")
	case rb.Shape == nil:
		return invalid("no membership shape")
	}
	params := rb.Shape.Params()
	R, M := rb.Rules(), rb.Features()
	switch {
	case R < 1 || M < 1:
		return invalid("%d rules over %d features: want at least one of each", R, M)
	case len(rb.Antecedents) != len(params):
		return invalid("%d antecedent parameters; %s has %d", len(rb.Antecedents), rb.Shape.Name(), len(params))
	}
	if err := checkSize(rb.Consequents, R, max(1, rb.OutputCount())*(M+1)); err != nil {
		return invalid("w%v", err)
	}
	for j, param := range params {
		if err := checkSize(rb.Antecedents[j], R, M); err != nil {
			return invalid("%s%v", param.Name, err)
		}
	}
	if err := checkCurveSizes(rb); err != nil {
		return invalid("%v", err)
	}
	return nil
}

// Validate checks sizes, as CheckSizes does, and values: all numbers finite, the spread floor positive, every antecedent
// parameter in its domain (a kept spread may be below the floor), merge weights at least one, knots ascending, splits nested
// as in a tree, shared parameters equal. The error names the parameter and its index.
func (rb *RuleBase) Validate() error {
	if err := rb.CheckSizes(); err != nil {
		return err
	}
	switch {
	case !(rb.SpreadFloor > 0) || math.IsInf(rb.SpreadFloor, 0):
		return invalid("spread floor %v: must be positive and finite", rb.SpreadFloor)
	case rb.MergeWeights != nil && len(rb.MergeWeights) != rb.Rules():
		return invalid("%d merge weights; there are %d rules", len(rb.MergeWeights), rb.Rules())
	}
	for r, w := range rb.MergeWeights {
		if w < 1 {
			return invalid("merge weight[r=%d] = %d: must be at least 1", r, w)
		}
	}
	if err := checkFinite(rb.Consequents); err != nil {
		return invalid("w%v", err)
	}
	for j, param := range rb.Shape.Params() {
		if err := checkFinite(rb.Antecedents[j]); err != nil {
			return invalid("%s%v", param.Name, err)
		}
	}
	for _, check := range []func(rb *RuleBase) error{checkKeep, checkWithout, checkSigns, checkCurves, checkTie, checkSplits, checkShared} {
		if err := check(rb); err != nil {
			return invalid("%v", err)
		}
	}
	return checkDomain(rb)
}
