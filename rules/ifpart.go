package rules

import (
	"encoding/binary"
	"math"
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
		e.shared.levels(e.f, x, e.b)
		return
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
// feature by feature: functions that several rules have in common once for a block, and none that are open on both sides.
type shared struct {
	grade     func(dst, x, p []float64)
	join      func(f, mu []float64)
	all       float64 // the level of a rule without functions
	functions []sharedFunction
	of        [][]int   // [R], the functions of each rule, feature by feature
	cells     []float64 // [K,B], the grades of the functions that several rules have
	own       []float64 // [B], of another one
}

// sharedFunction is a membership function.
type sharedFunction struct {
	feature int
	p       []float64
	rules   int // that have it
	at      int // in cells; -1: one rule has it
}

// newShared returns nil if the t-norm is not the product, and otherwise memory for blocks of n samples.
func newShared(rb *RuleBase, n int) *shared {
	if inference.OrProduct(rb.TNorm) != (inference.Product{}) {
		return nil
	}
	s := &shared{grade: rb.Shape.Grades, join: inference.Product{}.Join, all: 1, of: make([][]int, rb.Rules()), own: make([]float64, n)}
	if rb.LogSpace() {
		s.grade, s.join, s.all = rb.Shape.(membership.LogFunction).LogGrades, inference.Product{}.JoinLogs, 0
	}
	open := s.openParams(rb.Shape)
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
				s.functions = append(s.functions, sharedFunction{feature: m, p: slices.Clone(p), at: -1})
			}
			s.functions[k].rules++
			s.of[r] = append(s.of[r], k)
		}
	}
	several := 0
	for k := range s.functions {
		if f := &s.functions[k]; f.rules > 1 {
			f.at = several
			several++
		}
	}
	s.cells = make([]float64, several*n)
	return s
}

// openParams returns the parameters of a function that is open on both sides; nil if its grade is not one.
func (s *shared) openParams(shape membership.Function) []float64 {
	if _, bordered := shape.(membership.Bordered); !bordered {
		return nil
	}
	open, grades := flatParams(shape), []float64{-farthest, 0, farthest}
	s.grade(grades, grades, open)
	if slices.ContainsFunc(grades, func(g float64) bool { return g != s.all }) {
		return nil
	}
	return open
}

// levels computes the levels f [R,B] of samples x [M,B].
func (s *shared) levels(f, x []float64, B int) {
	for _, one := range s.functions {
		if one.at >= 0 {
			s.grade(s.cells[one.at*B:][:B], x[one.feature*B:][:B], one.p)
		}
	}
	for r, of := range s.of {
		level := f[r*B:][:B]
		if len(of) == 0 {
			for n := range level {
				level[n] = s.all
			}
		}
		for i, k := range of {
			one, grades := &s.functions[k], s.own[:B]
			if one.at >= 0 {
				grades = s.cells[one.at*B:][:B]
			} else {
				s.grade(grades, x[one.feature*B:][:B], one.p)
			}
			if i == 0 {
				copy(level, grades)
			} else {
				s.join(level, grades)
			}
		}
	}
}
