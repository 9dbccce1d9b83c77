package pages

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// TestBounded: the weights are the best of the minima with each set of bounded unknowns at zero that have the signs.
func TestBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		const m, n = 4, 9
		values, y := make([][]float64, m), make([]float64, n)
		for k := range values {
			for range n {
				values[k] = append(values[k], numeric.Normal(r))
			}
		}
		for i := range y {
			y[i] = numeric.Normal(r)
		}
		sign := []int{0, 1, -1, 1}
		all := products(append(slices.Clone(values), y), slices.Repeat([]float64{1}, n), make([]int, n), 1)[0]
		got, squares := bounded(slices.Clone(all), sign)
		least := math.Inf(1)
		for set := range 8 {
			a, out := slices.Clone(all), slices.Clone(got)
			ok := true
			for k := range m {
				if k == 0 || set>>(k-1)&1 == 1 {
					sweep(a, m+1, k)
				}
			}
			for k := range out {
				out[k] = 0
				if a[k*(m+1)+k] < 0 {
					out[k] = a[k*(m+1)+m]
				}
				ok = ok && float64(sign[k])*out[k] >= 0
			}
			if ok {
				least = min(least, a[len(a)-1])
			}
		}
		if math.Abs(squares-least) > 1e-9 || math.Abs(quadratic(all, append(slices.Clone(got), -1))-least) > 1e-9 {
			t.Errorf("%v: squares %v, want %v", got, squares, least)
		}
		for k, w := range got {
			if float64(sign[k])*w < 0 {
				t.Errorf("weight %d is %v", k, w)
			}
		}
	}
}

// against has a target that rises with x, falls behind 6 and rises with z, noisily, and depends on a switch.
func against(n int) Samples {
	r := rand.New(rand.NewPCG(3, 9))
	s := Samples{Target: "y", Columns: []Column{{Name: "x"}, {Name: "z"}, {Name: "switch", Levels: []string{"off", "on"}}}}
	x, z, on := &s.Columns[0], &s.Columns[1], &s.Columns[2]
	for range n {
		a, b, c := numeric.Round(10*r.Float64(), 3), numeric.Round(5*r.Float64(), 3), r.IntN(2)
		x.Values, z.Values, on.Codes = append(x.Values, a), append(z.Values, b), append(on.Codes, c)
		s.Y = append(s.Y, 20+3*min(a, 6)-max(0, a-6)+float64(c)*(2*b-3)+0.3*numeric.Normal(r))
	}
	return s
}

// short are the options of short pages, which are found in less time.
var short = Options{Numbers: 40, Rules: 4, Conditions: 2, Terms: 3, Low: math.Inf(-1), High: math.Inf(1), Seed: 1}

// TestMonotonePages: a page has no condition on a column with a sign, and its slopes and tables do not go the other way, whether it is
// found or fitted again, by any loss; one of the free page does.
func TestMonotonePages(t *testing.T) {
	s := against(300)
	free := testenv.Must(Find(t.Context(), s, short)).Page
	for _, c := range []struct {
		sign int
		l    Loss
	}{{1, nil}, {1, Absolute{}}, {-1, nil}} {
		of := s
		of.Loss = c.l
		of.Columns = slices.Clone(s.Columns)
		of.Columns[0].Sign, of.Columns[0].NoIf = c.sign, true
		if of.Check(free) == nil {
			t.Errorf("sign %d: the free page passes: nothing is tested", c.sign)
		}
		pg := testenv.Must(Find(t.Context(), of, short)).Page
		testenv.OK(t, of.Check(pg))
		again := testenv.Must(Refit(of, pg, short))
		testenv.OK(t, of.Check(again))
		if c.sign == 1 && !mentions(pg, "x") {
			t.Errorf("loss %v: the page does not mention x", c.l)
		}
		wrong := *again
		wrong.Terms = append(slices.Clone(again.Terms), page.Term{Column: "x", Slope: -0.01 * float64(c.sign)})
		testenv.FailsWith(t, of.Check(&wrong), `of "x" has the wrong sign`)
		wrong = *again
		wrong.Tables = []page.Table{{Column: "x", Knots: []float64{0, 1, 2}, Entries: []float64{0, 0, -float64(c.sign)}}}
		testenv.FailsWith(t, of.Check(&wrong), `the table of "x" goes the wrong way from entry 2 to 3`)
	}
}

// mentions reports whether a page has a term or a table of a column.
func mentions(pg *page.Page, column string) bool {
	terms := slices.Clone(pg.Terms)
	for _, r := range pg.Rules {
		terms = append(terms, r.Terms...)
	}
	return slices.ContainsFunc(terms, func(t page.Term) bool { return t.Column == column }) ||
		slices.ContainsFunc(pg.Tables, func(t page.Table) bool { return t.Column == column })
}

// TestMonotoneFactors: a column with a sign has no factors.
func TestMonotoneFactors(t *testing.T) {
	s := multiplied(600, 0.05)
	pg := testenv.Must(Find(t.Context(), s, short)).Page
	if !pg.Factors {
		t.Fatal("the page has no factors")
	}
	at := slices.IndexFunc(pg.Tables, func(t page.Table) bool { return t.Knots != nil })
	of := s
	of.Columns = slices.Clone(s.Columns)
	column := &of.Columns[slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == pg.Tables[at].Column })]
	column.Sign, column.NoIf = 1, true
	_, err := Refit(of, pg, short)
	testenv.FailsWith(t, err, "factors of a monotone column (model.monotone) may multiply values below zero")
	testenv.OK(t, of.Check(testenv.Must(Find(t.Context(), of, short)).Page))
}

// TestAllows: conditions, terms and tables of a page of a person's own are where columns may occur.
func TestAllows(t *testing.T) {
	s := samples(300, 0.3)
	pg := testenv.Must(Find(t.Context(), s, short)).Page
	all := s
	all.Columns = slices.Clone(s.Columns)
	for want, change := range map[string]func(s *Samples){
		`column "smoker" may not occur in a condition`: func(s *Samples) { s.Columns[2].NoIf = true },
		`column "age" may occur in conditions only`:    func(s *Samples) { s.Columns[0].NoThen = true },
		`its columns may not meet`:                     func(s *Samples) { s.Together = [][]int{{0, 1}} },
	} {
		of := s
		of.Columns = slices.Clone(s.Columns)
		change(&of)
		_, err := Refit(of, pg, short)
		testenv.FailsWith(t, err, want)
		change(&all)
	}
	testenv.OK(t, all.Check(testenv.Must(Find(t.Context(), all, short)).Page))
}
