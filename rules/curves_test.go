package rules

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// curved returns R random Gaussian rules over three features, of which the second has no curve.
func curved(R int, own bool) (rb *RuleBase, x [][]float64) {
	x, y := table(200, 3)
	rb = New(membership.Gaussian{}, testenv.Must(KMeans(context.Background(), Samples{X: x, Y: y}, R, rng(2))))
	knots := testenv.Must(SortColumns(context.Background(), x, nil)).Knots(8)
	knots[1] = nil
	AddCurves(rb, knots, own)
	r := rng(3)
	for _, values := range append(slices.Clone(rb.Curves), rb.Consequents...) {
		for i := range values {
			values[i] = r.NormFloat64()
		}
	}
	return rb, x
}

func TestKnotsByHand(t *testing.T) {
	column := func(values ...float64) [][]float64 {
		rows := make([][]float64, len(values))
		for n, v := range values {
			rows[n] = []float64{v}
		}
		return rows
	}
	for _, c := range []struct {
		name   string
		z      [][]float64
		weight []float64
		k      int
		want   []float64
	}{
		{"one value", column(3, 3, 3), nil, 2, nil},
		{"two values", column(0, 1, 1, 0), nil, 8, nil},
		{"all of few values", column(5, 1, 3, 1, 5), nil, 2, []float64{1, 3, 5}},
		{"all of few values, a light one too", column(5, 1, 3, 1, 5), []float64{1, 1, 1e-9, 1, 1}, 2, []float64{1, 3, 5}},
		{"quantiles", column(9, 8, 7, 6, 5, 4, 3, 2, 1), nil, 4, []float64{1, 3, 5, 7, 9}},
		{"equal quantiles", column(0, 0, 0, 0, 0, 3, 4, 5, 6, 7), nil, 4, []float64{0, 4, 7}},
		{"too many equal quantiles", column(0, 0, 0, 0, 0, 0, 0, 7, 8, 9), nil, 2, nil},
	} {
		testenv.Equal(t, testenv.Must(SortColumns(t.Context(), c.z, c.weight)).Knots(c.k)[0], c.want, "%s: knots", c.name)
	}
}

// TestKnotsOfWeights: weights are repetitions, up to the resolution of N values.
func TestKnotsOfWeights(t *testing.T) {
	const n, k = 2000, 8
	var z, repeated [][]float64
	weight := make([]float64, n)
	r := rng(4)
	for i := range weight {
		row := []float64{r.NormFloat64()}
		weight[i] = float64(1 + r.IntN(3))
		if row[0] > 0 {
			weight[i] *= 4
		}
		z = append(z, row)
		repeated = append(repeated, slices.Repeat([][]float64{row}, int(weight[i]))...)
	}
	knots := func(z [][]float64, weight []float64) []float64 {
		return testenv.Must(SortColumns(t.Context(), z, weight)).Knots(k)[0]
	}
	got, want, plain := knots(z, weight), knots(repeated, nil), knots(z, nil)
	differ := 0
	for q := range want {
		if !(math.Abs(got[q]-want[q]) < 0.01) {
			t.Errorf("knot %d: %v, of repeated samples %v", q, got[q], want[q])
		}
		if math.Abs(plain[q]-want[q]) > 0.1 {
			differ++
		}
	}
	if differ < k/2 {
		t.Errorf("only %d knots depend on the weights", differ)
	}
}

func TestCurvesByHand(t *testing.T) {
	rb := two()
	rb.Knots, rb.Curves = [][]float64{{-1, 0, 2}}, [][]float64{{1, 3, -1}}
	for _, c := range []struct{ z, want float64 }{{-5, 1}, {-1, 1}, {-0.5, 2}, {0, 3}, {1, 1}, {2, -1}, {math.Inf(1), -1}, {math.Inf(-1), 1}} {
		linear := 1 + 2*c.z
		testenv.Equal(t, rb.Consequent(0, []float64{c.z}), linear+c.want, "z = %v: y_1", c.z)
	}
	if got := rb.Consequent(0, []float64{math.NaN()}); !math.IsNaN(got) {
		t.Errorf("z = NaN: y_1 = %v", got)
	}
	rb.Curves = append(rb.Curves, []float64{0, 0, 10})
	testenv.Equal(t, rb.Consequent(1, []float64{1}), -0.5+5, "own curve: y_2")
}

