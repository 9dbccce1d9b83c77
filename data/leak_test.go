package data

import (
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
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
	d, err := New(names, "cnt", x, y)
	if err != nil {
		t.Fatal(err)
	}
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
	casual, registered := draw(n, func(int) float64 { return float64(rng.IntN(300)) }), draw(n, func(int) float64 { return float64(rng.IntN(900)) })
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
		if !reflect.DeepEqual(found, want) {
			t.Errorf("%d columns: %s", m, strings.Join(found, "; "))
		}
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
