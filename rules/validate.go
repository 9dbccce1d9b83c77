package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// checkDomain checks that Project would not change any parameter, and that a kept one is in
// the domain of its shape with a spread floor near zero.
func checkDomain(rb *RuleBase) error {
	projected := rb.Clone()
	if rb.Keep != nil {
		projected.Keep, projected.SpreadFloor = nil, math.SmallestNonzeroFloat64
		projected.Project()
		projected.Keep, projected.SpreadFloor = rb.Keep, rb.SpreadFloor
	}
	projected.Project()
	for j, param := range rb.Shape.Params() {
		for r, row := range rb.Antecedents[j] {
			for m, v := range row {
				if v != projected.Antecedents[j][r][m] {
					return invalid("%s[r=%d,m=%d] = %v is outside the domain of %s", param.Name, r, m, v, rb.Shape.Name())
				}
			}
		}
	}
	return nil
}

// Restorable returns an error unless a file can hold the shape, the t-norm and the
// defuzzification of a valid rulebase, see [membership.Restorable] and [inference.Restorable].
func Restorable(rb *RuleBase) error {
	if err := membership.Restorable(rb.Shape); err != nil {
		return err
	}
	return inference.Restorable(rb.TNorm, rb.Defuzzification)
}

func invalid(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, a...))
}

// checkInputs checks the sizes of a rulebase and of samples x [N][M] or [N][2M] with a mask [N][R] or nil.
func checkInputs(rb *RuleBase, x, mask [][]float64) error {
	if err := rb.CheckSizes(); err != nil {
		return err
	}
	M, R := rb.Features(), rb.Rules()
	for n, row := range x {
		if len(row) != len(x[0]) || len(row) != M && len(row) != 2*M {
			return invalid("sample %d has %d features; the rules are over %d, and all samples are alike", n, len(row), M)
		}
	}
	if mask != nil && len(mask) != len(x) {
		return invalid("a mask of %d samples; there are %d", len(mask), len(x))
	}
	for n, row := range mask {
		if len(row) != R {
			return invalid("mask[%d] has %d values; there are %d rules", n, len(row), R)
		}
	}
	return nil
}

// checkSamples checks a rulebase, and the sizes of samples x [N][M] or [N][2M] with weights [N] or nil.
func checkSamples(rb *RuleBase, x [][]float64, weight []float64) error {
	if err := rb.Validate(); err != nil {
		return err
	}
	if weight != nil && len(weight) != len(x) {
		return invalid("%d weights of %d samples", len(weight), len(x))
	}
	return checkInputs(rb, x, nil)
}

// checkSize returns an error that begins with the index of the fault.
func checkSize(a [][]float64, rows, cols int) error {
	if len(a) != rows {
		return fmt.Errorf(": %d rows; there are %d rules", len(a), rows)
	}
	for r, row := range a {
		if len(row) != cols {
			return fmt.Errorf("[r=%d]: %d values; want %d", r, len(row), cols)
		}
	}
	return nil
}

// checkFinite returns an error that begins with the index of the fault.
func checkFinite(a [][]float64) error {
	for r, row := range a {
		for m, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("[r=%d,m=%d] = %v: must be finite", r, m, v)
			}
		}
	}
	return nil
}

// Append returns a rulebase of the rules of rb, then those of more: of the same shape, features,
// outputs, t-norm and defuzzification. Rules share curves, splits and signs as those of rb do; more has none
// of these, no kept parts and no ties. The spread floor is the smaller of the two.
func Append(rb, more *RuleBase) *RuleBase {
	all, added := rb.Clone(), more.Clone()
	for j := range all.Antecedents {
		all.Antecedents[j] = append(all.Antecedents[j], added.Antecedents[j]...)
	}
	all.Consequents = append(all.Consequents, added.Consequents...)
	all.SpreadFloor = min(rb.SpreadFloor, more.SpreadFloor)
	n := more.Rules()
	if rb.MergeWeights != nil {
		all.MergeWeights = append(all.MergeWeights, slices.Repeat([]int{1}, n)...)
	}
	if rb.Keep != nil {
		all.Keep = append(all.Keep, make([]Keep, n)...)
	}
	if rb.Tie != nil {
		for i := range n {
			all.Tie = append(all.Tie, fresh(rb.Tie, i))
		}
	}
	return all
}

// fresh returns labels [M] that are not in tie, different ones for each i.
func fresh(tie [][]int, i int) []int {
	labels := make([]int, len(tie[0]))
	for _, row := range tie {
		for m, label := range row {
			labels[m] = max(labels[m], label+1+i)
		}
	}
	return labels
}
