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

// newShared returns nil if the t-norm is not the product, or there are too many functions to keep or to save much.
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
		if len(s.functions) > min(mostShared, R*rb.Features()/2) {
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

// dense computes the levels [B] of a rule.
func (s *shared) dense(level []float64, r int) {
	for n := range level {
		level[n] = s.all
	}
	for _, k := range s.of[r] {
		s.join(level, s.cells[k*len(level):][:len(level)])
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

// thenPart is a block of samples as the consequents see it. Its memory serves one block after the other.
type thenPart struct {
	b       int       // samples
	z       []float64 // [M,B]
	first   []int     // the number of the first knot of each of the P features that have curves
	at      []int     // [P,B], the knot below, numbered by feature
	share   []float64 // [P,B], the share of the way to the next one
	sums    []float64 // [B], of curves
	shared  []float64 // [C,B], sums of the curves that all rules share
	perRule bool      // every rule has curves of its own

	// of many samples, see prepare
	curves []*kernel.Curve
	slopes [][]int // [R C], the features whose slopes are not zero
	bends  [][]int // of each row of curves, the features, of the P, whose curves are not zero everywhere
	sparse bool    // columns that are zero add nothing to an output: the inputs are finite
}

// prepare finds what is zero in the consequents, and how to locate many samples.
func (s *thenPart) prepare(rb *RuleBase) {
	M := rb.Features()
	for _, w := range rb.Consequents {
		for c := range rb.OutputCount() {
			s.slopes = append(s.slopes, notZero(w[c*(M+1)+1:][:M]))
		}
	}
	if rb.Curves == nil {
		return
	}
	for _, k := range rb.Knots {
		if len(k) > 0 {
			s.curves = append(s.curves, kernel.NewCurve(k))
		}
	}
	for _, values := range rb.Curves {
		var bent []int
		p := 0
		for _, k := range rb.Knots {
			if len(k) == 0 {
				continue
			}
			if len(notZero(values[:len(k)])) > 0 {
				bent = append(bent, p)
			}
			values = values[len(k):]
			p++
		}
		s.bends = append(s.bends, bent)
	}
}

// locate turns to samples z [M,B] of the rulebase.
func (s *thenPart) locate(rb *RuleBase, z []float64, B int) {
	s.b, s.z, s.sparse = B, z, s.slopes != nil && kernel.Within(z[:rb.Features()*B], math.MaxFloat64)
	if rb.Curves == nil {
		return
	}
	s.first, s.at, s.share, s.shared = s.first[:0], s.at[:0], s.share[:0], s.shared[:0]
	first := 0
	for m, k := range rb.Knots {
		if len(k) == 0 {
			continue
		}
		s.find(k, z[m*B:(m+1)*B])
		s.first = append(s.first, first)
		first += len(k)
	}
	s.sums = append(s.sums[:0], z[:B]...)
	if s.perRule = len(rb.Curves) > rb.OutputCount(); s.perRule {
		return
	}
	for row := range rb.Curves {
		s.addUp(rb, row)
		s.shared = append(s.shared, s.sums...)
	}
}

// find appends the places of the samples z [B] of the next feature.
func (s *thenPart) find(knots, z []float64) {
	if s.curves == nil {
		for _, v := range z {
			q, t := Between(knots, v)
			s.at, s.share = append(s.at, q), append(s.share, t)
		}
		return
	}
	n := len(s.at)
	s.at, s.share = slices.Grow(s.at, len(z))[:n+len(z)], append(s.share, z...)
	s.curves[len(s.first)].Locate(s.at[n:], s.share[n:], z)
}

// output writes output c of rule r for the samples to y [B], equation (1) with curves.
func (s *thenPart) output(y []float64, rb *RuleBase, r, c int) {
	M := rb.Features()
	kernel.ConsequentColumn(y, s.z, rb.Consequents[r][c*(M+1):], s.b, M)
	switch {
	case rb.Curves == nil:
	case !s.perRule:
		kernel.Add(y, s.shared[c*s.b:])
	default:
		s.addUp(rb, c*rb.Rules()+r)
		kernel.Add(y, s.sums)
	}
}

// one returns output c of rule r for sample n, to the bit as output, if sparse.
func (s *thenPart) one(n int, rb *RuleBase, r, c int) float64 {
	C := rb.OutputCount()
	w := rb.Consequents[r][c*(rb.Features()+1):]
	y := w[0]
	for _, m := range s.slopes[r*C+c] {
		y += float64(w[m+1] * s.z[m*s.b+n])
	}
	switch {
	case rb.Curves == nil:
		return y
	case !s.perRule:
		return y + s.shared[c*s.b+n]
	}
	row, sum := c*rb.Rules()+r, 0.0
	for _, p := range s.bends[row] {
		i := p*s.b + n
		sum += Place{s.first[p] + s.at[i], s.share[i]}.On(rb.Curves[row])
	}
	return y + sum
}

// addUp sums the curves with a row of values at the knots. Those that are zero everywhere are left out after prepare: they
// make a difference for inputs only that are not finite, where the slopes make it, too.
func (s *thenPart) addUp(rb *RuleBase, row int) {
	clear(s.sums)
	if s.bends == nil {
		for p := range s.first {
			s.add(p, rb.Curves[row])
		}
		return
	}
	for _, p := range s.bends[row] {
		s.add(p, rb.Curves[row])
	}
}

// add adds the curve of feature p of the P to the sums.
func (s *thenPart) add(p int, values []float64) {
	values = values[s.first[p]:]
	at, share := s.at[p*s.b:][:len(s.sums)], s.share[p*s.b:][:len(s.sums)]
	for n, q := range at {
		s.sums[n] += Place{q, share[n]}.On(values)
	}
}
