package lse

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// value returns the loss that Curvature describes, from its definition.
func (c Curvature) value(rb *rules.RuleBase, w [][]float64, y []float64) float64 {
	at := rb.Clone()
	at.Consequents = w
	out, _, _ := at.Forward(c.X, nil)
	sum := 0.0
	for n, f := range at.FiringLevels(c.X, nil) {
		disagreement := 0.0
		for r, level := range f {
			d := at.Consequent(r, c.X[n]) - out[n]
			disagreement += level * d * d
		}
		e := out[n] - y[n]
		sum += numeric.WeightAt(c.Weights, n) / 2 * (e*e + c.Alpha*disagreement)
	}
	var slopes []float64
	for m := range rb.Features() {
		for _, row := range w {
			slopes = append(slopes, row[m+1])
		}
	}
	return sum + c.Slopes.Value(slopes, rb.Rules())
}

// fill draws the consequents of rules.
func fill(rb *rules.RuleBase, rng *rand.Rand) {
	for _, w := range rb.Consequents {
		for a := range w {
			w[a] = rng.NormFloat64()
		}
	}
}

// all returns all consequents of rb.
func all(rb *rules.RuleBase) (of []consequent) {
	for r, w := range rb.Consequents {
		for a := range w {
			of = append(of, consequent{r, a})
		}
	}
	return of
}

// problem returns rules over samples with weights, on request with curves of their own, and
// their consequents at the minimum of the loss.
func problem(t *testing.T, c Curvature, R, M, N int, curves bool) (Curvature, *rules.RuleBase, []float64) {
	rng := rand.New(rand.NewPCG(uint64(R), uint64(N)))
	rb := rulebase(rng, R, M)
	var y []float64
	c.X, y = samples(rng, N, M)
	if curves {
		rules.AddCurves(rb, testenv.Must(rules.SortColumns(context.Background(), c.X, nil)).Knots(4), true)
		for _, values := range rb.Curves {
			for q := range values {
				values[q] = rng.NormFloat64()
			}
		}
	}
	for n := range c.X {
		c.Weights = append(c.Weights, 0.5+float64(n%3))
	}
	of := all(rb)
	h := c.hessian(rb, of, rb.FiringLevels(c.X, nil))
	w := rb.Consequents
	zero, gradient := c.value(rb, w, y), mat.NewVecDense(len(of), nil)
	for i, p := range of {
		w[p.r][p.a] = 1
		gradient.SetVec(i, c.value(rb, w, y)-zero-h.At(i, i)/2) // the loss is quadratic
		w[p.r][p.a] = 0
	}
	var least mat.VecDense
	if err := least.SolveVec(h, gradient); err != nil {
		t.Fatal(err)
	}
	for i, p := range of {
		w[p.r][p.a] = -least.AtVec(i)
	}
	return c, rb, y
}

var curvatures = map[string]Curvature{
	"loss alone":    {},
	"slopes":        {Slopes: penalty.Slopes{Lambda: 3}},
	"to their mean": {Slopes: penalty.Slopes{Lambda: 3, ToMean: true}},
	"disagreement":  {Alpha: 0.3},
	"all":           {Alpha: 0.3, Slopes: penalty.Slopes{Lambda: 3, ToMean: true}},
}

// TestHessian compares second derivatives with differences of the loss, which are exact for a
// quadratic function.
func TestHessian(t *testing.T) {
	for name, c := range curvatures {
		c, rb, y := problem(t, c, 3, 2, 90, false)
		of := all(rb)
		h := c.hessian(rb, of, rb.FiringLevels(c.X, nil))
		w := rb.Consequents
		moved := func(by ...int) float64 {
			for _, i := range by {
				w[of[i].r][of[i].a]++
				defer func() { w[of[i].r][of[i].a]-- }()
			}
			return c.value(rb, w, y)
		}
		for i := range of {
			for j := range of {
				want := moved(i, j) - moved(i) - moved(j) + moved()
				if got := h.At(i, j); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("%s: H[%v,%v] = %v, want %v", name, of[i], of[j], got, want)
				}
			}
		}
	}
}

