package ensemble

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// scored is a candidate with squared errors, by split.
func scored(rmse float64, squares ...[]float64) *candidate {
	return &candidate{RaceScore: RaceScore{Loss: rmse}, losses: squares}
}

// TestBest compares the candidates that stay with those computed by hand.
func TestBest(t *testing.T) {
	first := scored(1, []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0})
	for name, c := range map[string]struct {
		other   *candidate
		over    float64
		sd      float64
		ratio   float64
		remains bool
	}{
		// Differences of variance 4/3 within a split, 1/3 of its mean; the means agree.
		"the samples within the splits": {scored(2, []float64{0, 2, 0, 2}, []float64{2, 0, 2, 0}), 1, math.Sqrt(1.0 / 3), 0, false},
		// Two standard errors: 0.82 of independent splits, 1.15 corrected for splits that overlap.
		"the samples, overlapping": {scored(2, []float64{0, 2, 0, 2}, []float64{2, 0, 2, 0}), 1, math.Sqrt(1.0 / 3), 0.5, true},
		// Means 1 and 3.
		"the splits":               {scored(2, []float64{1, 1, 1, 1}, []float64{3, 3, 3, 3}), 2, math.Sqrt2, 0, true},
		"the splits, nearly alike": {scored(2, []float64{2.8, 2.8, 2.8, 2.8}, []float64{3, 3, 3, 3}), 2.9, math.Sqrt(0.02), 0.25, false},
		"one split":                {scored(2, []float64{1, 1, 1, 4}), 1.75, 0.75, 0.5, true},
		"one sample":               {scored(2, []float64{5}), 5, math.NaN(), 0.25, true},
	} {
		over, sd := c.other.over(first)
		if math.Abs(over-c.over) > 1e-12 || !(math.Abs(sd-c.sd) < 1e-12) && !math.IsNaN(c.sd) {
			t.Errorf("%s: behind by %v, standard deviation %v, want %v and %v", name, over, sd, c.over, c.sd)
		}
		if left := best([]*candidate{c.other, first}, 0, c.ratio); left[0] != first || slices.Contains(left, c.other) != c.remains {
			t.Errorf("%s: %d are left", name, len(left))
		}
	}
}

// TestBestWithFidelity checks that candidates beyond the limit of fidelity rank after the
// others, by their fidelity, and that without a limit only the error counts.
func TestBestWithFidelity(t *testing.T) {
	var all []*candidate
	for _, f := range []struct{ rmse, fidelity float64 }{{3, 1.1}, {1, 4}, {2, 1.05}, {1.5, 2}} {
		c := scored(f.rmse, []float64{f.rmse, f.rmse * 100})
		c.Fidelity = f.fidelity
		all = append(all, c)
	}
	for limit, want := range map[float64][]float64{1.15: {2, 3, 1.5, 1}, 1: {2, 3, 1.5, 1}, 0: {1, 1.5, 2, 3}} {
		var got []float64
		for _, c := range best(all, limit, 0.25) {
			got = append(got, c.Loss)
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %v: order of errors %v, want %v", limit, got, want)
		}
	}
}

// TestMeasure checks the figure of the criterion and the fidelity against values computed by hand.
func TestMeasure(t *testing.T) {
	nan, numbers, classes := math.NaN(), data.Schema{}, data.Schema{Classes: []string{"a", "b"}}
	for name, c := range map[string]struct {
		target         data.Schema
		losses, alone  [][]float64
		loss, fidelity float64
	}{
		"two splits":                {numbers, [][]float64{{1, 1}, {2}}, [][]float64{{4, 4}, {8}}, 2 * math.Sqrt(4./3), 2},
		"one not covered":           {numbers, [][]float64{{1, 9}}, [][]float64{{4, nan}}, 2 * math.Sqrt(5), 2},
		"none covered":              {numbers, [][]float64{{1}}, [][]float64{{nan}}, 2, math.Inf(1)},
		"exact":                     {numbers, [][]float64{{0}}, [][]float64{{0}}, 0, 1},
		"exact but no rule":         {numbers, [][]float64{{0}}, [][]float64{{4}}, 0, math.Inf(1)},
		"classes: no root, no unit": {classes, [][]float64{{1, 2}}, [][]float64{{2, 4}}, 1.5, 2},
	} {
		got := &candidate{losses: c.losses, alone: c.alone}
		got.measure(testenv.Must(model.CriterionOf("mean", c.target)), 2)
		if math.Abs(got.Loss-c.loss) > 1e-12 || got.Fidelity != c.fidelity || got.Splits != len(c.losses) {
			t.Errorf("%s: figure %v, fidelity %v, want %v and %v", name, got.Loss, got.Fidelity, c.loss, c.fidelity)
		}
	}
}

