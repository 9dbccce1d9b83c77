package lse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// rulebase returns R Gaussian rules with random parameters.
func rulebase(rng *rand.Rand, R, M int) *rules.RuleBase {
	c := &rules.Clusters{Targets: make([]float64, R)}
	for range R {
		center, spread := make([]float64, M), make([]float64, M)
		for m := range M {
			center[m], spread[m] = rng.NormFloat64(), 0.4+rng.Float64()
		}
		c.Centers, c.Spreads = append(c.Centers, center), append(c.Spreads, spread)
	}
	return rules.New(membership.Gaussian{}, c)
}

func samples(rng *rand.Rand, N, M int) (x [][]float64, y []float64) {
	for range N {
		row := make([]float64, M)
		for m := range row {
			row[m] = rng.NormFloat64()
		}
		x, y = append(x, row), append(y, math.Sin(row[0])+0.3*rng.NormFloat64())
	}
	return x, y
}

// estimated returns the estimate of a new estimator.
func estimated(rb *rules.RuleBase, x [][]float64, y, weight []float64, lambda float64) [][]float64 {
	return testenv.Must(testenv.Must(New(context.Background(), x, y, weight, rb.Rules(), lambda)).Estimate(context.Background(), rb))
}

// loss returns the loss that Estimate minimises.
func loss(rb *rules.RuleBase, w, x [][]float64, y, weight []float64, lambda float64) float64 {
	at := rb.Clone()
	at.Consequents = w
	data, penalty, _ := at.Loss(x, y, nil, weight, nil, penalty.Slopes{Lambda: lambda})
	for _, row := range w {
		for _, v := range row {
			penalty += Ridge / 2 * v * v
		}
	}
	return data + penalty
}

// design returns the matrix [N, R(M+1)] whose columns are f_r and f_r x_m.
func design(rb *rules.RuleBase, x [][]float64) *mat.Dense {
	P := rb.Features() + 1
	d := mat.NewDense(len(x), rb.Rules()*P, nil)
	for n, f := range rb.FiringLevels(x, nil) {
		for r, level := range f {
			d.Set(n, r*P, level)
			for m, v := range x[n] {
				d.Set(n, r*P+m+1, level*v)
			}
		}
	}
	return d
}

// TestExact compares a well-determined solution with that of an orthogonal factorisation
// without ridge.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, N := range []int{400, blockRows + 100, 2*blockRows + 1} {
		rb := rulebase(rng, 3, 2)
		x, y := samples(rng, N, 2)
		got := estimated(rb, x, y, nil, 0)
		var want mat.VecDense
		if err := want.SolveVec(design(rb, x), mat.NewVecDense(N, y)); err != nil {
			t.Fatal(err)
		}
		for i := range 3 * 3 {
			if g, w := got[i/3][i%3], want.AtVec(i); math.Abs(g-w) > 1e-4*(1+math.Abs(w)) {
				t.Errorf("N=%d: w[%d,%d] = %v, want %v", N, i/3, i%3, g, w)
			}
		}
	}
}

// TestSizeIsLimited tries sizes just below and just above the limits.
func TestSizeIsLimited(t *testing.T) {
	for _, c := range []struct {
		N, R, M int
		want    string
	}{
		{1 << 20, 32, 13, ""},
		{60, 32, 127, ""},
		{60, 33, 127, "33 rules over 127 inputs have 4224 consequents; at most 4096 are allowed"},
		{60, 4, 10_000, "4 rules over 10000 inputs have 40004 consequents"},
		{31, 1, 4095, ""},
		{32, 1, 4095, "32 samples of 4095 inputs have 268500992 products; at most 268435456 are allowed"},
	} {
		err := CheckSize(c.N, c.R, c.M)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrSize) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("N=%d, R=%d, M=%d: %v, want %q", c.N, c.R, c.M, err, c.want)
		}
	}
}

// TestLeastLoss: the solution minimises the loss, with and without weights and penalty,
// and the gradient is zero there.
func TestLeastLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	rb := rulebase(rng, 4, 3)
	x, y := samples(rng, 300, 3)
	weight := make([]float64, len(x))
	for n := range weight {
		weight[n] = float64(n % 3)
	}
	for _, lambda := range []float64{0, 0.05, 10} {
		for _, weight := range [][]float64{nil, weight} {
			w := estimated(rb, x, y, weight, lambda)
			least := loss(rb, w, x, y, weight, lambda)
			for r := range w {
				for m := range w[r] {
					for _, by := range []float64{-1e-3, 1e-3} {
						w[r][m] += by
						if l := loss(rb, w, x, y, weight, lambda); l < least {
							t.Errorf("lambda=%v: loss %v, but %v at w[%d,%d] moved by %v", lambda, least, l, r, m, by)
						}
						w[r][m] -= by
					}
				}
			}
		}
	}
}