// TestRemoveTermsOneByOne: at the minimum of the loss, a removal costs less than any other, and
// the remaining consequents are at the minimum without the removed terms.
func TestRemoveTermsOneByOne(t *testing.T) {
	for name, c := range curvatures {
		for _, curves := range []bool{false, true} {
			c, rb, y := problem(t, c, 3, 2, 90, curves)
			for terms := 5; terms >= 0; terms-- {
				least := math.Inf(1)
				for i, p := range all(rb) {
					if p.a > 0 && rb.Consequents[p.r][p.a] != 0 {
						least = min(least, without(c, rb, y, i))
					}
				}
				rb.Consequents = RemoveTerms(rb, (float64(terms)+0.5)/3, c)
				if got := int(math.Round(3 * rb.Terms())); got != terms {
					t.Fatalf("%s, curves: %t: %d terms, want %d", name, curves, got, terms)
				}
				if got := c.value(rb, rb.Consequents, y); math.Abs(got-least) > 1e-6*least {
					t.Errorf("%s, curves: %t: loss %v with %d terms, the least possible is %v", name, curves, got, terms, least)
				}
			}
		}
	}
}

// without returns the least loss without consequent i and those that are zero, by Newton's
// method, which is exact for a quadratic function.
func without(c Curvature, rb *rules.RuleBase, y []float64, i int) float64 {
	at := rb.Clone()
	gone := all(rb)[i]
	at.Consequents[gone.r][gone.a] = 0
	var of []consequent
	for _, p := range all(at) {
		if p.a == 0 || at.Consequents[p.r][p.a] != 0 {
			of = append(of, p)
		}
	}
	w := at.Consequents
	h, gradient := c.hessian(at, of, at.FiringLevels(c.X, nil)), mat.NewVecDense(len(of), nil)
	for k, p := range of {
		w[p.r][p.a]++
		up := c.value(at, w, y)
		w[p.r][p.a] -= 2
		gradient.SetVec(k, (up-c.value(at, w, y))/2)
		w[p.r][p.a]++
	}
	var step mat.VecDense
	if err := step.SolveVec(h, gradient); err != nil {
		panic(err)
	}
	for k, p := range of {
		w[p.r][p.a] -= step.AtVec(k)
	}
	return c.value(at, w, y)
}

// TestRemoveTermsKeeps: kept THEN parts do not change and their terms count; the slopes that are
// left have allowed signs.
func TestRemoveTermsKeeps(t *testing.T) {
	for mean := range 4 {
		c, rb, _ := problem(t, Curvature{}, 4, 3, 90, false)
		rb.Keep = []rules.Keep{0, rules.KeepThen, rules.KeepIf, rules.KeepAll}
		before := rb.Clone()
		w := RemoveTerms(rb, float64(mean), c)
		for r, row := range w {
			if same := slices.Equal(row, before.Consequents[r]); rb.Keeps(r, rules.KeepThen) != same && mean < 3 {
				t.Errorf("mean %d, rule %d: %v became %v", mean, r, before.Consequents[r], row)
			}
		}
		rb.Consequents = w
		if got, want := rb.Terms(), max(float64(mean), 1.5); got != want {
			t.Errorf("%v terms on average, want %v", got, want)
		}
		rb.Keep = slices.Repeat([]rules.Keep{rules.KeepThen}, 4)
		if w := RemoveTerms(rb, 0, c); !slices.EqualFunc(w, rb.Consequents, slices.Equal) {
			t.Errorf("all kept: %v became %v", rb.Consequents, w)
		}
	}
}

// TestRemoveTermsKeepsSigns: what is left has the signs that it had, also of features that nearly
// depend on one another.
func TestRemoveTermsKeepsSigns(t *testing.T) {
	for seed := range 10 {
		c, rb, _ := problem(t, Curvature{}, 3, 3, 30+seed, false)
		for _, row := range c.X {
			row[1] = 0.1*row[1] - row[0]
		}
		rb.Signs = []int{0, 1, 1, -1}
		for _, w := range rb.Consequents {
			w[1], w[2], w[3] = math.Abs(w[1]), math.Abs(w[2]), -math.Abs(w[3])
		}
		w := RemoveTerms(rb, 1, c)
		for r, row := range w {
			for a, v := range row[1:] {
				if v*rb.Consequents[r][a+1] < 0 {
					t.Errorf("w[%d,%d]: %v became %v", r, a+1, rb.Consequents[r][a+1], v)
				}
			}
		}
		rb.Consequents = w
		if err := rb.Validate(); err != nil || rb.Terms() != 1 {
			t.Errorf("%v terms, %v", rb.Terms(), err)
		}
	}
}

