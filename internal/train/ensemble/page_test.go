package ensemble_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
)

// premiums returns n rows of age, smoker, region and a grade with an order, of which some cells are missing under missing mean, and a
// target that needs two rules or more.
func premiums(n int, missing string) *data.Dataset {
	rng := rand.New(rand.NewPCG(5, 6))
	d := &data.Dataset{Missing: data.Missing{Policy: missing}, Schema: data.Schema{Target: "charges", Columns: []data.Column{
		{Name: "age", Encoding: data.Numeric}, {Name: "smoker", Encoding: data.OneHot, Levels: []string{"no", "yes"}},
		{Name: "region", Encoding: data.OneHot, Levels: []string{"north", "south", "west", "moon"}},
		{Name: "grade", Encoding: data.Ordinal, Levels: []string{"low", "middle", "high"}},
	}}}
	for i := range n {
		age, smoker, region, grade := 18+rng.IntN(50), rng.IntN(4)/3, rng.IntN(3), rng.IntN(3)
		row := slices.Concat([]float64{float64(age)}, d.Schema.Columns[1].Values(smoker), d.Schema.Columns[2].Values(region),
			[]float64{float64(grade + 1)})
		y := 100*float64(age) + 900*float64(region) + 5000*float64(smoker)*(1+float64(age/40)) + 300*rng.NormFloat64()
		if missing == "mean" && i%10 == 0 {
			from := []int{0, 1, 3, 7, 8}[i/10%4:]
			for m := from[0]; m < from[1]; m++ {
				row[m] = math.NaN()
			}
		}
		d.X, d.Y = append(d.X, row), append(d.Y, y)
	}
	return d
}

