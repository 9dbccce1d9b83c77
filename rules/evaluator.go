package rules

import (
	"math"
	"math/bits"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/membership"
)

// EvaluatorRows is the number of samples that an [Evaluator] evaluates at a time at most, few
// enough to stay in the first-level cache.
const EvaluatorRows = 64

// Evaluator evaluates a rulebase on blocks of B samples, which are columns: [M,B] inputs,
// [R,B] levels, feature by feature and rule by rule. Every sample gets the same operations
// in the same order, whatever the others and B. It allocates nothing after the first blocks.
// Only one goroutine may use it at a time, and the rulebase must not change.
type Evaluator struct {
	rb      *RuleBase
	product *product  // nil: grades are joined feature by feature
	shared  *shared   // nil: so are all grades
	sparse  bool      // few of the levels of shared are not zero
	b       int       // B
	x       []float64 // [M,B], inputs of the antecedents
	f, kept []float64 // [R,B], normalised firing levels; those under a mask
	covered []float64 // [B], one or zero
	grades  []float64 // [B], of one membership function
	p       []float64 // its parameters
	then    thenPart
	y, sum  []float64 // [B], output of a rule; [C,B], of the rulebase
}

// NewEvaluator returns an evaluator of a valid rulebase for blocks of at most n samples, or
// EvaluatorRows.
func NewEvaluator(rb *RuleBase, n int) *Evaluator {
	n = min(n, EvaluatorRows)
	e := &Evaluator{
		rb: rb, product: newProduct(rb), x: make([]float64, rb.Features()*n), f: make([]float64, rb.Rules()*n),
		covered: make([]float64, n), grades: make([]float64, n), p: make([]float64, len(rb.Antecedents)),
		y: make([]float64, n), sum: make([]float64, rb.OutputCount()*n),
	}
	if n == EvaluatorRows {
		e.then.prepare(rb)
		if e.product == nil {
			e.shared = newShared(rb)
		}
	}
	return e
}

// Fire computes the normalised firing levels of B samples with inputs x [M,B] of the
// antecedents, which must not change before the next call.
func (e *Evaluator) Fire(x []float64, B int) { e.fire(x, B, nil) }

// Level returns the normalised firing levels [B] of a rule, see [RuleBase.FiringLevels].
func (e *Evaluator) Level(r int) []float64 { return e.f[r*e.b : (r+1)*e.b] }

// CopyTo copies the normalised firing levels to rows [B][R].
func (e *Evaluator) CopyTo(levels [][]float64) {
	for r := range e.rb.Rules() {
		for n, v := range e.Level(r) {
			levels[n][r] = v
		}
	}
}

// Covered reports whether a rule covers sample n.
func (e *Evaluator) Covered(n int) bool { return e.covered[n] != 0 }

// Locate turns to the inputs z [M,B] of the consequents of the samples of [Evaluator.Fire].
func (e *Evaluator) Locate(z []float64) { e.then.locate(e.rb, z, e.b) }

// Output writes output c of rule r alone to y [B], to the bit as [RuleBase.Consequent].
func (e *Evaluator) Output(y []float64, r, c int) { e.then.output(y[:e.b], e.rb, r, c) }

// Predict writes the outputs of the rulebase to y [B,C], to the bit as [RuleBase.Forward].
func (e *Evaluator) Predict(y []float64) {
	C, B, one := e.rb.OutputCount(), e.b, e.y[:e.b]
	sums := e.sum[:C*B]
	clear(sums)
	for r := range e.rb.Rules() {
		level, fires := e.Level(r), ^uint64(0)
		if e.sparse && e.then.sparse {
			fires = e.shared.rules[r]
		}
		for c := range C {
			sum := sums[c*B:][:B]
			if !rare(bits.OnesCount64(fires), B) {
				e.Output(one, r, c)
				kernel.AddWeighted(sum, level, one)
				continue
			}
			for rest := fires; rest != 0; rest &= rest - 1 {
				if n := bits.TrailingZeros64(rest); level[n] != 0 {
					sum[n] += float64(level[n] * e.then.one(n, e.rb, r, c))
				}
			}
		}
	}
	for c := range C {
		for n, v := range sums[c*B:][:B] {
			y[n*C+c] = v
		}
	}
}

// blocks calls do with the first and the last sample of each block of the rows x, after
// their firing levels were computed.
func (e *Evaluator) blocks(x, mask [][]float64, do func(start, end int)) {
	for start := 0; start < len(x); start += EvaluatorRows {
		end := min(start+EvaluatorRows, len(x))
		e.fireRows(x[start:end], rowsFrom(mask, start, end))
		do(start, end)
	}
}

// fireRows is fire for the rows of a block.
func (e *Evaluator) fireRows(x, mask [][]float64) {
	e.x = e.x[:e.rb.Features()*len(x)]
	columns(e.x, x, 0)
	e.fire(e.x, len(x), mask)
}

