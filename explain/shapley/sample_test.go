package shapley

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestSampling holds the estimates for 14 players against all subsets: differences of one standard error on average, and none of six.
func TestSampling(t *testing.T) {
	testenv.SkipRace(t)
	m, d := numbers(t, 14, 5)
	a := attributor(t, m, d.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7}))
	if !a.Samples() {
		t.Fatal("14 players are not sampled")
	}
	squares, count := 0.0, 0.0
	for n, e := range attributed(t, a, d.X[10:16]) {
		want := exactly(t, a, d.X[10+n])
		for i, v := range e.Values {
			ratio := (v - want[i]) / e.Errors[i]
			squares, count = squares+ratio*ratio, count+1
			if !(math.Abs(ratio) < 6) {
				t.Errorf("row %d, column %d: %v ± %v, want %v", n, i, v, e.Errors[i], want[i])
			}
		}
	}
	if ratio := math.Sqrt(squares / count); ratio < 0.8 || ratio > 1.3 {
		t.Errorf("the differences are %v standard errors", ratio)
	}
}

// exactly returns the values of all players by all their subsets, whose number Exact does not limit.
func exactly(t *testing.T, a *Attributor, x []float64) []float64 {
	t.Helper()
	g := gain{values: make([]float64, len(a.players))}
	c := testenv.Must(definition{model: a.model, players: a.players, background: a.background}.explaining(x))
	g.members = []coalitions{c}
	for b, row := range a.background {
		if err := g.play(a.weights[b], b, differing(a.players, x, row)); err != nil {
			t.Fatal(err)
		}
	}
	g.settle()
	return g.values
}

// TestFewDiffering: a game of more than twelve players of whom few differ is exact.
func TestFewDiffering(t *testing.T) {
	m, d := numbers(t, 20, 5)
	for _, row := range d.X[:30] {
		copy(row[6:], d.X[0][6:])
	}
	rows := d.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	a := attributor(t, m, rows)
	for n, e := range attributed(t, a, d.X[20:22]) {
		if e.Errors != nil || furthest(e.Values, exactly(t, a, d.X[20+n])) > 1e-10 {
			t.Errorf("row %d: %+v", n, e)
		}
	}
	if e := attributed(t, a, d.X[40:41])[0]; e.Errors == nil || e.Errors[0] == 0 {
		t.Errorf("a row that differs in all columns: %+v", e)
	}
}

// TestWalksOfEveryModel holds the walks of each kind of model against its predictions.
func TestWalksOfEveryModel(t *testing.T) {
	all, d := models(t)
	for name, m := range all {
		a := attributor(t, m, d)
		for _, k := range a.members {
			by := testenv.Must(k.explaining(d.X[9]))
			var plain definition
			switch k := k.(type) {
			case *factored:
				plain = k.definition
			case definition:
				plain = k
			}
			plain.x = d.X[9]
			for b, row := range a.background {
				order := differing(a.players, d.X[9], row)
				slices.Reverse(order)
				got, want := make([]float64, len(order)+1), make([]float64, len(order)+1)
				if err := by.walk(got, 0.5, b, order); err != nil {
					t.Fatal(err)
				}
				if err := plain.walk(want, 0.5, b, order); err != nil {
					t.Fatal(err)
				}
				if furthest(got, want) > 1e-10 {
					t.Errorf("%s, background row %d: %v, want %v", name, b, got, want)
				}
			}
		}
	}
}

// TestSameBits: the attribution of a row depends neither on the others nor on the number of workers.
func TestSameBits(t *testing.T) {
	for _, columns := range []int{6, 14} {
		m, d := numbers(t, columns, 5)
		a := attributor(t, m, d)
		all := attributed(t, a, d.X[:8])
		before := runtime.GOMAXPROCS(1)
		one := attributed(t, attributor(t, m, d), d.X[3:4])
		runtime.GOMAXPROCS(before)
		if !reflect.DeepEqual(one[0], all[3]) {
			t.Errorf("%d columns: alone %+v, among others %+v", columns, one[0], all[3])
		}
	}
}
