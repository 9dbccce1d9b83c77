package tune

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

func stability(t testing.TB, o recipe.Recipe, so StabilityOptions) *Dependence {
	t.Helper()
	parts := testenv.Must(data.Source{Builtin: "friedman1"}.Load(context.Background()))
	d := testenv.Must(Stability(context.Background(), parts.Train, parts.Test, o, so))
	return d
}

func friedmanOptions() recipe.Recipe {
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 8, 500
	return o
}

func TestStability(t *testing.T) {
	d := stability(t, friedmanOptions(), StabilityOptions{Seeds: 4, Workers: 1})
	if !reflect.DeepEqual(d, stability(t, friedmanOptions(), StabilityOptions{Seeds: 4, Workers: 2})) {
		t.Error("two workers give another result than one")
	}
	if !reflect.DeepEqual(d.Seeds, []uint64{1, 2, 3, 4}) || d.Samples != 300 {
		t.Errorf("%+v", d)
	}
	if !(d.Difference > 0.01 && d.Difference < d.MaxDifference && d.MaxDifference < 0.5) {
		t.Errorf("difference %v, at most %v", d.Difference, d.MaxDifference)
	}
	if r := d.Rules; !(r.MinShare <= r.Share && r.Share <= 1 && r.Similarity > 0 && r.Similarity < 1) {
		t.Errorf("%+v", r)
	}
	// x4 enters as 10 x4: 9 from the 5% to the 95% quantile; x6 to x10 do not enter.
	if c := d.Curves[0]; c.Feature != "x4" || math.Abs(c.Range-9) > 1.5 || !(c.Spread < 1) {
		t.Errorf("%+v", c)
	}
	if c := d.Curves[9]; c.Range > 1 {
		t.Errorf("%+v", c)
	}
}

// A committee depends less on its seed than a single model; it has no rules to
// match.
func TestCommitteeIsMoreStable(t *testing.T) {
	testenv.SkipRace(t)
	o := friedmanOptions()
	single := stability(t, o, StabilityOptions{Seeds: 3})
	o.Train.Members = 5
	committee := stability(t, o, StabilityOptions{Seeds: 3})
	if !(committee.Difference < 0.8*single.Difference) || committee.Rules != nil {
		t.Errorf("%+v; a single model %v", committee, single.Difference)
	}
}

// The same rules in another order match, all of them.
func TestMatchRules(t *testing.T) {
	d := friedman().Train
	base, _ := small()
	base.Model.Rules, base.Train.Iterations = 6, 200
	r := testenv.Must(ensemble.Run{Recipe: base}.Train(context.Background(), d, nil))
	turned := *r.Model
	turned.RuleBase = r.Model.RuleBase.Clone()
	for _, rows := range append(turned.RuleBase.Antecedents, turned.RuleBase.Consequents) {
		for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	m := testenv.Must(matchRules([]*model.Model{r.Model, &turned}, d))
	if m.Share != 1 || m.MinShare != 1 || math.Abs(m.Similarity-1) > 1e-12 {
		t.Errorf("%+v", m)
	}
}

func TestMatch(t *testing.T) {
	a := [][]float64{{1, 0}, {0.5, 0.5}}       // [N][R]
	b := [][]float64{{0.5, 0.5, 0}, {0, 0, 1}} // a model of three rules
	want := [][]float64{{0.5 / 1.5, 0.5 / 1.5, 0.5 / 2}, {0, 0, 0.5 / 1}}
	got := similarities(a, b, nil)
	for i := range want {
		for j := range want[i] {
			if math.Abs(got[i][j]-want[i][j]) > 1e-15 {
				t.Errorf("similarities %v, want %v", got, want)
			}
		}
	}
	if found := match(got); !reflect.DeepEqual(found, []float64{0.5, 0.5 / 1.5}) {
		t.Errorf("matched at %v", found)
	}
}

func TestStabilityRefused(t *testing.T) {
	d := friedman().Train
	var option *recipe.Error
	if _, err := Stability(context.Background(), d, nil, friedmanOptions(), StabilityOptions{Seeds: 1}); !errors.As(err, &option) {
		t.Error(err)
	}
	o := friedmanOptions()
	o.Train.Optimizer = "sgd"
	o.Train.Solver.Set("learning_rate", 1e6)
	if _, err := Stability(context.Background(), d, nil, o, StabilityOptions{}); err == nil {
		t.Error("training diverges, and there is no error")
	}
	flat := d.Subset(seq(d.Len()))
	clear(flat.Y)
	var fault *data.Error
	if _, err := Stability(context.Background(), flat, nil, friedmanOptions(), StabilityOptions{}); !errors.As(err, &fault) {
		t.Error(err)
	}
}

// TestCurvesOfRareLevels: a column whose rare level makes up 3% of the rows, as a number, as a
// one-hot column and as one mostly zero has the range of all its values; rows of two levels at a time, or of none, are not
// asked for.
func TestCurvesOfRareLevels(t *testing.T) {
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "on", Encoding: data.Numeric},
		{Name: "kind", Encoding: data.OneHot, Levels: []string{"a", "b", "c"}},
		{Name: "rain", Encoding: data.Numeric},
	}}}
	for n := range 400 {
		row := []float64{1, 1, 0, 0, 0}
		if n%33 == 0 {
			row[0] = 0
		}
		if n%31 == 1 {
			row[1], row[2] = 0, 1
		}
		if n%32 == 2 {
			row[4] = 1 + float64(n)/100
		}
		d.X, d.Y = append(d.X, row), append(d.Y, 10*row[0]+20*row[2]+5*row[4])
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	slopes := []float64{10, 0, 20, 5} // kind's c is not used
	w := []float64{0}
	for i, f := range p.Used() {
		w = append(w, slopes[i]*f.SD)
	}
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, SpreadFloor: 1e-3, Parameters: rules.NewParameters(2, 1, len(p.Used()))}
	for m := range p.Used() {
		rb.Antecedents[1][0][m] = 1
	}
	copy(rb.Consequents[0], w)
	m := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	without := d.Subset([]int{3, 4, 5, 6}) // rare levels aside
	for _, at := range []*data.Dataset{d, without} {
		found := testenv.Must(curves([]*model.Model{m, m}, at))
		got := map[string]float64{}
		for _, c := range found {
			got[c.Feature] = math.Round(c.Range)
		}
		if got["rain"] < 15 || got["on"] != 10 || got["kind"] != 20 || len(got) != 3 {
			t.Errorf("%d samples: ranges %v, want 10, 20 and up to 25", at.Len(), got)
		}
	}
}

