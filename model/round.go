package model

import (
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// Round returns a rulebase whose numbers have few digits in the units of the data, in which the rules are printed:
//
//   - slopes of the THEN parts, and spreads, slopes and other parameters of membership
//     functions: n significant digits, from 1 to 15;
//   - positions of membership functions, and knots of curves: a multiple of the power of ten
//     that is at most 10^(1-n)/2 standard deviations of the feature;
//   - intercepts, and values of curves: a multiple of the power of ten that is at most a 20th
//     of the RMSE of rb, or 0.01 of an output on the scale of a logarithm or of log odds,
//     intercepts after a shift that keeps the mean output of the rule, weighted by its firing
//     levels.
//
// Functions of a feature with a [Power] are rounded in units of its transform. A function whose rounded parameters are not in the domain
// of its shape has more digits. Equal functions and shared borders remain equal, and flat functions flat. What is kept, see [rules.Kept],
// is not rounded, nor are knots if a curve is kept. x, y and weights are the scaled training samples as [Preprocessing.Scale] returns
// them, their targets [N,C] as [Preprocessing.Targets] does, and their weights (nil: all one). If ctx ends, the error is that of ctx.
func Round(ctx context.Context, p Preprocessing, rb *rules.RuleBase, n int, x [][]float64, y, weights []float64) (*rules.RuleBase, error) {
	rounded := rb.Clone()
	roundAntecedents(p, rounded, n)
	centers := firingMeans(ctx, rounded, x, weights, rounded.Features(), func(dst []float64, _ int, row []float64) {
		copy(dst, rounded.ThenPart(row))
	})
	for c := range rb.OutputCount() {
		alone, _ := p.output(c)
		size := outputSize
		if p.Scaled() {
			size = errorSize(ctx, alone, rb.Output(c), x, func(n int) float64 { return y[n*rb.OutputCount()+c] }, weights)
		}
		roundOutput(ctx, alone, rb.Output(c), rounded.Output(c), n, size, centers, x, weights)
	}
	return rounded, ctx.Err()
}

// outputSize is the size of the errors of outputs without a unit.
const outputSize = 0.2

// roundOutput rounds the consequents of a rulebase of one output, which is rb with rounded antecedents. size is that of the errors in the
// target's unit, centers [R][M] are the mean inputs of the rules.
func roundOutput(ctx context.Context, p Preprocessing, rb, rounded *rules.RuleBase, n int, size float64, centers,
	x [][]float64, weights []float64) {
	limited := size > 0 && !math.IsInf(size, 0)
	inputs, shifts := p.Inputs(), newRows(rb.Rules(), 1)
	if rb.Curves != nil && limited {
		roundCurves(p, rounded, n, decimalPlace(size/20))
		shifts = firingMeans(ctx, rounded, x, weights, 1, func(dst []float64, r int, row []float64) {
			dst[0] = rb.Consequent(r, row) - rounded.Consequent(r, row)
		})
	}
	for r, center := range centers {
		if rb.Keeps(r, rules.KeepThen) {
			continue
		}
		intercept, slopes := p.Formula(rb.Consequents[r])
		intercept += float64(p.Target.Scaling() * shifts[r][0])
		for m, f := range inputs {
			slope := numeric.Round(slopes[m], n)
			intercept += float64((slopes[m] - slope) * (f.Mean + float64(f.SD*center[m])))
			slopes[m] = slope
		}
		if limited {
			intercept = numeric.RoundTo(intercept, decimalPlace(size/20))
		}
		copy(rounded.Consequents[r], p.Consequent(intercept, slopes))
	}
}

// decimalPlace returns the exponent of the largest power of ten that is at most v > 0.
func decimalPlace(v float64) int { return int(math.Floor(math.Log10(v))) }

// errorSize returns the RMSE of rb in the target's unit, but at least 1e-9 of the size of
// the targets: a perfect model has a limit as well.
func errorSize(ctx context.Context, p Preprocessing, rb *rules.RuleBase, x [][]float64, y func(n int) float64,
	weights []float64) float64 {
	squares := 0.0
	for start := 0; start < len(x) && ctx.Err() == nil; start += blockRows {
		predicted, _, _ := rb.Forward(x[start:min(start+blockRows, len(x))], nil) // of the model's own samples
		for i, v := range predicted {
			n := start + i
			squares += float64(numeric.WeightAt(weights, n) * (v - y(n)) * (v - y(n)))
		}
	}
	rmse := p.Target.Scaling() * math.Sqrt(squares/numeric.WeightSum(weights, len(x)))
	return max(rmse, 1e-9*max(p.Target.Max-p.Target.Min, math.Abs(p.Target.Mean)))
}

// firingMeans returns the means [R][width] of a function of each rule and a sample over the samples x, weighted by their
// weights and the firing levels of the rule; zero for a rule that does not fire. The function writes its values to dst.
func firingMeans(ctx context.Context, rb *rules.RuleBase, x [][]float64, weights []float64, width int,
	of func(dst []float64, r int, row []float64)) [][]float64 {
	means, sums, values := newRows(rb.Rules(), width), make([]float64, rb.Rules()), make([]float64, width)
	for start := 0; start < len(x) && ctx.Err() == nil; start += blockRows {
		block := x[start:min(start+blockRows, len(x))]
		for n, levels := range rb.FiringLevels(block, nil) {
			for r, level := range levels {
				level = float64(level * numeric.WeightAt(weights, start+n))
				sums[r] += level
				of(values, r, block[n])
				for i, v := range values {
					means[r][i] += float64(level * v)
				}
			}
		}
	}
	for r, sum := range sums {
		for i := range means[r] {
			if sum > 0 {
				means[r][i] /= sum
			}
		}
	}
	return means
}

// roundAntecedents rounds the membership functions that are not flat: one by one, or those
// of a feature together if they can share borders (Splits).
func roundAntecedents(p Preprocessing, rb *rules.RuleBase, n int) {
	kept := rules.Kept(rb)
	for m, f := range p.Inputs() {
		if f.Power != nil {
			f = Feature{SD: 1}
		}
		var all []int
		keeps := false
		for r := range rb.Rules() {
			switch {
			case rb.IsFlat(r, m): // it shares no border
			case kept.KeepsFunction(r, m):
				keeps = true
			default:
				all = append(all, r)
			}
		}
		size := 1
		if rb.Splits != nil {
			if keeps {
				continue // they can share borders with functions that are kept
			}
			size = max(1, len(all))
		}
		for group := range slices.Chunk(all, size) {
			roundFunctions(rb, m, f, group, n)
		}
	}
}

// roundFunctions rounds the membership functions X_{r,m} of the given rules to n digits or,
// until all are in the domain of their shape, more.
func roundFunctions(rb *rules.RuleBase, m int, f Feature, of []int, n int) {
	params := rb.Shape.Params()
	project := rules.Projection(rb.Shape, rb.SpreadFloor)
	old := make([]float64, len(params))
	for ; n < 16; n++ {
		rounded, projected := make([][]float64, len(params)), make([][]float64, len(params))
		for _, r := range of {
			for j, v := range roundFunction(f, params, rb.SpreadFloor, rb.Function(old, r, m), n) {
				rounded[j], projected[j] = append(rounded[j], v), append(projected[j], v)
			}
		}
		if project(projected); !slices.EqualFunc(rounded, projected, slices.Equal) {
			continue
		}
		for i, r := range of {
			for j := range params {
				rb.Antecedents[j][r][m] = rounded[j][i]
			}
		}
		return
	}
}

// roundFunction returns the parameters v of a membership function of the feature, rounded,
// spreads below the floor upwards. Open borders remain, see [membership.IsOpen].
func roundFunction(f Feature, params []membership.Param, floor float64, v []float64, n int) []float64 {
	rounded := make([]float64, len(v))
	for j, param := range params {
		if membership.IsOpen(param, v[j]) {
			rounded[j] = v[j]
			continue
		}
		u := f.InUnits(v[j], param.Kind)
		if param.Kind == membership.Position {
			u = roundPosition(f, u, n)
		} else {
			u = numeric.Round(u, n)
		}
		if rounded[j] = f.Scaled(u, param.Kind); rounded[j] < param.Kind.Least(floor) {
			rounded[j] = f.Scaled(numeric.Round(u+math.Pow10(decimalPlace(u)+1-n), n), param.Kind)
		}
	}
	return rounded
}

// roundPosition rounds a position in the unit of the feature.
func roundPosition(f Feature, v float64, n int) float64 {
	return numeric.RoundTo(v, decimalPlace(f.SD/2)+1-n)
}

// Curve is a function of an input of the rules in THEN parts, in the units of the data: linear
// between its points (X, Y), constant beyond the first and the last.
type Curve struct {
	Input int       // index in Inputs
	X     []float64 // ascending, in the unit of the input
	Y     []float64 // in the unit of the target
}

// Curves returns the curves with the values [Q] at the knots [M] of a rulebase, see [rules.RuleBase], for each input that has one; none
// without knots. With [Preprocessing.Formula] they are what a rule says.
func Curves(p Preprocessing, knots [][]float64, values []float64) []Curve {
	var all []Curve
	inputs, unit := p.Inputs(), p.Target.Scaling()
	for m, k := range knots {
		if len(k) == 0 {
			continue
		}
		c := Curve{Input: m}
		f := inputs[m]
		exact := decimalPlace(max(math.Abs(f.Mean), f.SD)) - 13 // beyond are rounding errors
		for q, z := range k {
			c.X = append(c.X, numeric.RoundTo(f.Mean+float64(f.SD*z), exact))
			c.Y = append(c.Y, unit*values[q])
		}
		all, values = append(all, c), values[len(k):]
	}
	return all
}

// MeanCurves returns the values [Q] of the curves of a rulebase, which has some, as means over the rules.
func MeanCurves(rb *rules.RuleBase) []float64 {
	mean := slices.Clone(rb.Curves[0])
	for c, values := range rb.Curves[1:] {
		for q, v := range values {
			mean[q] += (v - mean[q]) / float64(c+2)
		}
	}
	return mean
}

// roundCurves rounds the knots of a rulebase as roundFunction rounds positions, and the values of its curves to multiples of 10^place in
// the unit of the target. Knots that would become equal have more digits; if a curve is kept, knots are not rounded.
func roundCurves(p Preprocessing, rb *rules.RuleBase, n, place int) {
	kept, inputs, unit, exact := rules.Kept(rb), p.Inputs(), p.Target.Scaling(), false
	for i, values := range rb.Curves {
		if kept != nil && kept.Curves[i][0] == 1 {
			exact = true
			continue
		}
		for q, v := range values {
			values[q] = numeric.RoundTo(float64(unit*v), place) / unit
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
