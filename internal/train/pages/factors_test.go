package pages

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// multiplied has the target (20 + 2x, of kind b 50) times a factor of hour, with knots at 6 and 12, times one of three groups of days, plus
// noise of this size.
func multiplied(n int, noise float64) Samples {
	r := rand.New(rand.NewPCG(5, 6))
	s := Samples{Target: "rented", Columns: []Column{{Name: "x"}, {Name: "hour"}, {Name: "kind", Levels: []string{"a", "b"}},
		{Name: "day", Levels: []string{"mo", "tu", "we", "th", "fr"}}}}
	for range n {
		x, hour, kind, day := numeric.Round(20*r.Float64(), 3), float64(r.IntN(24)), r.IntN(2), r.IntN(5)
		s.Columns[0].Values, s.Columns[1].Values = append(s.Columns[0].Values, x), append(s.Columns[1].Values, hour)
		s.Columns[2].Codes, s.Columns[3].Codes = append(s.Columns[2].Codes, kind), append(s.Columns[3].Codes, day)
		y := 20 + 2*x
		if kind == 1 {
			y = 50
		}
		y *= 0.2 + float64(min(max(hour, 6), 12)-6)/3
		y *= []float64{1, 2, 1, 2, 0.5}[day]
		s.Y = append(s.Y, max(0, y+noise*numeric.Normal(r)))
	}
	return s
}

// TestFactors finds factors again, as round numbers with little error, on any number of processors; pages of summands err far more. A
// target that is a sum, negative values and limits below zero have none.
func TestFactors(t *testing.T) {
	testenv.SkipRace(t)
	s, few := multiplied(400, 0.5), everything
	few.Rules, few.Numbers = 2, 45
	found := testenv.Must(Find(t.Context(), s, few))
	pg := found.Page
	if err := pg.Validate(); err != nil || !pg.Factors || len(pg.Rules) != 2 || len(pg.Tables) < 2 {
		t.Fatalf("%v: want two rules and two factors:\n%s", err, pg)
	}
	for _, table := range pg.Tables {
		e := table.Entries
		switch table.Column {
		case "hour":
			if six, twelve := slices.Index(table.Knots, 6), slices.Index(table.Knots, 12); six*twelve < 1 || math.Abs(e[twelve]/e[six]-11) > 1 {
				t.Errorf("entries %v at %v", e, table.Knots)
			}
		case "day":
			fr, mo := slices.IndexFunc(table.Groups, func(g []string) bool { return reflect.DeepEqual(g, []string{"fr"}) }),
				slices.IndexFunc(table.Groups, func(g []string) bool { return reflect.DeepEqual(g, []string{"mo", "we"}) })
			if fr+mo != 1 || math.Abs(e[mo]/e[fr]-2) > 0.2 || math.Abs(e[2]/e[mo]-2) > 0.1 {
				t.Errorf("entries %v of %v", e, table.Groups)
			}
		default:
			if slices.Max(e)-slices.Min(e) > 0.05 {
				t.Errorf("%s: entries %v", table.Column, e)
			}
		}
	}
	rmse := func(pg *page.Page) float64 { return math.Sqrt(squares(s.values(pg, s.shares(pg)), s.Y) / 400) }
	below := few
	below.Low = -1
	summands := testenv.Must(Find(t.Context(), s, below)).Page
	if e, other := rmse(pg), rmse(summands); e > 1 || other < 3*e || summands.Factors {
		t.Errorf("factors err by %v, summands by %v", e, other)
	}
	was := runtime.GOMAXPROCS(1)
	again := testenv.Must(Find(t.Context(), s, few))
	runtime.GOMAXPROCS(was)
	testenv.Equal(t, reflect.DeepEqual(found, again), true, "the same page on one processor")
	testenv.Equal(t, s.promisesFactors(few.limits(s)), true, "factors of a product")
	s.Y[0] = -1
	testenv.Equal(t, s.promisesFactors(few.limits(s)), false, "factors of a negative target")
	sum := bentSamples(400, 1)
	for i := range sum.Y {
		sum.Y[i] += 1000
	}
	testenv.Equal(t, sum.promisesFactors(few.limits(sum)), false, "factors of a sum")
}

// TestFactorsRefit fits the factors of a page by hand, of wrong numbers, with weights as with rows that occur twice.
func TestFactorsRefit(t *testing.T) {
	s := multiplied(500, 0.2)
	hand := testenv.Must(page.Parse(`rented is the value of the one rule whose IF holds, times the factors of the tables.
Rule 1 IF kind is a THEN about 1 at x 1, without the tables + 1 per x
Rule 2 IF kind is not a THEN about 1 at x 1, without the tables + 1 per x
Table hour (between entries in proportion) 0: x1, 6: x1, 12: x1, 23: x1
Table day
  tu / th: x1, fr: x1, all others: x2`))
	got := testenv.Must(Refit(s, hand, everything))
	for i, v := range s.values(got, s.shares(got)) {
		if math.Abs(v-s.Y[i]) > 3 {
			t.Fatalf("row %d: %g, want %g:\n%s", i, v, s.Y[i], got)
		}
	}
	if e := testenv.Must(CrossValidated(s, hand, everything)); e < 0.2 || e > 1 {
		t.Errorf("an error of %g", e)
	}
	var twice []int
	for i := range s.Y {
		s.Weight = append(s.Weight, float64(1+i%2))
		twice = append(twice, slices.Repeat([]int{i}, 1+i%2)...)
	}
	repeated := s.at(twice)
	repeated.Weight = nil
	weighted, doubled := testenv.Must(Refit(s, hand, everything)), testenv.Must(Refit(repeated, hand, everything))
	testenv.Equal(t, weighted.Tables, doubled.Tables, "factors of weights")
	if reflect.DeepEqual(weighted.Tables, got.Tables) {
		t.Error("weights change nothing")
	}
}

// TestFactorsWeights finds the factors of rows of weight two as of rows that occur twice, and others without weights.
func TestFactorsWeights(t *testing.T) {
	s := multiplied(300, 5)
	plain := s
	var twice []int
	for i := range s.Y {
		s.Weight = append(s.Weight, float64(1+i%2))
		twice = append(twice, slices.Repeat([]int{i}, 1+i%2)...)
	}
	repeated := s.at(twice)
	repeated.Weight = nil
	f := newFrame(s)
	y, mean, sd := scaled(s.Y, s.Weight)
	found := func(f *frame, y []float64) *version {
		return f.startFactors(y, mean/sd, everything).tabulated(factorTables)
	}
	weighted, doubled := found(f, y), found(f.applied(repeated), pick(y, twice))
	testenv.Equal(t, doubled.tables, weighted.tables, "tables")
	other, unweighted := 0.0, found(f.applied(plain), y)
	for k, values := range weighted.factors {
		for i, v := range values {
			if math.Abs(v-doubled.factors[k][i]) > 1e-6 {
				t.Errorf("factor %d: %v of weights, %v of rows that occur twice", k, v, doubled.factors[k][i])
			}
			other = max(other, math.Abs(v-unweighted.factors[k][i]))
		}
	}
	if other < 1e-3 {
		t.Error("weights change nothing")
	}
}
