package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"math/rand/v2"
	"testing"
)

// Columns that determine the class are found, by number or by word; what is only near to it, or holds on a few rows, is not.
func TestClassLeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	const n = 300
	y, noise := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], noise[i] = float64(rng.IntN(3)), rng.NormFloat64()
	}
	of := func(f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	words := table.Column{Name: "x", Encoding: table.OneHot, Levels: []string{"u", "v", "w", "z"}}
	number := table.Column{Name: "x", Encoding: table.Numeric}
	for _, c := range []struct {
		name     string
		Coder    table.Column
		values   []float64 // of words the number of the level
		want     string
		identity bool
	}{
		{"noise", number, noise, "", false},
		{"a code", number, of(func(i int) float64 { return 7 - 2*y[i] }), `"x" is "cnt" by other names, in every row`, true},
		{"words", words, of(func(i int) float64 { return 3 - y[i] }), `"x" is "cnt" by other names, in every row`, true},
		{"more words", words, of(func(i int) float64 { return y[i] + math.Floor(y[i]/2)*float64(i%2) }), `each value of "x" has one class of "cnt", in every row`, false},
		{"ranges", number, of(func(i int) float64 { return y[i] + rng.Float64() }), `each class of "cnt" has a range of "x" of its own, in every row`, false},
		{"ranges but for one", number, of(func(i int) float64 { return math.Mod(y[i]+float64(i/(n-1)), 3) + rng.Float64() }), "", false},
		{"mostly", words, of(func(i int) float64 { return math.Mod(y[i]+float64(i/(n-1)), 3) }), "", false},
		{"missing", number, of(func(int) float64 { return math.NaN() }), "", false},
	} {
		d := leaky(t, y, map[string][]float64{"noise": noise})
		d.Schema.Classes = []string{"a", "b", "c"}
		d.Schema.Columns = append(d.Schema.Columns, c.Coder)
		for i := range d.X {
			at := make([]float64, c.Coder.Width())
			if c.Coder.Encoding == table.Numeric {
				at[0] = c.values[i]
			} else {
				at[int(c.values[i])] = 1
			}
			d.X[i] = append(d.X[i][:1:1], at...)
		}
		got := Leaks(d)
		if c.want == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].String() != c.want || got[0].Identity() != c.identity {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		if few := Leaks(d.Subset(inOrder(19))); few != nil {
			t.Errorf("%s: 19 rows prove nothing: %v", c.name, few)
		}
	}
	d, _, err := Builtin("iris")
	if err != nil || Leaks(d) != nil {
		t.Errorf("a leak in iris: %v, %v", Leaks(d), err)
	}
}

// Each of several targets is looked at.
func TestLeaksOfTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	y, z := make([]float64, 100), make([]float64, 100)
	twice := make([]float64, 100)
	for i := range y {
		y[i], z[i] = rng.NormFloat64(), rng.NormFloat64()
		twice[i] = 2 * z[i]
	}
	d := leaky(t, y, map[string][]float64{"twice": twice})
	d.Schema.Others, d.Others = []table.Other{{Name: "z"}}, [][]float64{z}
	if got := Leaks(d); len(got) != 1 || got[0].String() != `"z" = 0.5 "twice" in every row` {
		t.Errorf("%v", got)
	}
}
