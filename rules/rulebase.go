// Package rules holds the rulebase of a TSK fuzzy system, its plain forward
// pass, and the initialisers that place its rules.
//
// A [RuleBase] is data: R rules over M features, parameters as people read them.
// Its forward pass here ([RuleBase.FiringLevels], [RuleBase.Forward],
// [RuleBase.Loss]) is written for clarity, straight from the paper's equations.
// It is the reference against which every other way of computing the same thing
// is held.
//
// A rulebase starts from clusters of the training samples, [FuzzyCMeans], [KMeans]
// or [GenFIS], then [New]; or on a [Grid]. [Prune] takes away rules that fire little
// and merges those that fire alike.
package rules

import (
	"errors"
	"math"
	"slices"

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
// The paper's equation (1).
type RuleBase struct {
	Shape membership.Function
	Parameters

	// SpreadFloor is the least value of a parameter of kind membership.Spread
	// (Gaussian sigma). It is fixed when the rules are first placed.
	SpreadFloor float64

	// MergeWeights [R] counts the rules that each was merged from in pruning, w_r of
	// the paper's Algorithm 2; nil: one each. They weigh later merges and have no part
	// in the output.
	MergeWeights []int

	// Tie [R][M] labels the membership functions of each feature: rules with the same
	// label at m share X_{r,m}, its parameters are equal to the bit, and training keeps
	// them so. Nil: every rule has its own.
	Tie [][]int
}

// Parameters are the trainable numbers of a rulebase. A gradient has the same
// form.
type Parameters struct {
	// Antecedents holds the parameters of the membership functions: one [R][M]
	// matrix per parameter, in the order of Shape.Params.
	Antecedents [][][]float64 `json:"antecedents"`

	// Consequents is [R][M+1]; column 0 is the bias w_{r,0}.
	Consequents [][]float64 `json:"consequents"`
}

// NewParameters returns zeros for n antecedent parameters, R rules and M
// features.
func NewParameters(n, R, M int) Parameters {
	p := Parameters{Antecedents: make([][][]float64, n), Consequents: matrix(R, M+1)}
	for j := range p.Antecedents {
		p.Antecedents[j] = matrix(R, M)
	}
	return p
}

// Rules returns R.
func (p Parameters) Rules() int { return len(p.Consequents) }

// Features returns M.
func (p Parameters) Features() int {
	if len(p.Consequents) == 0 {
		return 0
	}
	return len(p.Consequents[0]) - 1
}

// New places rules of the given shape on clusters: the antecedents by
// Shape.Place, the bias at the cluster's mean target, the slopes zero; or the
// consequents at Clusters.Plane. The spread floor is a tenth of the smallest spread, of the clusters or as placed.
func New(shape membership.Function, c *Clusters) *RuleBase {
	params := shape.Params()
	R, M := len(c.Centers), len(c.Centers[0])
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(len(params), R, M), SpreadFloor: math.Inf(1)}
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
		rb.Consequents[r][0] = c.Targets[r]
		copy(rb.Consequents[r], c.Plane)
	}
	rb.Project()
	return rb
}

// Function writes the parameters of the membership function X_{r,m} to dst, in
// the order of Shape.Params, and returns dst.
func (p Parameters) Function(dst []float64, r, m int) []float64 {
	for j := range dst {
		dst[j] = p.Antecedents[j][r][m]
	}
	return dst
}

// Clone returns a deep copy.
func (rb *RuleBase) Clone() *RuleBase {
	c := *rb
	c.Parameters = NewParameters(len(rb.Antecedents), rb.Rules(), rb.Features())
	c.MergeWeights = slices.Clone(rb.MergeWeights)
	c.Tie = slices.Clone(rb.Tie)
	for r, labels := range rb.Tie {
		c.Tie[r] = slices.Clone(labels)
	}
	for j := range rb.Antecedents {
		copyRows(c.Antecedents[j], rb.Antecedents[j])
	}
	copyRows(c.Consequents, rb.Consequents)
	return &c
}

func copyRows(dst, src [][]float64) {
	for i, row := range src {
		copy(dst[i], row)
	}
}

// Project moves the antecedent parameters into their domain: each to the least
// value of its kind or above, then the shape's own constraints.
func (rb *RuleBase) Project() {
	rows := make([][]float64, len(rb.Antecedents))
	for r := range rb.Consequents {
		for j := range rows {
			rows[j] = rb.Antecedents[j][r]
		}
		Project(rb.Shape, rb.SpreadFloor, rows)
	}
}

// Project moves antecedent parameters into their domain in place: p[j][i] is
// parameter j of membership function i, whatever the order of the functions.
func Project(shape membership.Function, spreadFloor float64, p [][]float64) {
	Projection(shape, spreadFloor)(p)
}

// Projection returns [Project] for one shape and floor, as a function that
// allocates nothing.
func Projection(shape membership.Function, spreadFloor float64) func(p [][]float64) {
	var least []float64
	for _, param := range shape.Params() {
		least = append(least, param.Kind.Least(spreadFloor))
	}
	s, further := shape.(membership.Projector)
	return func(p [][]float64) {
		for j, bound := range least {
			if math.IsInf(bound, -1) {
				continue
			}
			for i, v := range p[j] {
				p[j][i] = max(v, bound)
			}
		}
		if further {
			s.Project(p)
		}
	}
}