// TestStabilityOfClasses: classes and probabilities of models are compared, and curves are
// probabilities.
func TestStabilityOfClasses(t *testing.T) {
	d, _, err := data.Builtin("iris")
	if err != nil {
		t.Fatal(err)
	}
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 4, 60
	s := testenv.Must(Stability(context.Background(), d, nil, o, StabilityOptions{Seeds: 3}))
	if s.Metric != "log loss" || !(s.Loss > 0 && s.Loss < math.Log(3)) || s.Target != 0 {
		t.Errorf("%s %v, sd of the target %v", s.Metric, s.Loss, s.Target)
	}
	if v := s.TotalVariation; v == nil || !(*v > 0 && *v < 0.3) || !(s.Difference <= s.MaxDifference && s.MaxDifference < 0.2) {
		t.Errorf("%+v", s)
	}
	for _, c := range s.Curves {
		if !(c.Range >= 0 && c.Range <= 1) {
			t.Errorf("%+v", c)
		}
	}
}

// TestDifferences compares differences of predictions with values computed by hand.
func TestDifferences(t *testing.T) {
	d := Dependence{Target: 2}
	plain := func(values ...float64) model.Predictions { return model.Predictions{Values: values} }
	if got := d.difference(&model.Model{}, plain(1, 2), plain(1, 6), nil); math.Abs(got-math.Sqrt(8)/2) > 1e-15 {
		t.Errorf("plain: %v", got)
	}
	a, b := [][]float64{{0, 0}, {0, 0}}, [][]float64{{3, 3}, {10, 10}}
	targets := &model.Model{Preprocessing: model.Preprocessing{Schema: data.Schema{Others: make([]data.Other, 1)},
		Response: model.Response{Targets: []model.Target{{SD: 3}, {SD: 5}}, Weights: []float64{3, 1}}}}
	if got := d.difference(targets, model.Predictions{Outputs: a}, model.Predictions{Outputs: b},
		nil); math.Abs(got-math.Sqrt((3*1+4)/4.)) > 1e-15 {
		t.Errorf("two targets: %v", got)
	}
	if got := reclassified([]float64{0, 1, 2}, []float64{0, 2, 2}, []float64{1, 2, 1}); got != 0.5 {
		t.Errorf("classes: %v", got)
	}
	if got := totalVariation([][]float64{{1, 0.5}, {0, 0.5}}, [][]float64{{0, 0.25}, {1, 0.75}}, nil); got != 0.625 {
		t.Errorf("total variation: %v", got)
	}
}