// TestPreferSimple checks which of the candidates, best first, comes first, and that the
// others keep their order.
func TestPreferSimple(t *testing.T) {
	type entry struct {
		rmse, fidelity float64
		curves         string
		rules          int
	}
	for name, c := range map[string]struct {
		limit      float64
		candidates []entry
		want       []float64 // RMSE
	}{
		"fewer curves within 1%": {0, []entry{{1, 1, "own", 32}, {1.005, 1, "shared", 32}, {1.009, 3, "none", 32}}, []float64{1.009, 1, 1.005}},
		"beyond 1%":              {0, []entry{{1, 1, "own", 32}, {1.009, 1, "shared", 32}, {1.011, 1, "none", 32}}, []float64{1.009, 1, 1.011}},
		"better fidelity": {0, []entry{{1, 2, "none", 32}, {1.002, 1.2, "none", 32}, {1.003, 1.1, "shared", 32}},
			[]float64{1.002, 1, 1.003}},
		"the best is simplest": {0, []entry{{1, 1.1, "none", 32}, {1, 1.1, "none", 32}, {1.001, 1, "shared", 32}}, []float64{1, 1, 1.001}},
		"one beyond the limit": {1.15, []entry{{1, 1.1, "own", 32}, {0.9, 1.2, "none", 32}}, []float64{1, 0.9}},
		"all beyond the limit": {1.15, []entry{{1, 1.2, "own", 32}, {0.9, 1.3, "none", 32}}, []float64{1, 0.9}},
		"a single rule":        {0, []entry{{1, 1, "none", 32}, {1.005, 1, "shared", 1}, {1.006, 1, "none", 2}}, []float64{1.005, 1, 1.006}},
		"a grid is none":       {0, []entry{{1, 1, "none", 32}, {1.005, 2, "none", 0}}, []float64{1, 1.005}},
		"one":                  {0, []entry{{1, 1, "own", 32}}, []float64{1}},
	} {
		var candidates []*candidate
		for _, e := range c.candidates {
			one := scored(e.rmse)
			one.Fidelity, one.recipe.Model.Curves, one.recipe.Model.Rules = e.fidelity, e.curves, e.rules
			candidates = append(candidates, one)
		}
		preferSimple(candidates, c.limit)
		var got []float64
		for _, one := range candidates {
			got = append(got, one.Loss)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: order of errors %v, want %v", name, got, c.want)
		}
	}
}

// TestRaceScoreJSON checks that a score is read as it was written, with the name
// of the metric.
func TestRaceScoreJSON(t *testing.T) {
	for _, c := range []struct {
		score RaceScore
		want  string
	}{
		{RaceScore{Setting: recipe.Setting{"rules": 3.0}, Metric: "RMSE", Loss: 2, Fidelity: 1, Splits: 1},
			`{"rules":3,"metric":"RMSE","loss":2,"fidelity":1,"splits":1}`},
		{RaceScore{Setting: recipe.Setting{}, Metric: "log loss", Loss: 0.5, Fidelity: 1, Splits: 1},
			`{"metric":"log loss","loss":0.5,"fidelity":1,"splits":1}`},
	} {
		text, err := json.Marshal(c.score)
		var back RaceScore
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || string(text) != c.want || back.Metric != c.score.Metric || back.Loss != c.score.Loss ||
			len(back.Setting) != len(c.score.Setting) {
			t.Errorf("%s, read as %+v, %v; want %s", text, back, err, c.want)
		}
	}
}

