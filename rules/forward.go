package rules

import (
	"context"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// MinFiring is the sum of firing levels above which a sample is covered, for shapes that
// can be zero.
const MinFiring = 1e-300

// FiringLevels returns the normalised firing levels of the samples x [N][M], the
// paper's equation (4), as rows [N][R].
//
// mask [N][R] is the mask of DropRule, one where a rule is kept and zero where it is
// dropped; nil keeps all. A sample whose kept rules all have firing level zero uses all
// rules. If their sum is zero as well, or not finite, the sample is uncovered and its row
// is zero.
func (rb *RuleBase) FiringLevels(x [][]float64, mask [][]float64) [][]float64 {
	f := matrix(len(x), rb.Rules())
	e := NewEvaluator(rb, len(x))
	e.blocks(x, mask, func(start, end int) { e.CopyTo(f[start:end]) })
	return f
}

// Covers reports whether a rule fires for at least one of the samples x [N][M].
func (rb *RuleBase) Covers(x [][]float64) bool {
	e, covers := NewEvaluator(rb, len(x)), false
	e.blocks(x, nil, func(_, _ int) { covers = covers || slices.Contains(e.covered, 1) })
	return covers
}

// Activity measures the rules on the samples x [N][M] with weights [N] as for an
// [Initialiser]. An uncovered sample counts as zero for every rule; without samples all
// results are zero. Blocks of samples run on all processors; memory is about R^2 numbers
// per processor, independent of N. If ctx ends, the error wraps that of ctx. A rulebase that [RuleBase.Validate] refuses, and
// samples or weights of other sizes, are errors that wrap [ErrInvalid].
func (rb *RuleBase) Activity(ctx context.Context, x [][]float64, weight []float64) (Activity, error) {
	if err := checkSamples(rb, x, weight); err != nil {
		return Activity{}, err
	}
	R := rb.Rules()
	a := Activity{Firing: make([]float64, R), Similarity: matrix(R, R)}
	if len(x) == 0 {
		return a, nil
	}
	weight = numeric.EachWeight(weight, len(x))
	sums, err := sumUntil(ctx, len(x), R+R*R, func(sum []float64, start, end int) {
		e, levels := NewEvaluator(rb, end-start), matrix(min(end-start, EvaluatorRows), R)
		e.blocks(x[start:end], nil, func(i, j int) {
			e.CopyTo(levels[:j-i])
			for n, f := range levels[:j-i] {
				for r := range f {
					f[r] *= weight[start+i+n]
				}
				addFiring(sum[:R], sum[R:], f)
			}
		})
	})
	total, minima := sums[:R], rowsOf(sums[R:], R, R)
	size := numeric.WeightSum(weight, len(weight))
	for i, fi := range total {
		a.Firing[i] = fi / size
		for j := i + 1; j < R; j++ {
			s := jaccard(fi, total[j], minima[i][j])
			a.Similarity[i][j], a.Similarity[j][i] = s, s
		}
	}
	return a, err
}

// OddGrades returns the number of grades that are NaN or outside [0, 1] on the samples
// x [N][M], and the first of them.
func (rb *RuleBase) OddGrades(x [][]float64) (first OddGrade, count int) {
	column, grades := make([]float64, len(x)), make([]float64, len(x))
	p := make([]float64, len(rb.Antecedents))
	for m := range rb.Features() {
		columns(column, x, m)
		for r := range rb.Rules() {
			rb.Shape.Grades(grades, column, rb.Function(p, r, m))
			for n, g := range grades {
				if g >= 0 && g <= 1 {
					continue
				}
				if count == 0 {
					first = OddGrade{r, m, column[n], g}
				}
				count++
			}
		}
	}
	return first, count
}

// Forward returns the outputs y [N,C], equation (5), row-major, for the samples x [N][M],
// and which samples are covered by a rule. An uncovered sample has outputs zero, the
// training mean in centred units. mask is as in [RuleBase.FiringLevels].
//
// Rows of x may be [2M]: the inputs of the antecedents, then those of the consequents. Wrong sizes,
// of the rulebase, too, are an error that wraps [ErrInvalid].
func (rb *RuleBase) Forward(x [][]float64, mask [][]float64) (y []float64, covered []bool, err error) {
	if err := checkInputs(rb, x, mask); err != nil {
		return nil, nil, err
	}
	y, covered = rb.forward(x, mask)
	return y, covered, nil
}

// forward is Forward of samples of the right sizes.
func (rb *RuleBase) forward(x [][]float64, mask [][]float64) (y []float64, covered []bool) {
	C, M := rb.OutputCount(), rb.Features()
	y, covered = make([]float64, len(x)*C), make([]bool, len(x))
	e := NewEvaluator(rb, len(x))
	var thenParts []float64
	e.blocks(x, mask, func(start, end int) {
		z := e.x
		if len(x[start]) > M {
			thenParts = append(thenParts[:0], z...)
			columns(thenParts, x[start:end], M)
			z = thenParts
		}
		e.Locate(z)
		e.Predict(y[start*C : end*C])
		for n := range e.b {
			covered[start+n] = e.Covered(n)
		}
	})
	return y, covered
}

// Consequent returns y_r(x), the first output of rule r alone, equation (1) with curves if
// there are any, for a sample x [M] or [2M].
func (rb *RuleBase) Consequent(r int, x []float64) float64 {
	var s thenPart
	s.locate(rb, rb.ThenPart(x), 1)
	y := make([]float64, 1)
	s.output(y, rb, r, 0)
	return y[0]
}

// Outputs writes y_r(x) of all rules to dst [C,R], to the bit as [RuleBase.Consequent], for
// a sample x [M] or [2M].
func (rb *RuleBase) Outputs(dst, x []float64) {
	var s thenPart
	s.locate(rb, rb.ThenPart(x), 1)
	R := rb.Rules()
	for i := range dst {
		s.output(dst[i:i+1], rb, i%R, i/R)
	}
}

// IfPart returns the inputs of the antecedents in a sample x [M] or [2M].
func (rb *RuleBase) IfPart(x []float64) []float64 { return x[:rb.Features()] }

// ThenPart returns the inputs of the consequents in a sample x [M] or [2M].
func (rb *RuleBase) ThenPart(x []float64) []float64 { return x[len(x)-rb.Features():] }

// Loss returns the two parts of the loss on the samples x [N][M] with their targets
// [N,C]: the weighted sum of l (nil: squared), and the sum of the penalties. It is the
// paper's equation (7) for the squared loss and [penalty.Slopes] towards zero. weight [N]
// may be nil: all one. skipped counts the uncovered samples, which add nothing to the
// data part and to penalties of samples.
func (rb *RuleBase) Loss(x [][]float64, target []float64, mask [][]float64, weight []float64, l loss.Loss,
	penalties ...penalty.Penalty) (data, penalised float64, skipped int) {
	of, C := loss.Joint(loss.OrSquared(l), nil), rb.OutputCount()
	y, covered := rb.forward(x, mask)
	weight = slices.Clone(numeric.EachWeight(weight, len(x)))
	for n := range x {
		if !covered[n] {
			weight[n] = 0
			skipped++
			continue
		}
		data += float64(weight[n] * of.Value(y[n*C:(n+1)*C], target[n*C:(n+1)*C]))
	}
	return data, rb.penalties(x, y, target, mask, weight, penalties), skipped
}

// penalties returns the sum of the penalties on the samples x [N][M] with outputs y and
// targets [N,C] and weights [N].
func (rb *RuleBase) penalties(x [][]float64, y, target []float64, mask [][]float64, weight []float64, penalties []penalty.Penalty) float64 {
	sum, R := 0.0, rb.Rules()
	for _, p := range penalty.Of(penalty.OnSlopes, penalties) {
		sum += p.Value(rb.Slopes(), R)
	}
	for _, p := range penalty.Of(penalty.OnCurves, penalties) {
		if rb.Curves != nil {
			sum += p.Value(rb.KnotMajor())
		}
	}
	onLevels, onSamples := penalty.Of(penalty.OnLevels, penalties), penalty.OnSamples(penalties)
	if len(onLevels)+len(onSamples) == 0 {
		return sum
	}
	s := penalty.Samples{R: R, Levels: slices.Concat(rb.FiringLevels(x, mask)...), Target: target, Weight: weight}
	for _, p := range onLevels {
		sum += p.Value(s.Levels, R)
	}
	C := rb.OutputCount()
	for c := range C {
		outputs, predictions := make([]float64, len(x)*R), make([]float64, len(x))
		for n, row := range x {
			rb.Output(c).Outputs(outputs[n*R:(n+1)*R], row)
			predictions[n] = y[n*C+c]
		}
		s.Outputs, s.Predictions = append(s.Outputs, outputs), append(s.Predictions, predictions)
	}
	for _, p := range onSamples {
		sum += p.Value(s)
	}
	return sum
}

// Activity holds statistics of the rules of a rulebase over samples.
type Activity struct {
	// Firing [R] is the weighted mean normalised firing level of each rule. If all samples
	// are covered, the sum is one.
	Firing []float64

	// Similarity [R][R] is the Jaccard similarity of the rules' normalised firing
	// levels over the samples, the paper's s(i,j):
	//
	//	sum_n min(f_i, f_j) / sum_n max(f_i, f_j)
	//
	// with sums over weighted samples. It is symmetric, 1 for rules with equal firing
	// levels, 0 for rules that never fire together or at all, and 0 on the diagonal.
	Similarity [][]float64
}

// addFiring adds the firing levels f [R] of a sample to total [R], and the minimum of
// each pair i < j to minima [R*R].
func addFiring(total, minima, f []float64) {
	R := len(f)
	for i, fi := range f {
		total[i] += fi
		row, others := minima[i*R+i+1:i*R+R], f[i+1:]
		row = row[:len(others)]
		for j, fj := range others {
			row[j] += min(fi, fj)
		}
	}
}

// jaccard returns the similarity of two rules from the sums a and b of their firing
// levels and the sum lesser of the minima: the maximum of two numbers is their sum minus
// the minimum. It is zero if neither rule fires, or if the result lies outside [0, 1]
// because a user-defined shape has grades outside [0, 1].
func jaccard(a, b, lesser float64) float64 {
	s := lesser / (a + b - lesser)
	if !(s >= 0 && s < 1+1e-9) {
		return 0
	}
	return min(s, 1)
}

// OddGrade is a membership grade that is NaN or outside [0, 1]: an error in the formula
// of a shape.
type OddGrade struct {
	Rule, Feature int     // from 0
	X             float64 // the feature's value, in scaled units
	Grade         float64
}
