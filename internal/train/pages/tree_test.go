package pages

import (
	"context"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// standard returns the numbers with mean zero and variance one.
func standard(y, weight []float64) []float64 {
	weight = numeric.EachWeight(weight, len(y))
	mean, sd := numeric.WeightedMean(y, weight), deviation(y, weight)
	z := slices.Clone(y)
	for i := range z {
		z[i] = (z[i] - mean) / sd
	}
	return z
}

// divided has numbers 1 to 20, x1 to x12, noise except x7, and levels a to e. Up to 8, the target is 5 plus x7 in levels b and
// d, minus x7 in others; above 8 it is half of x7.
func divided(n int) Samples {
	r := rand.New(rand.NewPCG(3, 4))
	s := Samples{Columns: make([]Column, 14)}
	s.Columns[0].Name, s.Columns[13].Levels = "number", []string{"a", "b", "c", "d", "e"}
	for range n {
		number, level := float64(1+r.IntN(20)), r.IntN(5)
		s.Columns[0].Values, s.Columns[13].Codes = append(s.Columns[0].Values, number), append(s.Columns[13].Codes, level)
		for j := range 12 {
			s.Columns[j+1].Values = append(s.Columns[j+1].Values, numeric.Round(numeric.Normal(r), 2))
		}
		x := s.Columns[7].Values[len(s.Columns[7].Values)-1]
		y := x / 2
		if number <= 8 {
			if y = 5 - x; level%2 == 1 {
				y = 5 + x
			}
		}
		s.Y = append(s.Y, y+0.1*numeric.Normal(r))
	}
	return s
}

// TestTree finds a tree although the term that divides it explains nothing in the table as a whole.
func TestTree(t *testing.T) {
	s := divided(1500)
	f := newFrame(s)
	trees := testenv.Must(f.trees(t.Context(), standard(s.Y, nil), Options{Rules: 3, Conditions: 3, Terms: 4}))
	type part struct {
		sides string
		terms []int // columns
	}
	text := func(path []side) (text string) {
		for _, d := range path {
			for b, left := range d.bins {
				if left != d.right {
					if c := &f.columns[d.column]; c.isCategory() && b < len(c.levels) {
						text += c.Levels[c.levels[b]]
					} else if !c.isCategory() && b < len(c.borders) {
						text += numeric.Show(c.borders[b], 3) + ","
					}
				}
			}
			text += ";"
		}
		return text
	}
	var found []part
	for _, l := range trees[2] {
		p := part{sides: text(l.path)}
		for _, k := range l.terms[:min(len(l.terms), 1)] {
			p.terms = append(p.terms, f.terms[k].column)
		}
		found = append(found, p)
	}
	up := "1,2,3,4,5,6,7,8,;"
	down := "9,10,11,12,13,14,15,16,17,18,19,;"
	for _, want := range []part{{up + "bd;", []int{7}}, {down, []int{7}}} {
		if !slices.ContainsFunc(found, func(p part) bool { return reflect.DeepEqual(p, want) }) {
			t.Errorf("no leaf %v in %v", want, found)
		}
	}
	testenv.Equal(t, len(found), 3)
}

// TestPartition checks limits: each row is in one leaf, leaves have enough rows, and not too many columns and terms. One processor and two
// find the same.
func TestPartition(t *testing.T) {
	testenv.SkipRace(t)
	s := divided(600)
	s.Columns[2].Values = make([]float64, 600) // constant
	y := standard(s.Y, nil)
	for _, o := range []Options{{Rules: 8, Conditions: 3, Terms: 4}, {Rules: 5, Conditions: 1, Terms: 1}, {Rules: 1, Conditions: 3}} {
		f := newFrame(s)
		was := runtime.GOMAXPROCS(1)
		trees := testenv.Must(f.trees(t.Context(), y, o))
		runtime.GOMAXPROCS(2)
		again := testenv.Must(newFrame(s).trees(t.Context(), y, o))
		runtime.GOMAXPROCS(was)
		testenv.Equal(t, reflect.DeepEqual(trees, again), true, "the same trees on two processors")
		for size, tree := range trees {
			testenv.Equal(t, len(tree), size+1, "leaves")
			in, at := make([]int, f.n), f.leafOf(tree)
			for k, l := range tree {
				columns := map[int]bool{}
				for _, d := range l.path {
					columns[d.column] = true
				}
				used := map[int]bool{}
				for _, j := range l.terms {
					if t := f.terms[j]; t.level < 0 {
						used[t.column] = true
					} else {
						used[-1-j] = true
					}
				}
				few := float64(len(l.rows)) < leastRows(600)
				if few || len(columns) > o.Conditions || columns[2] || len(l.terms) > o.Terms || len(used) < len(l.terms) {
					t.Errorf("%+v: leaf %+v", o, l)
				}
				for _, row := range l.rows {
					in[row]++
					testenv.Equal(t, at[row], k, "the leaf of a row")
				}
			}
			testenv.Equal(t, slices.Min(in)*slices.Max(in), 1, "leaves of a row")
		}
	}
}

// TestWeight checks that a weight counts as repeated rows, and that other samples are in the same bins.
func TestWeight(t *testing.T) {
	testenv.SkipRace(t)
	s := divided(900)
	repeated, total := Samples{Columns: slices.Clone(s.Columns)}, 0.0
	for j := range repeated.Columns {
		repeated.Columns[j].Values, repeated.Columns[j].Codes = nil, nil
	}
	for i, number := range s.Columns[0].Values {
		times := 1 + int(number)%3
		for range times {
			for j, c := range s.Columns {
				to := &repeated.Columns[j]
				if c.Levels != nil {
					to.Codes = append(to.Codes, c.Codes[i])
				} else {
					to.Values = append(to.Values, c.Values[i])
				}
			}
			repeated.Y = append(repeated.Y, s.Y[i])
		}
		s.Weight, total = append(s.Weight, float64(times)), total+float64(times)
	}
	for i := range s.Weight {
		s.Weight[i] *= 900 / total
	}
	o := Options{Rules: 3, Conditions: 3, Terms: 1}
	f, g := newFrame(s), newFrame(repeated)
	a := testenv.Must(f.trees(t.Context(), standard(s.Y, s.Weight), o))
	b := testenv.Must(g.trees(t.Context(), standard(repeated.Y, nil), o))
	for k := range a[2] {
		testenv.Equal(t, reflect.DeepEqual(a[2][k].path, b[2][k].path), true, "the same paths")
	}
	other := f.applied(repeated)
	testenv.Equal(t, reflect.DeepEqual(other.columns[0].codes, g.columns[0].codes), true, "codes")
}

// TestNothing checks that there is one leaf where nothing can be learned, and that numbers of any size give finite terms.
func TestNothing(t *testing.T) {
	const n = 200
	huge, same, level := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range huge {
		huge[i] = float64(i-n/2) * 1.7e306
	}
	for name, s := range map[string]Samples{
		"no columns": {Y: huge},
		"constants": {Y: huge, Columns: []Column{{Values: same}, {Levels: []string{"a", "b"}, Codes: level},
			{Levels: []string{"a"}, Ordered: true, Codes: level}}},
		"one row":   {Y: same[:1], Columns: []Column{{Values: same[:1]}, {Levels: []string{"a", "b"}, Codes: level[:1]}}},
		"no target": {Y: same, Columns: []Column{{Values: huge}}},
	} {
		f := newFrame(s)
		y := make([]float64, f.n)
		if name != "no target" {
			for i := range y {
				y[i] = float64(i%2) - 0.5
			}
		}
		trees := testenv.Must(f.trees(t.Context(), y, everything))
		if len(trees) != 1 || len(trees[0]) != 1 || len(trees[0][0].rows) != f.n || len(trees[0][0].terms) > 0 {
			t.Errorf("%s: %v", name, trees)
		}
		for k := range f.terms {
			testenv.Equal(t, numeric.Finite(f.standardised(nil, k, sample(f.n, f.n))...), true, "%s: finite terms", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testenv.FailsIs(t, testenv.Err(newFrame(divided(100)).trees(ctx, make([]float64, 100), everything)), context.Canceled, "")
}

func TestRoundest(t *testing.T) {
	for _, c := range [][3]float64{
		{0.26, 0.34, 0.3}, {44.2, 47.9, 45}, {-0.3, 0.2, 0}, {-3.9, -3.1, -3.5}, {1234, 1234, 1234}, {0.6999, 0.7, 0.7}, {1e-7, 1.9e-7, 1.5e-7},
		{99, 101, 100}, {183, 219, 200}, {-1e6, -9e5, -9e5}, {17, 18, 18}, {1.2e308, 1.7e308, 1.5e308},
	} {
		testenv.Equal(t, roundest(c[0], c[1]), c[2], "of %v", c[:2])
	}
	testenv.Equal(t, between([]float64{1, 2, 4, 9}), []float64{1, 2, 4})
	testenv.Equal(t, between([]float64{0.12, 0.5, 2}), []float64{0.12, 0.5})
	testenv.Equal(t, between([]float64{0.12345, 0.5, 2}), []float64{0.4, 1})
}

// numbers reads a real table of numbers, whose target is the last column.
func numbers(b *testing.B, name string) (s Samples) {
	file := testenv.Must(os.Open(filepath.Join(testenv.Data(b), name+".csv")))
	defer file.Close()
	rows := testenv.Must(csv.NewReader(file).ReadAll())
	for j, name := range rows[0] {
		values := make([]float64, len(rows)-1)
		for i := range values {
			values[i] = testenv.Must(strconv.ParseFloat(rows[i+1][j], 64))
		}
		s.Columns, s.Y = append(s.Columns, Column{Name: name, Values: values}), values
	}
	s.Columns = s.Columns[:len(s.Columns)-1]
	return s
}

// BenchmarkTrees searches trees of real tables on one processor.
func BenchmarkTrees(b *testing.B) {
	for _, name := range []string{"no2", "concrete", "abalone-7num", "protein"} {
		s := numbers(b, name)
		f, y := newFrame(s), standard(s.Y, nil)
		b.Run(name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			for b.Loop() {
				testenv.Must(f.trees(b.Context(), y, everything))
			}
		})
	}
}
