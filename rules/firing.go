package rules

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/kernel"
	"github.com/tskgraph/tskgraph/membership"
)

// scratchRows is the number of samples processed at a time, few enough to stay in the
// first-level cache.
const scratchRows = 32

// scratch holds the working memory for scratchRows samples.
type scratch struct {
	*RuleBase
	f             [][]float64 // [scratchRows][R]
	columns       [][]float64 // [M][scratchRows], the samples by feature
	level, grades []float64   // [scratchRows], of one rule
	p             []float64   // parameters of one membership function
	kept          []float64   // [R]
	then          thenPart
}

func newScratch(rb *RuleBase) *scratch {
	return &scratch{
		RuleBase: rb, f: matrix(scratchRows, rb.Rules()), columns: matrix(rb.Features(), scratchRows),
		level: make([]float64, scratchRows), grades: make([]float64, scratchRows),
		p: make([]float64, len(rb.Antecedents)), kept: make([]float64, rb.Rules()),
	}
}

// firingLevels writes the normalised firing levels of at most scratchRows samples
// to levels.
func (s *scratch) firingLevels(levels, x, mask [][]float64) {
	logSpace := s.LogSpace()
	s.levels(levels, x, logSpace)
	norm, defuzzification := normalise, inference.OrTSK(s.Defuzzification)
	if logSpace {
		norm = normaliseLog
	}
	for n, f := range levels {
		inference.Weigh(defuzzification, f, s.Features(), logSpace)
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

// levels writes the firing levels [N][R], equation (2) for the product, of at most
// scratchRows samples to f, or their logarithms.
func (s *scratch) levels(f, x [][]float64, logSpace bool) {
	level, grades := s.level[:len(x)], s.grades[:len(x)]
	for n, row := range x {
		for m, column := range s.columns {
			column[n] = row[m]
		}
	}
	norm := inference.OrProduct(s.TNorm)
	grade, join := s.Shape.Grades, norm.Join
	if logSpace {
		grade, join = s.Shape.(membership.LogFunction).LogGrades, norm.(inference.LogTNorm).JoinLogs
	}
	for r := range s.Rules() {
		for n := range level {
			level[n] = 1
		}
		if logSpace {
			clear(level)
		}
		for m, column := range s.columns {
			s.Function(s.p, r, m)
			grade(grades, column[:len(x)], s.p)
			join(level, grades)
		}
		for n, v := range level {
			f[n][r] = v
		}
	}
}

// normalise normalises firing levels over the rules to keep (nil: all). It returns false
// if their sum is at most MinFiring or not finite.
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

// normaliseLog is normalise for logarithms of firing levels. It subtracts the largest one
// that is kept, so that the sum lies between 1 and R, or is NaN if a level is NaN.
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

// rowsFrom returns the rows of a mask from start up to end; nil of nil.
func rowsFrom(mask [][]float64, start, end int) [][]float64 {
	if mask == nil {
		return nil
	}
	return mask[start:end]
}