// fire is Fire under a mask, see [RuleBase.FiringLevels].
func (e *Evaluator) fire(x []float64, B int, mask [][]float64) {
	e.b, e.f, e.covered = B, e.f[:e.rb.Rules()*B], e.covered[:B]
	logSpace := e.rb.LogSpace()
	e.sparse = false
	e.levels(x, logSpace)
	inference.Weigh(inference.OrTSK(e.rb.Defuzzification), e.f, e.rb.Features(), logSpace)
	if mask != nil {
		e.drop(mask, logSpace)
	}
	if e.sparse && mask == nil {
		e.shared.normalise(e.covered, e.f)
		return
	}
	normalise(e.covered, e.f, logSpace)
	for n := range mask {
		if e.grades[n] == 0 { // uncovered under the mask
			continue
		}
		e.covered[n] = 1
		for i := n; i < len(e.f); i += e.b {
			e.f[i] = e.kept[i]
		}
	}
}

// drop computes the levels under a mask, and in grades which samples they cover.
func (e *Evaluator) drop(mask [][]float64, logSpace bool) {
	e.kept = append(e.kept[:0], e.f...)
	for n, keep := range mask {
		for r, k := range keep {
			switch f := &e.kept[r*e.b+n]; {
			case !logSpace:
				*f *= k
			case k == 0:
				*f = math.Inf(-1)
			}
		}
	}
	normalise(e.grades[:e.b], e.kept, logSpace)
}

// levels computes the firing levels, equation (2) for the product, or their logarithms.
func (e *Evaluator) levels(x []float64, logSpace bool) {
	if e.product != nil && e.product.holds(x) {
		for r := range e.rb.Rules() {
			e.product.column(e.Level(r), x, e.product.packed[r], e.b, e.rb.Features())
		}
		return
	}
	if e.shared != nil && kernel.Within(x, farthest) {
		e.sparse = e.shared.levels(e.f, x, e.b)
		return
	}
	if e.shared != nil {
		e.shared.clean = 0
	}
	norm, grades := inference.OrProduct(e.rb.TNorm), e.grades[:e.b]
	grade, join, all := e.rb.Shape.Grades, norm.Join, 1.0
	if logSpace {
		grade, join, all = e.rb.Shape.(membership.LogFunction).LogGrades, norm.(inference.LogTNorm).JoinLogs, 0
	}
	for r := range e.rb.Rules() {
		level := e.Level(r)
		for n := range level {
			level[n] = all
		}
		for m := range e.rb.Features() {
			grade(grades, x[m*e.b:(m+1)*e.b], e.rb.Function(e.p, r, m))
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

// normalise is normalise of sparse levels.
func (s *shared) normalise(covered, f []float64) {
	B := len(covered)
	var sums [EvaluatorRows]float64
	for r, fires := range s.rules {
		for ; fires != 0; fires &= fires - 1 {
			n := bits.TrailingZeros64(fires)
			sums[n] += f[r*B+n]
		}
	}
	for n := range covered {
		if covered[n] = 0; sums[n] > MinFiring && sums[n] <= math.MaxFloat64 {
			covered[n] = 1
		}
	}
	for r, fires := range s.rules {
		for ; fires != 0; fires &= fires - 1 {
			n := bits.TrailingZeros64(fires)
			if f[r*B+n] /= sums[n]; covered[n] == 0 {
				f[r*B+n] = 0
			}
		}
	}
}

// rare reports whether n of so many samples are so few that they are better computed one by one.
func rare(n, of int) bool { return n <= of/4 }

// rowsFrom returns the rows of a mask from start up to end; nil of nil.
func rowsFrom(mask [][]float64, start, end int) [][]float64 {
	if mask == nil {
		return nil
	}
	return mask[start:end]
}

// product computes the firing levels of a rule by a kernel for the product of its grades,
// or the sum of their logarithms, over all features: to the bit as feature by feature.
type product struct {
	packed   [][]float64 // [R], the parameters of the kernel
	column   func(f, x, p []float64, B, M int)
	moderate bool // the kernel needs moderate inputs
}

// newProduct returns nil if the shape, the t-norm or the parameters have no kernel.
func newProduct(rb *RuleBase) *product {
	if inference.OrProduct(rb.TNorm) != (inference.Product{}) {
		return nil
	}
	R, M, p := rb.Rules(), rb.Features(), rb.Antecedents
	corners := func(b, c, d int) *product { // of a trapezoid, as indices of parameters
		packed := matrix(R, 6*M)
		for r, to := range packed {
			if !kernel.PackTrapezoid(to, p[0][r], p[b][r], p[c][r], p[d][r]) {
				return nil
			}
		}
		return &product{packed, kernel.TrapezoidColumn, true}
	}
	switch rb.Shape.(type) {
	case membership.Gaussian:
		packed := matrix(R, 2*M)
		for r, to := range packed {
			kernel.PackGaussian(to, p[0][r], p[1][r])
		}
		return &product{packed, kernel.GaussianColumn, false}
	case membership.Trapezoid:
		return corners(1, 2, 3)
	case membership.Triangular: // the legs meet at grade one
		return corners(1, 1, 2)
	}
	return nil
}

// holds reports whether the kernel computes the levels of inputs x.
func (p *product) holds(x []float64) bool { return !p.moderate || kernel.Moderate(x) }
