package rules

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/membership"
)

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

// shared computes the firing levels of rules that are products of grades, or the sums of their logarithms, to the bit as
// feature by feature: of functions that several rules have, once for a block, and of none that are open on both sides.
type shared struct {
	grade     func(dst, x, p []float64)
	join      func(f, mu []float64)
	all       float64 // the level of a rule without functions: 1, or 0 for logarithms
	functions []sharedFunction
	of        [][]int   // [R], the functions of each rule, feature by feature
	cells     []float64 // [K,B], the grades of the functions

	fires []uint64 // [K], a bit for each sample whose grade is not zero
	rules []uint64 // [R], a bit for each sample that no function of the rule excludes
	clean int      // B of the block before, if all other levels were zero; else 0
}

// sharedFunction is a membership function.
type sharedFunction struct {
	feature int
	p       []float64
}

// mostShared is the largest number of functions whose grades are kept, of a block 2 MiB.
const mostShared = 4096

// newShared returns nil if the t-norm is not the product or there are too many functions.
func newShared(rb *RuleBase) *shared {
	if inference.OrProduct(rb.TNorm) != (inference.Product{}) {
		return nil
	}
	R := rb.Rules()
	s := &shared{grade: rb.Shape.Grades, join: inference.Product{}.Join, all: 1, of: make([][]int, R), rules: make([]uint64, R)}
	if rb.LogSpace() {
		s.grade, s.join, s.all = rb.Shape.(membership.LogFunction).LogGrades, inference.Product{}.JoinLogs, 0
	}
	open := s.open(rb.Shape)
	number, p, key := map[string]int{}, make([]float64, len(rb.Antecedents)), []byte(nil)
	for r := range s.of {
		for m := range rb.Features() {
			if rb.Function(p, r, m); slices.Equal(p, open) {
				continue
			}
			key = binary.AppendUvarint(key[:0], uint64(m))
			for _, v := range p {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
			}
			k, known := number[string(key)]
			if !known {
				k = len(s.functions)
				number[string(key)] = k
				s.functions = append(s.functions, sharedFunction{m, slices.Clone(p)})
			}
			s.of[r] = append(s.of[r], k)
		}
		if len(s.functions) > mostShared {
			return nil
		}
	}
	s.cells, s.fires = make([]float64, len(s.functions)*EvaluatorRows), make([]uint64, len(s.functions))
	return s
}

// open returns the parameters of functions that are open on both sides; nil if their grade is not one.
func (s *shared) open(shape membership.Function) []float64 {
	if _, bordered := shape.(membership.Bordered); !bordered {
		return nil
	}
	p, grades := flatParams(shape), []float64{-farthest, 0, farthest}
	s.grade(grades, grades, p)
	if slices.ContainsFunc(grades, func(g float64) bool { return g != s.all }) {
		return nil
	}
	return p
}

// levels computes the levels f [R,B] of samples x [M,B]. It reports whether they are sparse: at most a quarter are not zero,
// which the bits of rules tell.
func (s *shared) levels(f, x []float64, B int) (sparse bool) {
	for k, one := range s.functions {
		s.grade(s.cells[k*B:][:B], x[one.feature*B:][:B], one.p)
	}
	if s.all == 0 || !kernel.Within(s.cells[:len(s.fires)*B], math.MaxFloat64) {
		for r := range s.of {
			s.dense(f[r*B:][:B], r)
		}
		s.clean = 0
		return false
	}
	for k := range s.fires {
		s.fires[k] = 0
		for n, g := range s.cells[k*B:][:B] {
			s.fires[k] |= uint64(kernel.NotZero(g)) << n
		}
	}
	some := 0
	for r, of := range s.of {
		fires := ^uint64(0) >> (64 - B)
		for _, k := range of {
			fires &= s.fires[k]
		}
		level, n := f[r*B:][:B], bits.OnesCount64(fires)
		if s.clean != B || s.rules[r] != 0 {
			clear(level)
		}
		if s.rules[r] = fires; rare(n, B) {
			s.sparse(level, r)
		} else {
			s.dense(level, r)
		}
		some += n
	}
	s.clean = B
	return rare(some, len(f))
}

// rare reports whether n of so many samples are so few that they are better computed one by one.
func rare(n, of int) bool { return n <= of/4 }

// dense computes the levels [B] of a rule.
func (s *shared) dense(level []float64, r int) {
	for n := range level {
		level[n] = s.all
	}
	for i, k := range s.of[r] {
		if grades := s.cells[k*len(level):][:len(level)]; i == 0 {
			copy(level, grades)
		} else {
			s.join(level, grades)
		}
	}
}

// sparse computes the levels [B] of a rule that are not zero.
func (s *shared) sparse(level []float64, r int) {
	for rest := s.rules[r]; rest != 0; rest &= rest - 1 {
		n := bits.TrailingZeros64(rest)
		f := 1.0
		for _, k := range s.of[r] {
			f *= s.cells[k*len(level)+n]
		}
		level[n] = f
	}
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
