package rules

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/kernel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
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
	f := matrix(len(x), rb.Rules())
	s := rb.newScratch()
	for start := 0; start < len(x); start += scratchRows {
		end := min(start+scratchRows, len(x))
		s.firingLevels(f[start:end], x[start:end], rowsFrom(mask, start, end))
	}
	return f
}

// rowsFrom returns the rows of a mask from start up to end; nil of nil.
func rowsFrom(mask [][]float64, start, end int) [][]float64 {
	if mask == nil {
		return nil
	}
	return mask[start:end]
}

// scratchRows is how many samples are worked on at a time, few enough to stay in
// the processor's first cache.
const scratchRows = 32

// scratch is memory for scratchRows samples.
type scratch struct {
	*RuleBase
	f             [][]float64 // [scratchRows][R]
	columns       [][]float64 // [M][scratchRows], the samples by feature
	level, grades []float64   // [scratchRows], of one rule
	p             []float64   // parameters of one membership function
	kept          []float64   // [R]
}

func (rb *RuleBase) newScratch() *scratch {
	return &scratch{
		RuleBase: rb, f: matrix(scratchRows, rb.Rules()), columns: matrix(rb.Features(), scratchRows),
		level: make([]float64, scratchRows), grades: make([]float64, scratchRows),
		p: make([]float64, len(rb.Antecedents)), kept: make([]float64, rb.Rules()),
	}
}

// firingLevels writes the normalised firing levels of at most scratchRows samples
// to levels.
func (s *scratch) firingLevels(levels, x, mask [][]float64) {
	s.levels(levels, x)
	norm := normalise
	if _, logSpace := s.Shape.(membership.LogFunction); logSpace {
		norm = normaliseLog
	}
	for n, f := range levels {
		if mask != nil {
			copy(s.kept, f)
			if norm(s.kept, mask[n]) {
				copy(f, s.kept)
				continue
			}
		}
		if !norm(f, nil) {
			clear(f)
		}
	}
}

// levels writes firing levels [N][R], equation (2), or their logarithms where the
// shape has them, of at most scratchRows samples to f.
func (s *scratch) levels(f, x [][]float64) {
	level, grades := s.level[:len(x)], s.grades[:len(x)]
	for n, row := range x {
		for m, column := range s.columns {
			column[n] = row[m]
		}
	}
	shape, logSpace := s.Shape.(membership.LogFunction)
	for r := range s.Rules() {
		for n := range level {
			level[n] = 1
		}
		if logSpace {
			clear(level)
		}
		for m, column := range s.columns {
			s.Function(s.p, r, m)
			if logSpace {
				shape.LogGrades(grades, column[:len(x)], s.p)
				for n, g := range grades {
					level[n] += g
				}
			} else {
				s.Shape.Grades(grades, column[:len(x)], s.p)
				for n, g := range grades {
					level[n] *= g
				}
			}
		}
		for n, v := range level {
			f[n][r] = v
		}
	}
}

// normalise turns firing levels into normalised ones, of the rules to keep or of
// all (nil); false if they sum to zero or to something not finite.
func normalise(f, keep []float64) bool {
	sum := 0.0
	for r := range f {
		if keep != nil {
			f[r] *= keep[r]
		}
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
// largest one that is kept, so that the sum lies between 1 and R, or is no number
// if one of them is none.
func normaliseLog(z, keep []float64) bool {
	top := math.Inf(-1)
	for r, v := range z {
		if v > top && (keep == nil || keep[r] != 0) {
			top = v
		}
	}
	if math.IsInf(top, 0) {
		return false
	}
	for r := range z {
		if keep == nil || keep[r] != 0 {
			z[r] -= top
		} else {
			z[r] = math.Inf(-1)
		}
	}
	kernel.Exp(z, z)
	return normalise(z, keep)
}

// Covers reports whether a rule fires for at least one of the samples x [N][M].
func (rb *RuleBase) Covers(x [][]float64) bool {
	s := rb.newScratch()
	for start := 0; start < len(x); start += scratchRows {
		levels := s.f[:min(scratchRows, len(x)-start)]
		s.firingLevels(levels, x[start:start+len(levels)], nil)
		for _, f := range levels {
			if slices.ContainsFunc(f, func(level float64) bool { return level != 0 }) {
				return true
			}
		}
	}
	return false
}

// Forward returns the outputs y [N], equation (5), for the samples x [N][M], and
// which of them are covered by a rule. An uncovered sample has output zero, the
// training mean in centred units. mask is as in [RuleBase.FiringLevels].
//
// Rows of x may be [2M]: the features as antecedents see them, then as consequents
// do.
func (rb *RuleBase) Forward(x [][]float64, mask [][]float64) (y []float64, covered []bool) {
	y, covered = make([]float64, len(x)), make([]bool, len(x))
	s := rb.newScratch()
	for start := 0; start < len(x); start += scratchRows {
		end := min(start+scratchRows, len(x))
		s.firingLevels(s.f[:end-start], x[start:end], rowsFrom(mask, start, end))
		for n := start; n < end; n++ {
			for r, level := range s.f[n-start] {
				if level != 0 {
					covered[n] = true
					y[n] += float64(level * rb.Consequent(r, x[n]))
				}
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
		y += float64(w[m+1] * v)
	}
	return y
}

// IfPart returns the features of a sample x [M] or [2M] as antecedents see them.
func (rb *RuleBase) IfPart(x []float64) []float64 { return x[:rb.Features()] }

// ThenPart returns the features of a sample x [M] or [2M] as consequents see them.
func (rb *RuleBase) ThenPart(x []float64) []float64 { return x[len(x)-rb.Features():] }

// Loss returns the two parts of the loss on the samples x [N][M] with their targets
// [N]: the weighted sum of l (nil: squared), and the sum of the penalties. It is the
// paper's equation (7) for the squared loss and [penalty.Slopes] towards zero. weight
// [N] may be nil: all one. skipped counts the samples that no rule covers; they add
// nothing to the data part.
func (rb *RuleBase) Loss(x [][]float64, target []float64, mask [][]float64, weight []float64, l loss.Loss, penalties ...penalty.Penalty) (data, penalised float64, skipped int) {
	l = loss.OrSquared(l)
	y, covered := rb.Forward(x, mask)
	for n, t := range target {
		if !covered[n] {
			skipped++
			continue
		}
		w := 1.0
		if weight != nil {
			w = weight[n]
		}
		data += float64(w * l.Value(y[n], t))
	}
	return data, rb.penalty(x, mask, penalties), skipped
}

// penalty returns the sum of penalties on the samples x [N][M].
func (rb *RuleBase) penalty(x, mask [][]float64, penalties []penalty.Penalty) float64 {
	sum, R := 0.0, rb.Rules()
	for _, p := range penalty.Of(penalty.OnSlopes, penalties) {
		sum += p.Value(slopes(rb.Consequents), R)
	}
	if onLevels := penalty.Of(penalty.OnLevels, penalties); len(onLevels) > 0 {
		levels := slices.Concat(rb.FiringLevels(x, mask)...)
		for _, p := range onLevels {
			sum += p.Value(levels, R)
		}
	}
	return sum
}

// slopes returns the slopes of consequents [R][M+1], feature by feature: [M,R].
func slopes(consequents [][]float64) []float64 {
	var v []float64
	for m := 1; m < len(consequents[0]); m++ {
		for _, w := range consequents {
			v = append(v, w[m])
		}
	}
	return v
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