// TestRankDeficient: with duplicate columns, a constant feature, equal rules, a rule that
// never fires, more unknowns than samples, uncovered samples, or hundreds of rules on a
// few samples, the estimate is finite and its loss is not above that of the least-squares
// plane.
func TestRankDeficient(t *testing.T) {
	for name, c := range map[string]struct {
		N, R   int
		change func(rb *rules.RuleBase, x [][]float64)
	}{
		"copied columns": {100, 3, func(_ *rules.RuleBase, x [][]float64) {
			for _, row := range x {
				row[1], row[2] = row[0], -2*row[0]
			}
		}},
		"constant feature": {100, 3, func(_ *rules.RuleBase, x [][]float64) {
			for _, row := range x {
				row[2] = 1
			}
		}},
		"rules alike": {100, 4, func(rb *rules.RuleBase, _ [][]float64) {
			for _, a := range rb.Antecedents {
				copy(a[1], a[0])
				copy(a[2], a[0])
			}
		}},
		"a rule far away":    {100, 3, func(rb *rules.RuleBase, _ [][]float64) { rb.Antecedents[0][1][0] = 1e6 }},
		"a rule everywhere":  {100, 3, func(rb *rules.RuleBase, _ [][]float64) { copy(rb.Antecedents[1][1], []float64{1e6, 1e6, 1e6}) }},
		"more unknowns":      {20, 12, func(*rules.RuleBase, [][]float64) {}},
		"one sample":         {1, 3, func(*rules.RuleBase, [][]float64) {}},
		"very many unknowns": {12, 60, func(*rules.RuleBase, [][]float64) {}},
		"large features": {100, 3, func(_ *rules.RuleBase, x [][]float64) {
			for _, row := range x {
				row[0] *= 1e6
			}
		}},
	} {
		rng := rand.New(rand.NewPCG(3, uint64(len(name))))
		rb := rulebase(rng, c.R, 3)
		x, y := samples(rng, c.N, 3)
		c.change(rb, x)
		w, err := testenv.Must(New(context.Background(), x, y, nil, c.R, 0)).Estimate(context.Background(), rb)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		zero := rules.NewParameters(2, c.R, 3).Consequents
		plane := rulebase(rng, 1, 3) // a single rule has firing level one
		pw := estimated(plane, x, y, nil, 0)
		l := loss(rb, w, x, y, nil, 0)
		if flat := loss(plane, pw, x, y, nil, 0); !(l <= flat*(1+1e-3)+1e-3) || !(l <= loss(rb, zero, x, y, nil, 0)) {
			t.Errorf("%s: loss %v, of the plane %v", name, l, flat)
		}
	}
}

// TestUncovered: uncovered samples do not affect the estimate.
func TestUncovered(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	c := &rules.Clusters{Centers: [][]float64{{0}, {1}}, Spreads: [][]float64{{0.1}, {0.1}}, Targets: make([]float64, 2)}
	rb := rules.New(membership.Trapezoid{}, c)
	x, y := samples(rng, 60, 1)
	without := estimated(rb, x, y, nil, 0)
	if with := estimated(rb, append(x, []float64{50}), append(y, 1e9), nil, 0); !slices.EqualFunc(with, without, slices.Equal) {
		t.Errorf("%v with an uncovered sample, %v without", with, without)
	}
}

func TestNotFinite(t *testing.T) {
	rb := rulebase(rand.New(rand.NewPCG(5, 5)), 2, 1)
	if _, err := testenv.Must(New(context.Background(), [][]float64{{10}, {1}}, []float64{1, 2}, []float64{1e308, 1e308}, 2,
		0)).Estimate(context.Background(), rb); !errors.Is(err, ErrNotFinite) {
		t.Errorf("error %v", err)
	}
}

// TestSolveFallsBack: a numerically singular matrix is solved by singular values, with
// the least norm.
func TestSolveFallsBack(t *testing.T) {
	g := mat.NewSymDense(2, []float64{1e20, 1e20, 1e20, 1e20})
	w, fellBack, err := solve(g, mat.NewVecDense(2, []float64{2e20, 2e20}))
	if err != nil || !fellBack || math.Abs(w[0]-1) > 1e-9 || math.Abs(w[1]-1) > 1e-9 {
		t.Errorf("%v, %v", w, err)
	}
	g = mat.NewSymDense(2, []float64{2, 0, 0, 2})
	if w, fellBack, err := solve(g, mat.NewVecDense(2, []float64{2, 4})); err != nil || fellBack || math.Abs(w[1]-2) > 1e-12 {
		t.Errorf("well-conditioned: %v, %v, %v", w, fellBack, err)
	}
}

// BenchmarkEstimate measures the estimate of an epoch on data of the size of wine-red.
func BenchmarkEstimate(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, size := range []struct {
		name    string
		N, M, R int
	}{{"wine-red", 1119, 11, 32}, {"housing", 354, 13, 32}, {"no2", 350, 7, 32}} {
		rb := rulebase(rng, size.R, size.M)
		x, y := samples(rng, size.N, size.M)
		e := testenv.Must(New(context.Background(), x, y, nil, size.R, 0))
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Estimate(context.Background(), rb); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRefuses: samples and rules of wrong sizes are errors.
func TestRefuses(t *testing.T) {
	x, y := [][]float64{{0, 1}, {1, 0}, {2, 2}}, []float64{1, 2, 3}
	of := func(x [][]float64, y, weight []float64, R int) error {
		_, err := New(t.Context(), x, y, weight, R, 0)
		return err
	}
	for name, err := range map[string]error{
		"no samples": of(nil, nil, nil, 2), "ragged": of([][]float64{{1, 2}, {1}, {1, 2}}, y, nil, 2), "targets": of(x, y[:1], nil, 2),
		"weights": of(x, y, y[:1], 2), "no rules": of(x, y, nil, 0), "too many rules": of(x, y, nil, MaxUnknowns),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	e := testenv.Must(New(t.Context(), x, y, nil, 2, 0))
	rng := rand.New(rand.NewPCG(1, 1))
	outputs := rulebase(rng, 2, 2)
	outputs.SetOutputs(2)
	for name, rb := range map[string]*rules.RuleBase{
		"nil": nil, "zero": {}, "rules": rulebase(rng, 3, 2), "features": rulebase(rng, 2, 3), "outputs": outputs,
	} {
		if w, err := e.Estimate(t.Context(), rb); err == nil {
			t.Errorf("%s: %v", name, w)
		}
	}
}