// TestRemoveTermsInBlocks: with more consequents than a block holds, the number of terms is
// still exact, biases remain, and so do slopes of zero.
func TestRemoveTermsInBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	const R, M = 90, 6
	rb := rulebase(rng, R, M)
	x, _ := samples(rng, 600, M)
	fill(rb, rng)
	for r, w := range rb.Consequents {
		w[1+r%M] = 0
	}
	c := Curvature{X: x, Alpha: 0.1, Slopes: penalty.Slopes{Lambda: 0.1}}
	if got := len(c.blocks(rb)); got != R {
		t.Fatalf("%d blocks, want one for each of %d rules", got, R)
	}
	w := RemoveTerms(rb, 2, c)
	if again := RemoveTerms(rb, 2, c); !slices.EqualFunc(w, again, slices.Equal) {
		t.Error("a second call has another result")
	}
	terms := 0
	for r, row := range w {
		if row[0] == 0 || row[1+r%M] != 0 {
			t.Errorf("rule %d: %v", r, row)
		}
		for _, v := range row[1:] {
			if v != 0 {
				terms++
			}
		}
	}
	if terms != 2*R {
		t.Errorf("%d terms, want %d", terms, 2*R)
	}
}

// TestRemoveTermsOfManyFeatures: no block is larger than the limit, all together hold every
// consequent once, and the number of terms is exact.
func TestRemoveTermsOfManyFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const R, M = 2, 700
	rb := rulebase(rng, R, M)
	x, _ := samples(rng, 30, M)
	fill(rb, rng)
	c := Curvature{X: x}
	held := map[consequent]bool{}
	for _, b := range c.blocks(rb) {
		for _, p := range b.of {
			if held[p] || p.r != b.of[0].r {
				t.Errorf("%v is in two blocks, or in a block of rule %d", p, b.of[0].r)
			}
			held[p] = true
		}
		if len(b.of) > largestBlock {
			t.Errorf("a block of %d consequents", len(b.of))
		}
	}
	if len(held) != R*(M+1) {
		t.Errorf("the blocks hold %d consequents, want %d", len(held), R*(M+1))
	}
	rb.Consequents = RemoveTerms(rb, 4, c)
	if err := rb.Validate(); err != nil || rb.Terms() != 4 {
		t.Errorf("%v terms per rule, %v", rb.Terms(), err)
	}
}

// TestRemoveTermsOfAnyData: collinear features, a rule that never fires and samples whose
// products overflow leave finite consequents.
func TestRemoveTermsOfAnyData(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for name, change := range map[string]func(rb *rules.RuleBase, x [][]float64){
		"collinear": func(_ *rules.RuleBase, x [][]float64) {
			for _, row := range x {
				row[1], row[2] = row[0], 2*row[0]
			}
		},
		"never fires": func(rb *rules.RuleBase, _ [][]float64) { rb.Antecedents[0][1][0] = 1e6 },
		"zero":        func(_ *rules.RuleBase, x [][]float64) { clear(x[0]); clear(x[1]) },
		"huge":        func(_ *rules.RuleBase, x [][]float64) { x[0][0] = 1e200 },
	} {
		rb := rulebase(rng, 3, 3)
		x, _ := samples(rng, 50, 3)
		fill(rb, rng)
		if name == "zero" {
			x = x[:2]
		}
		change(rb, x)
		if name == "huge" {
			rb.Flatten(1, 0)
		}
		at := rb.Clone()
		at.Consequents = RemoveTerms(rb, 1, Curvature{X: x})
		if err := at.Validate(); err != nil || at.Terms() != 1 {
			t.Errorf("%s: %v terms, %v", name, at.Terms(), err)
		}
	}
}

// TestThinned: of many samples, evenly spaced ones are used, with the same sum of weights.
func TestThinned(t *testing.T) {
	c := Curvature{X: make([][]float64, 3*mostRows)}
	for n := range c.X {
		c.X[n] = []float64{float64(n)}
	}
	thin := c.thinned()
	if len(thin.X) != mostRows || thin.X[0][0] != 0 || thin.X[1][0] != 3 || thin.Weights[mostRows-1] != 3 {
		t.Errorf("%d samples, %v, weight %v", len(thin.X), thin.X[:2], thin.Weights[0])
	}
}

// BenchmarkRemoveTerms measures the removal of all but three terms of 8 and 32 rules over the
// most samples, and of 100 rules over 50 features in blocks.
func BenchmarkRemoveTerms(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, size := range []struct {
		name string
		R, M int
	}{{"8 rules", 8, 10}, {"32 rules", 32, 13}, {"100 rules", 100, 50}} {
		rb := rulebase(rng, size.R, size.M)
		x, _ := samples(rng, mostRows, size.M)
		fill(rb, rng)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				RemoveTerms(rb, 3, Curvature{X: x, Alpha: 0.1, Slopes: penalty.Slopes{Lambda: 0.01}})
			}
		})
	}
}
