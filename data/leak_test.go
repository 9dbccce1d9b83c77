package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// leaky returns a table of columns with the target "cnt".
func leaky(t testing.TB, y []float64, columns map[string][]float64) *Dataset {
	t.Helper()
	var names []string
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	x := matrix(len(y), len(names))
	for i := range y {
		for m, name := range names {
			x[i][m] = columns[name][i]
		}
	}
	d := testenv.Must(New(names, "cnt", x, y))
	return d
}

// Columns that are the target are found, alone and as its parts; what is only near to it, or holds on a few rows, is not.
func TestLeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	const n = 400
	casual, registered := draw(n, func(int) float64 { return float64(rng.IntN(300)) }),
		draw(n, func(int) float64 { return float64(rng.IntN(900)) })
	noise := draw(n, func(int) float64 { return rng.NormFloat64() })
	cnt := draw(n, func(i int) float64 { return casual[i] + registered[i] })
	of := func(f func(i int) float64) []float64 { return draw(n, f) }
	one := func(name string, v []float64) map[string][]float64 {
		return map[string][]float64{"casual": casual, "noise": noise, name: v}
	}
	for _, c := range []struct {
		columns  map[string][]float64
		want     string
		identity bool
	}{
		{one("temp", noise), "", false},
		{one("registered", registered), `"cnt" = "casual" + "registered" in every row`, true},
		{one("rest", of(func(i int) float64 { return casual[i] - cnt[i] })), `"cnt" = "casual" - "rest" in every row`, true},
		{one("half", of(func(i int) float64 { return 2*registered[i] + 7 })), `"cnt" = "casual" + 0.5 "half" - 3.5 in every row`, false},
		{one("copy", cnt), `"cnt" = "copy" in every row`, true},
		{one("scaled", of(func(i int) float64 { return 32 - 1.8*cnt[i] })), `"cnt" = -0.555556 "scaled" + 17.7778 in every row`, true},
		{one("log", of(func(i int) float64 { return math.Log(cnt[i] + 1) })), `"log" rises wherever "cnt" does, in every row`, false},
		{one("inverse", of(func(i int) float64 { return 1 / (cnt[i] + 1) })), `"inverse" falls wherever "cnt" rises, in every row`, false},
		{one("near", of(func(i int) float64 { return cnt[i] + 0.1*rng.NormFloat64() })), "", false},
		{one("mostly", of(func(i int) float64 { return cnt[i] * (1 + float64(i/(n-1))) })), "", false},
		{map[string][]float64{"registered": registered, "twin": registered, "noise": noise}, "", false},
	} {
		got := Leaks(leaky(t, cnt, c.columns))
		if c.want == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].String() != c.want || got[0].Identity() != c.identity {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
	few := func(v []float64) []float64 { return v[:19] }
	if got := Leaks(leaky(t, few(cnt), map[string][]float64{"a": few(casual), "b": few(registered), "copy": few(cnt)})); got != nil {
		t.Errorf("19 rows prove nothing: %v", got)
	}
	missing := leaky(t, cnt, one("registered", registered))
	missing.X[3][2], missing.Missing.Policy = math.NaN(), table.MissingMean
	if got := Leaks(missing); got != nil {
		t.Errorf("a column with a missing value: %v", got)
	}
}

// Of many columns, those that give the target away are found, and of too many the pairs are left.
func TestLeaksAmongMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range []int{pairedColumns, pairedColumns + 1} {
		y, columns := make([]float64, 300), map[string][]float64{}
		for k := range m {
			v := make([]float64, len(y))
			for i := range v {
				v[i] = rng.NormFloat64()
				if k < 2 {
					y[i] += v[i]
				}
			}
			columns[fmt.Sprint("c", k)] = v
		}
		var found []string
		for _, l := range Leaks(leaky(t, y, columns)) {
			found = append(found, l.String())
		}
		want := []string{`"cnt" = "c0" + "c1" in every row`}
		if m > pairedColumns {
			want = nil
		}
		testenv.Equal(t, found, want, "%d columns: %s", m, strings.Join(found, "; "))
	}
}

func BenchmarkLeaks(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	columns := map[string][]float64{}
	var y []float64
	for k := range pairedColumns {
		y = make([]float64, 10_000)
		for i := range y {
			y[i] = rng.NormFloat64()
		}
		columns[fmt.Sprint(k)] = y
	}
	d := leaky(b, slices.Clone(y), columns)
	for b.Loop() {
		Leaks(d)
	}
}

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
		{"more words", words, of(func(i int) float64 { return y[i] + math.Floor(y[i]/2)*float64(i%2) }),
			`each value of "x" has one class of "cnt", in every row`, false},
		{"ranges", number, of(func(i int) float64 { return y[i] + rng.Float64() }),
			`each class of "cnt" has a range of "x" of its own, in every row`, false},
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

// TestTwins: every feature counts, missing ones are equal, 0 is -0, and neither targets nor weights count.
func TestTwins(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	other := &Dataset{X: [][]float64{{3, 1}, {nan, 2}, {0, 5}, {1, nan}, {3, 1}}, Y: []float64{1, 2, 3, 4, 5}}
	d := &Dataset{
		X:       [][]float64{{3, 1}, {3, 1.5}, {nan, 2}, {nan, 5}, {zero, 5}, {nan, 1}, {1, nan}, {1, 2}, {4, 0}},
		Y:       []float64{9, 1, 9, 1, 9, 1, 4, 1, 1},
		Weights: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9},
	}
	want := []bool{true, false, true, false, true, false, true, false, false}
	testenv.Equal(t, Twins(d, other), want)
	if got := Twins(d, &Dataset{}); slices.Contains(got, true) || len(got) != 9 {
		t.Errorf("twins in an empty data set: %v", got)
	}
}

// TestRealTwins: the numbers of test rows with a twin are those of an independent count, with hashes of the rows.
func TestRealTwins(t *testing.T) {
	for _, c := range []struct {
		file, target string
		want         []int // on the first three splits
	}{
		{"wine-white", "quality", []int{397, 391, 399}}, {"concrete", "strength", []int{12, 16, 14}}, {"no2", "log_no2", []int{0, 0, 0}},
	} {
		d := testenv.Must(Read(filepath.Join(testenv.Data(t), c.file+".csv"), table.Options{Target: c.target}))
		train, test := testenv.Splits(t, c.file)
		for k, want := range c.want {
			got := 0
			for _, twin := range Twins(d.Subset(test[k]), d.Subset(train[k])) {
				if twin {
					got++
				}
			}
			testenv.Equal(t, got, want, "%s, split %d", c.file, k)
		}
	}
}

// BenchmarkTwins looks for twins of 15,000 rows among 35,000, of nine features.
func BenchmarkTwins(b *testing.B) {
	rows := func(n, first int) *Dataset {
		d := &Dataset{X: matrix(n, 9), Y: make([]float64, n)}
		for i, x := range d.X {
			for m := range x {
				x[m] = float64((first+i)*7919%40009) / float64(1+m)
			}
		}
		return d
	}
	d, other := rows(15000, 30000), rows(35000, 0)
	b.ReportAllocs()
	for b.Loop() {
		Twins(d, other)
	}
}