// TestBetween holds the search for an interval against the definition.
func TestBetween(t *testing.T) {
	for n := 2; n < 40; n++ {
		knots := make([]float64, n)
		for q := range knots {
			knots[q] = float64(q)
		}
		for v := -1.0; v <= float64(n); v += 0.25 {
			inside := math.Max(0, math.Min(v, float64(n-1)))
			want := min(int(inside), n-2)
			if q, share := Between(knots, v); q != want || share != inside-float64(want) {
				t.Errorf("%v among %d knots: %v of the way from knot %d, want %v from %d", v, n, share, q, inside-float64(want), want)
			}
		}
	}
}

// TestOutputsOfCurves: all ways to compute outputs agree to the bit, also for samples of two
// parts and rules that do not fire.
func TestOutputsOfCurves(t *testing.T) {
	for _, own := range []bool{false, true} {
		rb, x := curved(5, own)
		mask := matrix(len(x), 5)
		for n := range mask {
			for r := range mask[n] {
				mask[n][r] = float64((n + r) % 2)
			}
			x[n] = append(slices.Clone(x[n]), x[len(x)-1-n]...)[:6]
		}
		y, _, _ := rb.Forward(x, mask)
		levels, outputs := rb.FiringLevels(x, mask), make([]float64, 5)
		for n, row := range x {
			rb.Outputs(outputs, row)
			sum := 0.0
			for r, v := range outputs {
				testenv.Equal(t, v, rb.Consequent(r, row), "own %v, sample %d: output of rule %d", own, n, r)
				sum += float64(levels[n][r] * v)
			}
			testenv.Equal(t, y[n], sum, "own %v, sample %d", own, n)
		}
	}
}

// TestCentreCurves: curves have mean zero over the samples, and predictions stay.
func TestCentreCurves(t *testing.T) {
	for _, own := range []bool{false, true} {
		rb, x := curved(4, own)
		weight := make([]float64, len(x))
		for n := range weight {
			weight[n] = float64(1 + n%3)
		}
		before, _, _ := rb.Forward(x, nil)
		centred := rb.Clone()
		CentreCurves(centred, x, weight)
		after, _, _ := centred.Forward(x, nil)
		for n := range x {
			if math.Abs(after[n]-before[n]) > 1e-12 {
				t.Errorf("own %v, sample %d: %v, before %v", own, n, after[n], before[n])
			}
		}
		for c, values := range centred.Curves {
			sums := [2]float64{}
			for n, row := range x {
				for i, p := range Places(nil, rb.Knots, row) {
					sums[i] += weight[n] * p.On(values)
				}
			}
			if math.Abs(sums[0])+math.Abs(sums[1]) > 1e-9 {
				t.Errorf("own %v, curves %d: sums %v", own, c, sums)
			}
		}
	}
}

// TestPruneCurves: own curves leave with their rule and merge as consequents do, shared ones stay.
func TestPruneCurves(t *testing.T) {
	for _, own := range []bool{false, true} {
		rb, x := curved(3, own)
		old := rb.Clone()
		mergeRules(rb, 0, 1)
		deleteRule(rb, 1)
		testenv.OK(t, rb.Validate())
		testenv.Equal(t, rb.Consequent(1, x[0]), old.Consequent(2, x[0]), "own %v: the third rule says", own)
		if got, want := rb.Consequent(0, x[0]), (old.Consequent(0, x[0])+old.Consequent(1, x[0]))/2; math.Abs(got-want) > 1e-14 {
			t.Errorf("own %v: the merged rule says %v, want the mean %v", own, got, want)
		}
		deleteRule(rb, 0)
		testenv.Equal(t, rb.Consequent(0, x[0]), old.Consequent(2, x[0]), "own %v: the last rule says", own)
	}
}

func ExampleAddCurves() {
	rb := New(membership.Gaussian{}, &Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{5}})
	AddCurves(rb, [][]float64{{0, 1, 2}}, false)
	copy(rb.Curves[0], []float64{0, 3, 4})
	y, _, _ := rb.Forward([][]float64{{-1}, {0.5}, {1.5}, {9}}, nil)
	fmt.Println(y)
	// Output: [5 6.5 8.5 9]
}
