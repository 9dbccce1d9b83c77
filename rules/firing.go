package rules

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/kernel"
	"github.com/tskgraph/tskgraph/membership"
)

// scratchRows is the number of samples processed at a time, few enough to stay in the
// first-level cache.
const scratchRows = 64

// scratch holds the working memory for a block of at most scratchRows samples, which are
// columns: [M,B] inputs and [R,B] levels. Every sample gets the same operations in the same
// order, whatever the others and B.
type scratch struct {
	*RuleBase
	product *product  // nil: grades are joined feature by feature
	b       int       // B
	x       []float64 // [M,B], inputs of the antecedents
	f, kept []float64 // [R,B], normalised firing levels; those under a mask
	covered []float64 // [B], one or zero
	grades  []float64 // [B], of one membership function
	p       []float64 // its parameters
	then    thenPart
	z       []float64 // [M,B], inputs of the consequents that differ from x; nil if none do
	y, sum  []float64 // [B], output of a rule; of the rulebase
}

// newScratch returns working memory for blocks of n samples.
func newScratch(rb *RuleBase, n int) *scratch {
	n = min(n, scratchRows)
	return &scratch{
		RuleBase: rb, product: newProduct(rb), x: make([]float64, rb.Features()*n), f: make([]float64, rb.Rules()*n),
		covered: make([]float64, n), grades: make([]float64, n), p: make([]float64, len(rb.Antecedents)),
	}
}

// blocks calls do with the first and the last sample of each block of x, after their
// firing levels were computed.
func (s *scratch) blocks(x, mask [][]float64, do func(start, end int)) {
	for start := 0; start < len(x); start += scratchRows {
		end := min(start+scratchRows, len(x))
		s.firingLevels(x[start:end], rowsFrom(mask, start, end))
		do(start, end)
	}
}

// level returns the firing levels [B] of a rule.
func (s *scratch) level(r int) []float64 { return s.f[r*s.b : (r+1)*s.b] }

// copyTo copies the firing levels to rows [B][R].
func (s *scratch) copyTo(levels [][]float64) {
	for r := range s.Rules() {
		for n, v := range s.level(r) {
			levels[n][r] = v
		}
	}
}

// firingLevels computes the normalised firing levels of at most scratchRows samples.
func (s *scratch) firingLevels(x, mask [][]float64) {
	s.b = len(x)
	s.x, s.f, s.covered = s.x[:s.Features()*s.b], s.f[:s.Rules()*s.b], s.covered[:s.b]
	columns(s.x, x, 0)
	logSpace := s.LogSpace()
	s.levels(logSpace)
	inference.Weigh(inference.OrTSK(s.Defuzzification), s.f, s.Features(), logSpace)
	if mask != nil {
		s.drop(mask, logSpace)
	}
	normalise(s.covered, s.f, logSpace)
	for n := range mask {
		if s.grades[n] == 0 { // uncovered under the mask
			continue
		}
		s.covered[n] = 1
		for i := n; i < len(s.f); i += s.b {
			s.f[i] = s.kept[i]
		}
	}
}

// predict computes the outputs y [B,C], row-major, of the samples x whose firing levels
// were computed.
func (s *scratch) predict(y []float64, x [][]float64) {
	z, C := s.x, s.OutputCount()
	if len(x[0]) > s.Features() {
		s.z = append(s.z[:0], s.x...)
		columns(s.z, x, s.Features())
		z = s.z
	}
	s.then.locate(s.RuleBase, z, s.b)
	s.y, s.sum = append(s.y[:0], z[:s.b]...), append(s.sum[:0], z[:s.b]...)
	for c := range C {
		clear(s.sum)
		for r := range s.Rules() {
			s.then.output(s.y, s.RuleBase, r, c)
			kernel.AddWeighted(s.sum, s.level(r), s.y)
		}
		for n, v := range s.sum {
			y[n*C+c] = v
		}
	}
}

// drop computes the levels under a mask, and in grades which samples they cover.
func (s *scratch) drop(mask [][]float64, logSpace bool) {
	s.kept = append(s.kept[:0], s.f...)
	for n, keep := range mask {
		for r, k := range keep {
			switch f := &s.kept[r*s.b+n]; {
			case !logSpace:
				*f *= k
			case k == 0:
				*f = math.Inf(-1)
			}
		}
	}
	normalise(s.grades[:s.b], s.kept, logSpace)
}

// levels computes the firing levels, equation (2) for the product, or their logarithms.
func (s *scratch) levels(logSpace bool) {
	if s.product != nil && s.product.holds(s.x) {
		for r := range s.Rules() {
			s.product.column(s.level(r), s.x, s.product.packed[r], s.b, s.Features())
		}
		return
	}
	norm, grades := inference.OrProduct(s.TNorm), s.grades[:s.b]
	grade, join, all := s.Shape.Grades, norm.Join, 1.0
	if logSpace {
		grade, join, all = s.Shape.(membership.LogFunction).LogGrades, norm.(inference.LogTNorm).JoinLogs, 0
	}
	for r := range s.Rules() {
		level := s.level(r)
		for n := range level {
			level[n] = all
		}
		for m := range s.Features() {
			grade(grades, s.x[m*s.b:(m+1)*s.b], s.Function(s.p, r, m))
			join(level, grades)
		}
	}
}

// normalise normalises firing levels f [R,B], or their logarithms, over the rules. covered
// [B] is one, or zero where their sum is at most MinFiring or not finite; the levels are
// then zero.
func normalise(covered, f []float64, logSpace bool) {
	B := len(covered)
	if logSpace { // relative to the largest: the sum lies between 1 and R, or is NaN
		kernel.ShiftColumns(f, B, len(f)/B)
		kernel.Exp(f, f)
	}
	kernel.NormaliseColumns(covered, f, MinFiring, B, len(f)/B)
}

// rowsFrom returns the rows of a mask from start up to end; nil of nil.
func rowsFrom(mask [][]float64, start, end int) [][]float64 {
	if mask == nil {
		return nil
	}
	return mask[start:end]
}
