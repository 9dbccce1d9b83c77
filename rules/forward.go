package rules

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// MinFiring is the least sum of firing levels that counts as covered, for shapes
// that can be zero. Below it a sample lies outside every rule.
const MinFiring = 1e-300

// FiringLevels returns the normalised firing levels of the samples x [N][M], the
// paper's equation (4), as rows [N][R].
//
// mask [N][R] is DropRule's, one where a rule is kept and zero where it is
// dropped; nil keeps all. A sample whose kept rules all have firing level zero
// uses all rules. If these too sum to zero (or to something not finite), the
// sample is uncovered: its row is zero.
func (rb *RuleBase) FiringLevels(x [][]float64, mask [][]float64) [][]float64 {
	levels := rb.levels(x)
	all := make([]float64, rb.Rules())
	for r := range all {
		all[r] = 1
	}
	_, logSpace := rb.Shape.(membership.LogFunction)
	norm := normalise
	if logSpace {
		norm = normaliseLog
	}
	kept := make([]float64, rb.Rules())
	for n, f := range levels {
		if mask != nil {
			copy(kept, f)
			if norm(kept, mask[n]) {
				copy(f, kept)
				continue
			}
		}
		if !norm(f, all) {
			clear(f)
		}
	}
	return levels
}

// levels returns firing levels [N][R], equation (2), or their logarithms where
// the shape has them.
func (rb *RuleBase) levels(x [][]float64) [][]float64 {
	R, M := rb.Rules(), rb.Features()
	shape, logSpace := rb.Shape.(membership.LogFunction)
	column, grades := make([]float64, len(x)), make([]float64, len(x))
	p := make([]float64, len(rb.Antecedents))
	f := matrix(len(x), R)
	if !logSpace {
		for n := range f {
			for r := range f[n] {
				f[n][r] = 1
			}
		}
	}
	for m := range M {
		for n, row := range x {
			column[n] = row[m]
		}
		for r := range R {
			rb.Function(p, r, m)
			if logSpace {
				shape.LogGrades(grades, column, p)
				for n, g := range grades {
					f[n][r] += g
				}
			} else {
				rb.Shape.Grades(grades, column, p)
				for n, g := range grades {
					f[n][r] *= g
				}
			}
		}
	}
	return f
}

// normalise turns firing levels into normalised ones; false if they sum to zero
// or to something not finite.
func normalise(f, keep []float64) bool {
	sum := 0.0
	for r := range f {
		f[r] *= keep[r]
		sum += f[r]
	}
	if !(sum > MinFiring) || math.IsInf(sum, 0) {
		return false
	}
	for r := range f {
		f[r] /= sum
	}
	return true
}

// normaliseLog does the same for logarithms of firing levels, shifted by the
// largest one that is kept, so that the sum lies between 1 and R.
func normaliseLog(z, keep []float64) bool {
	top := math.Inf(-1)
	for r, v := range z {
		if keep[r] != 0 {
			top = max(top, v)
		}
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return false
	}
	for r, v := range z {
		z[r] = 0
		if keep[r] != 0 {
			z[r] = math.Exp(v - top)
		}
	}
	return normalise(z, keep)
}

// Forward returns the outputs y [N], equation (5), for the samples x [N][M], and
// which of them are covered by a rule. An uncovered sample has output zero, the
// training mean in centred units. mask is as in [RuleBase.FiringLevels].
//
// Rows of x may be [2M]: the features as antecedents see them, then as consequents
// do.
func (rb *RuleBase) Forward(x [][]float64, mask [][]float64) (y []float64, covered []bool) {
	return rb.outputs(x, rb.FiringLevels(x, mask))
}

// outputs is Forward with the normalised firing levels [N][R].
func (rb *RuleBase) outputs(x, levels [][]float64) (y []float64, covered []bool) {
	y, covered = make([]float64, len(x)), make([]bool, len(x))
	for n, f := range levels {
		for r, level := range f {
			if level != 0 {
				covered[n] = true
				y[n] += level * rb.Consequent(r, x[n])
			}
		}
	}
	return y, covered
}

// Consequent returns y_r(x), the output of rule r alone, equation (1), for a sample
// x [M] or [2M].
func (rb *RuleBase) Consequent(r int, x []float64) float64 {
	w := rb.Consequents[r]
	y := w[0]
	for m, v := range rb.ThenPart(x) {
		y += w[m+1] * v
	}
	return y
}

// IfPart returns the features of a sample x [M] or [2M] as antecedents see them.
func (rb *RuleBase) IfPart(x []float64) []float64 { return x[:rb.Features()] }

// ThenPart returns the features of a sample x [M] or [2M] as consequents see them.
func (rb *RuleBase) ThenPart(x []float64) []float64 { return x[len(x)-rb.Features():] }

// Loss returns the two parts of the loss, the paper's equation (7) if penalty has
// nothing but Lambda: half the weighted sum of squared errors over the samples, and
// the penalty. weight [N] may be nil: all one. skipped counts the samples that no
// rule covers; they add nothing to the errors.
func (rb *RuleBase) Loss(x [][]float64, target []float64, mask [][]float64, weight []float64, p Penalty) (data, penalty float64, skipped int) {
	levels := rb.FiringLevels(x, mask)
	y, covered := rb.outputs(x, levels)
	for n, t := range target {
		if !covered[n] {
			skipped++
			continue
		}
		e := y[n] - t
		if weight != nil {
			data += 0.5 * weight[n] * e * e
		} else {
			data += 0.5 * e * e
		}
	}
	return data, p.value(rb, levels), skipped
}

// matrix returns n rows of the given width that share one array.
func matrix(n, width int) [][]float64 { return rowsOf(make([]float64, n*width), n, width) }

// rowsOf returns cells as n rows of the given width.
func rowsOf(cells []float64, n, width int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = cells[i*width : (i+1)*width : (i+1)*width]
	}
	return rows
}
