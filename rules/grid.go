package rules

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/membership"
)

// MaxGridInputs is the largest number of inputs of a grid: 4096 rules.
const MaxGridInputs = 12

// ErrGrid is wrapped by the error of [Grid] for more than MaxGridInputs inputs.
var ErrGrid = errors.New("rules: too many inputs for a grid")

// Grid gives each of the M features two membership functions, low and high, and returns a
// rule for every combination: R = 2^M rules, as in the original MBGD-RDA. Rules share
// their membership functions ([RuleBase.Tie]): rule r, from 0, uses the high one of
// feature m if bit m of r is set. Consequents are zero.
//
// The two functions are centered at the ends of the samples' range; their spread is the
// standard deviation of the samples (weighted, divisor n-1 as in [KMeans]), or 1 for a
// constant feature. Trapezoids are placed by their [membership.Partitioner], which leaves
// the ends of the range uncovered. The spread floor is the smallest initial spread.
func Grid(shape membership.Function, x [][]float64, weight []float64) (*RuleBase, error) {
	if shape == nil {
		return nil, errors.New("rules: a grid has no shape of membership function")
	}
	if err := (Samples{X: x, Y: make([]float64, len(x)), Weight: weight}).check(1); err != nil {
		return nil, err
	}
	weight = weighted.Each(weight, len(x))
	M := len(x[0])
	if M > MaxGridInputs {
		return nil, fmt.Errorf("%w: %d, of at most %d", ErrGrid, M, MaxGridInputs)
	}
	params := shape.Params()
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(len(params), 1<<M, M), SpreadFloor: math.Inf(1)}
	for r := range rb.Rules() {
		rb.Tie = append(rb.Tie, make([]int, M))
		for m := range M {
			rb.Tie[r][m] = r >> m & 1
		}
	}
	for m := range M {
		low, high, sd := spanOf(x, weight, m)
		rb.SpreadFloor = min(rb.SpreadFloor, sd)
		functions := [][]float64{shape.Place(low, sd), shape.Place(high, sd)}
		if s, ok := shape.(membership.Partitioner); ok && low < high {
			functions = s.Partition(low, high, 2)
		}
		for j, param := range params {
			for r, labels := range rb.Tie {
				v := functions[labels[m]][j]
				rb.Antecedents[j][r][m] = v
				if param.Kind == membership.Spread && v > 0 {
					rb.SpreadFloor = min(rb.SpreadFloor, v)
				}
			}
		}
	}
	rb.Project()
	return rb, nil
}

// spanOf returns the range and standard deviation of feature m; sd is 1 if the feature is
// constant.
func spanOf(x [][]float64, weight []float64, m int) (low, high, sd float64) {
	low, high = math.Inf(1), math.Inf(-1)
	mean, size, n := 0.0, weighted.Sum(weight, len(weight)), float64(len(x))
	for i, row := range x {
		low, high = min(low, row[m]), max(high, row[m])
		mean += weight[i] * row[m] / size
	}
	sum := 0.0
	for i, row := range x {
		sum += float64(weight[i] * ((row[m] - mean) * (row[m] - mean)))
	}
	if sd = math.Sqrt(sum * (n / size) / max(n-1, 1)); sd < 1e-9 {
		sd = 1
	}
	return low, high, sd
}
