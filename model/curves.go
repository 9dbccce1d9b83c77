package model

import (
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// Curve is a function of an input of the rules in THEN parts, in the units of the data: linear
// between its points (X, Y), constant beyond the first and the last.
type Curve struct {
	Input int       // index in Inputs
	X     []float64 // ascending, in the unit of the input
	Y     []float64 // in the unit of the target
}

// Curves returns the curves with the values [Q] at the knots [M] of a rulebase, see
// [rules.RuleBase], for each input that has one; none without knots. With [Preprocessing.Formula]
// they are what a rule says.
func Curves(p Preprocessing, knots [][]float64, values []float64) []Curve {
	var all []Curve
	inputs, unit := p.Inputs(), p.Target.Scaling()
	for m, k := range knots {
		if len(k) == 0 {
			continue
		}
		c := Curve{Input: m}
		f := inputs[m]
		exact := place(max(math.Abs(f.Mean), f.SD)) - 13 // beyond are rounding errors
		for q, z := range k {
			c.X = append(c.X, digits.RoundTo(f.Mean+float64(f.SD*z), exact))
			c.Y = append(c.Y, unit*values[q])
		}
		all, values = append(all, c), values[len(k):]
	}
	return all
}

// MeanCurves returns the values [Q] of the curves of a rulebase, which has some, as means over
// the rules.
func MeanCurves(rb *rules.RuleBase) []float64 {
	mean := slices.Clone(rb.Curves[0])
	for c, values := range rb.Curves[1:] {
		for q, v := range values {
			mean[q] += (v - mean[q]) / float64(c+2)
		}
	}
	return mean
}

// roundCurves rounds the knots of a rulebase as roundFunction rounds positions, and the values
// of its curves to multiples of 10^place in the unit of the target. Knots that would become
// equal have more digits; if a curve is kept, knots are not rounded.
func roundCurves(p Preprocessing, rb *rules.RuleBase, n, place int) {
	kept, inputs, unit, exact := rules.Kept(rb), p.Inputs(), p.Target.Scaling(), false
	for i, values := range rb.Curves {
		if kept != nil && kept.Curves[i][0] == 1 {
			exact = true
			continue
		}
		for q, v := range values {
			values[q] = digits.RoundTo(float64(unit*v), place) / unit
		}
	}
	for m, k := range rb.Knots {
		if !exact {
			roundKnots(k, inputs[m], n)
		}
	}
}

func roundKnots(knots []float64, f Feature, n int) {
	rounded := make([]float64, len(knots))
	for ; n < 16; n++ {
		for q, z := range knots {
			rounded[q] = f.Scaled(roundPosition(f, f.InUnits(z, membership.Position), n), membership.Position)
		}
		if len(slices.Compact(slices.Clone(rounded))) == len(knots) {
			copy(knots, rounded)
			return
		}
	}
}

// outputShifts returns, for each rule, the mean of its output in before minus that in after
// over the samples x, weighted by the firing levels in after; zero for a rule that does not fire.
func outputShifts(ctx context.Context, before, after *rules.RuleBase, x [][]float64, weights []float64) []float64 {
	shifts, sums := make([]float64, after.Rules()), make([]float64, after.Rules())
	for start := 0; start < len(x) && ctx.Err() == nil; start += blockRows {
		block := x[start:min(start+blockRows, len(x))]
		for n, levels := range after.FiringLevels(block, nil) {
			for r, level := range levels {
				level = float64(level * weighted.At(weights, start+n))
				sums[r] += level
				shifts[r] += float64(level * (before.Consequent(r, block[n]) - after.Consequent(r, block[n])))
			}
		}
	}
	for r, sum := range sums {
		if sum > 0 {
			shifts[r] /= sum
		}
	}
	return shifts
}
