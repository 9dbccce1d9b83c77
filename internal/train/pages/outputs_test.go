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

// classes returns samples of K classes, as the page of each output sees them, and the true scores by class: straight lines of z whose
// slopes differ left and right of x = 0.
func classes(n, K int, certain float64) (all []Samples, truth [][]float64) {
	r := rand.New(rand.NewPCG(7, uint64(K)))
	s, truth := Samples{Loss: Logistic{}, Columns: []Column{{Name: "x"}, {Name: "z"}}}, make([][]float64, K)
	all = make([]Samples, K)
	for c := range all {
		all[c] = s
		all[c].Class = string(rune('A' + c))
		all[c].Target = "score of " + all[c].Class
	}
	for range n {
		x, z := numeric.Round(4*r.Float64()-2, 3), numeric.Round(numeric.Normal(r), 3)
		scores := []float64{0, certain * max(-x, 2*x) / x * z, certain * (z - x)}[:K]
		at, total, class := r.Float64(), 0.0, 0
		for _, v := range scores {
			total += math.Exp(v)
		}
		for ; class < K-1 && at >= math.Exp(scores[class])/total; class++ {
			at -= math.Exp(scores[class]) / total
		}
		s.Columns[0].Values, s.Columns[1].Values = append(s.Columns[0].Values, x), append(s.Columns[1].Values, z)
		for c := range all {
			y := 0.0
			if c == class {
				y = 1
			}
			all[c].Y, truth[c] = append(all[c].Y, y), append(truth[c], scores[c])
		}
	}
	for c := range all {
		all[c].Columns = s.Columns
	}
	return all, truth
}

// scoresOf returns the scores of all classes by pages: of two classes by the log odds of the second.
func scoresOf(all []Samples, found []*Found) (score [][]float64) {
	if len(found) == 1 {
		score, all = [][]float64{make([]float64, len(all[0].Y))}, all[1:]
	}
	for c, f := range found {
		score = append(score, all[c].values(f.Page, all[c].shares(f.Page)))
	}
	return score
}

// crossEntropy returns the log loss of scores.
func crossEntropy(all []Samples, score [][]float64) (sum float64) {
	for i := range score[0] {
		total := 0.0
		for c, s := range all {
			total += math.Exp(score[c][i])
			sum -= s.Y[i] * score[c][i]
		}
		sum += math.Log(total)
	}
	return sum / float64(len(score[0]))
}

// TestClasses: pages err as little as the true scores, and the log loss of a page is that of cross-validation; rules have the shares of
// their class; and classes that a column divides have finite numbers.
func TestClasses(t *testing.T) {
	testenv.SkipRace(t)
	few := everything
	few.Rules, few.Numbers = 4, 60
	for _, K := range []int{2, 3} {
		all, truth := classes(900, K, 1.5)
		of := all
		if K == 2 {
			of = all[1:]
		}
		found := testenv.Must(FindEach(t.Context(), of, few))
		got, want := crossEntropy(all, scoresOf(all, found)), crossEntropy(all, truth)
		if got > want+0.015 {
			t.Errorf("%d classes: log loss %v, that of the truth is %v", K, got, want)
		}
		for c, f := range found {
			testenv.OK(t, f.Page.Validate())
			own := strongest(of[c].shares(f.Page))
			for r, rule := range f.Page.Rules {
				weight := make([]float64, len(own)) // of the rule's own rows
				for i, k := range own {
					if k == r {
						weight[i] = 1
					}
				}
				if mean := 100 * numeric.WeightedMean(of[c].Y, weight); math.Abs(rule.Percent-mean) > 0.5 || rule.Mean != 0 {
					t.Errorf("%v%% of the class, mean %v; want %v%%", rule.Percent, rule.Mean, mean)
				}
			}
		}
		pg := found[0].Page
		if size, ok := pg.Size(); K == 2 && (!ok || math.Abs(size.RMSE-got) > 0.03) || pg.Low != 0 || pg.High != 0 {
			t.Errorf("log loss %v, and %v in cross-validation; from %v to %v", got, size.RMSE, pg.Low, pg.High)
		}
	}
	sure, _ := classes(200, 2, 100)
	for _, rule := range testenv.Must(Find(t.Context(), sure[1], few)).Page.Rules {
		if !(math.Abs(rule.About) < 12) {
			t.Errorf("about %v, of rows that are certain", rule.About)
		}
	}
	clear(sure[1].Y)
	none := testenv.Must(Find(t.Context(), sure[1], few)).Page
	if about := none.Rules[0].About; len(none.Rules) != 1 || !(about < -4 && about > -12) {
		t.Errorf("a class without rows: %s", none)
	}
}

// TestQuantiles: pages of quantiles have one structure, and the shares of the rows below them are their levels, also in each rule; half of
// the rows are below a page of the absolute error, which outliers do not move.
func TestQuantiles(t *testing.T) {
	testenv.SkipRace(t)
	s := samples(600, 1)
	for i := range s.Y {
		if i%20 == 0 {
			s.Y[i] += 500
		}
	}
	var all []Samples
	for _, q := range []float64{0.1, 0.5, 0.9} {
		one := s
		one.Loss = Quantile{q}
		all = append(all, one)
	}
	var first *page.Page
	for c, found := range testenv.Must(FindEach(t.Context(), all, everything)) {
		pg, q := found.Page, all[c].Loss.(Quantile).Level
		if first == nil {
			first = pg
		}
		value, share := s.values(pg, s.shares(pg)), s.shares(pg)
		for r := range pg.Rules {
			testenv.Equal(t, pg.Rules[r].Conditions, first.Rules[r].Conditions)
			below, n := 0.0, 0.0
			for i, g := range share[r] {
				if n += g; s.Y[i] <= value[i] {
					below += g
				}
			}
			if math.Abs(below/n-q) > 0.04 {
				t.Errorf("rule %d: %v of its rows are below the quantile of level %v", r+1, below/n, q)
			}
		}
	}
	s.Loss = Absolute{}
	found := testenv.Must(Find(t.Context(), s, everything))
	testenv.Equal(t, len(found.Page.Rules), 3)
	if i := slices.IndexFunc(found.Page.Rules, func(r page.Rule) bool { return math.Abs(r.About-20) < 0.5 }); i < 0 {
		t.Errorf("no rule is about 20:\n%s", found.Page)
	}
}

// TestSteps: where a step of least squares from a value ends, the loss is no larger; for the quantile that is so for one row, too.
func TestSteps(t *testing.T) {
	for _, l := range []Loss{Quantile{0.2}, Absolute{}, Huber{0.5}} {
		for _, v := range []float64{-2, -0.1, 0, 0.3, 4} {
			z, w := l.step(v, 1)
			upper := func(u float64) float64 { return w / 2 * ((z-u)*(z-u) - (z-v)*(z-v)) }
			for _, u := range []float64{-3, 0, 0.9, 1.5, 5} {
				if gain := l.value(u, 1) - l.value(v, 1); gain > upper(u)+1e-9 && math.Abs(v-1) > nearErrors {
					t.Errorf("%T from %v to %v: %v, above the bound %v", l, v, u, gain, upper(u))
				}
			}
		}
	}
}