// TestPage: preset readable trains a page: the model predicts what the page says, of missing cells and unknown levels, too; a second
// training gives the same bits, and a committee has a page for each member.
func TestPage(t *testing.T) {
	testenv.SkipRace(t) // the search is raced in package pages
	for missing, members := range map[string]int{"error": 1, "mean": 2} {
		d := premiums(200, missing)
		run := ensemble.Run{Recipe: recipe.Readable()}
		run.Recipe.Model.Page, run.Recipe.Model.Range = 40, &recipe.Range{0, math.Inf(1)}
		result := testenv.Must(run.Train(t.Context(), d, d.Subset([]int{1, 2, 3, 4, 5})))
		m := result.Model
		if m.Pages == nil || m.Pages[0].Numbers() > 40 || len(m.Pages[0].Rules)+len(m.Pages[0].Tables) < 2 ||
			len(m.Pages[0].Sizes) < 2 || result.Race != nil {
			t.Fatalf("%s: %+v", missing, m.Pages)
		}
		if e := m.Training.Metrics; !(e["rmse_train"] < 900) || !(e["rmse_validation"] < 900) || m.Pages[0].Low < 0 {
			t.Errorf("%s: %v, from %v", missing, e, m.Pages[0].Low)
		}
		x := slices.Concat(d.X, [][]float64{{45, 1, 0, 0, 0, 0, 0, 2}, {200, 0, 0, 0, 0, 0, 1, 1}})
		got := testenv.Must(m.Predict(x))
		for n, row := range x {
			if want := testenv.Must(m.Pages[0].Predict(cellsOf(m, row))); !(math.Abs(got.Values[n]-want) <= 1e-12*math.Max(1e4, math.Abs(want))) {
				t.Fatalf("%s, row %v: %v, want %v", missing, row, got.Values[n], want)
			}
		}
		run.Recipe.Train.Members = members
		again := testenv.Must(run.Train(t.Context(), d, nil)).Model
		if members == 1 {
			testenv.Equal(t, testenv.Must(model.Load(saved(t, again))).Pages, m.Pages, "%s: another training", missing)
		} else if len(again.Members) != members || again.Members[0].Pages == nil || again.Members[1].Pages == nil {
			t.Errorf("%s: a committee of %+v", missing, again.Members)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := ensemble.Run{Recipe: recipe.Readable()}.Train(ended, premiums(100, "error"), nil)
	testenv.FailsIs(t, err, context.Canceled, "", "an ended context")
}

// cellsOf returns the cells of a row as the page of a model reads them.
func cellsOf(m *model.Model, row []float64) func(column string) (float64, string, bool) {
	return func(column string) (float64, string, bool) {
		first := 0
		for _, c := range m.Schema.Columns {
			x := row[first : first+c.Width()]
			if c.Name != column {
				first += c.Width()
				continue
			}
			v := x[0]
			if math.IsNaN(v) {
				v = m.Features[first].Mean
			}
			switch {
			case c.Numbers():
				return v, "", true
			case !c.Nominal():
				return 0, c.Levels[int(v)-1], true
			}
			if k := slices.Index(x, 1); k >= 0 {
				return 0, c.Levels[k], true
			}
			return 0, "", true
		}
		return 0, "", false
	}
}

// TestPagesOfOutputs: two classes have one page, three classes, several targets and quantiles one each; the model predicts what they say by
// its link, from a file, too.
func TestPagesOfOutputs(t *testing.T) {
	testenv.SkipRace(t) // the search is raced in package pages
	for kind, want := range map[string]struct {
		names []string
		err   float64 // of the metric, at most
	}{
		"two classes":   {[]string{"log odds of dear"}, 0.2},
		"three classes": {[]string{"score of cheap", "score of fair", "score of dear"}, 0.35},
		"targets":       {[]string{"charges", "half"}, 900},
		"quantiles":     {[]string{"10% quantile of charges", "median of charges", "90% quantile of charges"}, 300},
	} {
		d, r := premiums(160, "mean"), recipe.Readable()
		switch kind {
		case "targets":
			d.Schema.Others, d.Others = []data.Other{{Name: "half"}}, [][]float64{nil}
			for n, y := range d.Y {
				d.Others[0] = append(d.Others[0], y/2+float64(n%7))
			}
		case "quantiles":
			r.Train.Loss = "quantile"
			r.Train.Params.Set("quantiles", 0.1, 0.5, 0.9)
		default:
			d.Schema.Classes = map[string][]string{"two classes": {"cheap", "dear"}, "three classes": {"cheap", "fair", "dear"}}[kind]
			for n, y := range d.Y {
				d.Y[n] = math.Min(float64(len(want.names)), math.Floor(y/6000))
				if len(want.names) == 3 {
					d.Y[n] = math.Min(2, math.Floor(y/5000))
				}
			}
		}
		result := testenv.Must(ensemble.Run{Recipe: r}.Train(t.Context(), d, nil))
		m, numbers := testenv.Must(model.Load(saved(t, result.Model))), 0
		var names []string
		score := make([][]float64, len(m.Pages))
		for c, pg := range m.Pages {
			names, numbers = append(names, pg.Target), numbers+pg.Numbers()
			for _, row := range d.X {
				score[c] = append(score[c], testenv.Must(pg.Predict(cellsOf(m, row))))
			}
		}
		testenv.Equal(t, names, want.names, "%s: %s", kind, result.StartNotes)
		if numbers > recipe.ReadablePage {
			t.Errorf("%s: %d numbers", kind, numbers)
		}
		p := testenv.Must(m.Predict(d.X)).All()
		link := testenv.Must(loss.LookupLink(m.Link()))
		for n := range d.X {
			y := make([]float64, len(score))
			for c := range y {
				y[c] = score[c][n]
			}
			link.Response(y, y)
			for c, v := range y {
				if got := p[len(p)-len(y)+c][n]; !(math.Abs(got-v) <= 1e-9*math.Max(1, math.Abs(v))) {
					t.Fatalf("%s: row %d: %v, want %v", kind, n, got, v)
				}
			}
		}
		if e := testenv.Must(m.Evaluate(t.Context(), d)).Loss; !(e < want.err) {
			t.Errorf("%s: error %v", kind, e)
		}
	}
}

// TestPageGivesWay: what pages do not suit is trained from a tree, with a note, and refused where a page is a setting of a race.
func TestPageGivesWay(t *testing.T) {
	classes := premiums(120, "error")
	classes.Schema.Classes = []string{"cheap", "fair", "dear", "dearest"}
	for n, y := range classes.Y {
		classes.Y[n] = math.Min(3, math.Floor(y/3000))
	}
	several := premiums(120, "error")
	for k := range 5 {
		several.Schema.Others = append(several.Schema.Others, data.Other{Name: fmt.Sprint("y", k)})
		several.Others = append(several.Others, several.Y)
	}
	for why, c := range map[string]struct {
		d      *data.Dataset
		change func(r *recipe.Recipe)
	}{
		`"charges" has 4 classes, more than 3`: {classes, func(*recipe.Recipe) {}},
		"there are 6 targets, more than 5":     {several, func(*recipe.Recipe) {}},
		"there are 6 quantiles": {premiums(120, "error"), func(r *recipe.Recipe) {
			r.Train.Loss = "quantile"
			r.Train.Params.Set("quantiles", 0.1, 0.2, 0.3, 0.4, 0.5, 0.9)
		}},
		"the loss (train.loss) is poisson": {premiums(120, "error"), func(r *recipe.Recipe) { r.Train.Loss = "poisson" }},
		"principal components":             {premiums(120, "error"), func(r *recipe.Recipe) { r.Model.PCA = 3 }},
		"a monotone column (model.monotone) has levels in an order": {premiums(120, "error"), func(r *recipe.Recipe) {
			r.Model.Monotone = recipe.Monotone{"grade": {recipe.AllTargets: 1}}
		}},
	} {
		r := recipe.Readable()
		c.change(&r)
		r.Train.Race, r.Train.Iterations = []recipe.Setting{{"membership": "sigmoid", "iterations": 5}}, 5
		result, err := ensemble.Run{Recipe: r}.Train(t.Context(), c.d, nil)
		testenv.OK(t, err)
		if result.Model.Pages != nil || !strings.Contains(result.StartNotes, "no page") || !strings.Contains(result.StartNotes, why) ||
			result.Model.RuleBase.Shape.Name() != "sigmoid" {
			t.Errorf("%s: note %q, shape %s", why, result.StartNotes, result.Model.RuleBase.Shape.Name())
		}
		r.Model.Init, r.Train.Race = recipe.Tree, []recipe.Setting{{"init": "page", "membership": "ramp"}, {"iterations": 4}}
		_, err = ensemble.Run{Recipe: r}.Train(t.Context(), c.d, nil)
		testenv.FailsAs[*recipe.Error](t, err, why, "a page in a race")
	}
	d, r := premiums(120, "error"), recipe.Readable()
	r.Model.Init, r.Model.Membership, r.Train.Race = recipe.Tree, shape("sigmoid"), []recipe.Setting{{"init": "page", "membership": "ramp"},
		{"iterations": 3, "rules": 1}}
	result := testenv.Must(ensemble.Run{Recipe: r}.Train(t.Context(), d, nil))
	if result.Model.Pages == nil || len(result.Race) != 2 {
		t.Errorf("a race of a page and one rule: %+v", result.Race)
	}
	r.Prune.Rounds = 1
	_, err := ensemble.Run{Recipe: r}.Prune(t.Context(), result.Model, d, nil)
	testenv.FailsAs[*recipe.Error](t, err, "exclude each other", "pruning")
}