// fieldOf returns a race of n candidates, of which none can be told apart: candidate k errs
// k percent more than the first.
func fieldOf(n, splits, members int) *racer {
	r := &racer{splits: make([]data.Fold, splits)}
	for i := range r.splits {
		r.splits[i] = data.Fold{Train: make([]int, 8), Held: make([]int, 2)}
	}
	r.recipe.Train.Members = members
	for k := range n {
		c := &candidate{}
		c.Loss = 1 + float64(k)/100
		r.all = append(r.all, c)
	}
	r.left = slices.Clone(r.all)
	slices.Reverse(r.left) // keep sorts
	return r
}

// split scores the candidates left on one more split.
func (r *racer) split() {
	r.scored++
	for _, c := range r.left {
		c.losses = append(c.losses, []float64{0, c.Loss * 10})
	}
}

// TestRounds compares the number of candidates on each split with the rule: a fifth stay
// after the first split, at least three, and two later. The number of trainings never exceeds
// the one announced, and reaches it if nobody leaves earlier.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		n, splits, members int
		want               []int
	}{
		{17, 5, 1, []int{17, 4, 2, 2, 2}},
		{40, 4, 1, []int{40, 8, 2, 2}},
		{4, 3, 1, []int{4, 3, 2}},
		{2, 3, 1, []int{2, 2, 2}},
		{14, 4, 6, []int{14, 6, 6, 6}},
		{5, 2, 9, []int{5, 5}},
		{14, 1, 1, []int{14}},
	} {
		r := fieldOf(c.n, c.splits, c.members)
		all, trained := r.ahead(c.splits), 0
		var got []int
		for i := range c.splits {
			got, trained = append(got, len(r.left)), trained+len(r.left)
			r.split()
			r.keep()
			if ahead := r.ahead(c.splits - i - 1); trained+ahead != all {
				t.Errorf("%v: %d trainings after %d splits and %d to come, want %d in all", c, trained, i+1, ahead, all)
			}
			if r.left[0] != r.all[0] {
				t.Errorf("%v: the best one has left after %d splits", c, i+1)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %d candidates by split", c, got)
		}
	}
}

// TestUpdates: a setting makes all of its updates on the last split and fewer on each split before.
func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		own, splits int
		want        []int
	}{
		{4000, 3, []int{500, 1000, 4000}},
		{8001, 5, []int{1000, 1000, 1000, 2000, 8001}},
		{1000, 3, []int{250, 250, 1000}},
		{100, 3, []int{100, 100, 100}},
		{4000, 1, []int{4000}},
	} {
		var got []int
		for i := range c.splits {
			got = append(got, inRound(recipe.Recipe{Train: recipe.Train{Iterations: c.own}}, i, c.splits).Train.Iterations)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d updates on %d splits: %v, want %v", c.own, c.splits, got, c.want)
		}
	}
}

// TestSkippedSplit: all candidates stay until a split could be trained on, with fewer
// trainings in all.
func TestSkippedSplit(t *testing.T) {
	r := fieldOf(9, 3, 1)
	all := r.ahead(3)
	r.keep()
	if len(r.left) != 9 || all != 9+3+2 || r.ahead(2) != 9+3 {
		t.Errorf("%d left, %d trainings to come of %d", len(r.left), r.ahead(2), all)
	}
}

// TestProgress: what is reported rises to the number of all trainings.
func TestProgress(t *testing.T) {
	var reported []int
	p := newProgress(func(done, all int) {
		if all != 5 {
			t.Errorf("%d in all", all)
		}
		reported = append(reported, done)
	}, 5)
	p.advance(1, 0)
	p.advance(0, 1)
	p.advance(1, 0)
	p.advance(0, 4)
	p.advance(1, 0)
	if want := []int{0, 1, 2, 4, 5}; !slices.Equal(reported, want) {
		t.Errorf("reported %v, want %v", reported, want)
	}
	newProgress(nil, math.MaxInt).advance(1, 0)
}
