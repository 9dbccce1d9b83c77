package ensemble_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// onGrid are options of MBGD-RDA, the original algorithm.
func onGrid(name, engine string) recipe.Recipe {
	o := quick()
	o.Model.Init, o.Model.Rules, o.Model.Membership, o.Model.Engine = "grid", 0, shape(name), engine
	return o
}

// fromTree are options of up to eight rules from a tree.
func fromTree(name string) recipe.Recipe {
	o := quick()
	o.Model.Init, o.Model.Rules, o.Model.Membership = recipe.Tree, 8, shape(name)
	return o
}

// TestTreeKeepsItsBorders: after updates by every optimizer, on both engines, of spreads and of their logarithms, rules on both sides
// of a split of a tree still have equal borders, to the bit, and rules of a grid share their membership functions. All have moved.
func TestTreeKeepsItsBorders(t *testing.T) {
	testenv.SkipRace(t)
	d := table(150)
	for i, engine := range []string{"fused", "autodiff"} {
		for j, optimizer := range []string{"adabound", "anfis", "sgd", "adam"} {
			starts := map[string]recipe.Recipe{"tree": fromTree("sigmoid"), "tree, logarithms": fromTree("sigmoid")}
			for _, name := range testenv.Draw([]string{"gaussian", "trapezoid", "gbell"}, 3, 2, i+j) {
				starts["grid of "+name] = onGrid(name, engine)
			}
			for name, o := range starts {
				name += ", " + engine + ", " + optimizer
				o.Model.Engine, o.Train.Optimizer, o.Train.LogSpreads = engine, optimizer, strings.Contains(name, "logarithms")
				if optimizer == "anfis" {
					o.Train.Batch = 0
				}
				r := train(t, d, nil, o)
				rb := r.Model.RuleBase
				o.Train.Iterations = 1
				start := train(t, d, nil, o).Model.RuleBase
				shared := 6 * len(rb.Antecedents)
				if o.Model.Init == recipe.Tree {
					shared = 2 * len(rb.Splits)
					stillFlat(t, name, start, rb)
				}
				if rb.Rules() < 3 || len(rb.Shared()) != shared || r.Start != nil || o.Model.Init == recipe.Tree && len(rb.Splits) != rb.Rules()-1 {
					t.Fatalf("%s: %d rules, splits %v, shared %v", name, rb.Rules(), rb.Splits, rb.Shared())
				}
				stillShared(t, name, start, rb)
			}
		}
	}
}

// stillShared checks that copies of shared parameters are equal, to the bit, and that at
// least one parameter of each function moved.
func stillShared(t *testing.T, name string, start, rb *rules.RuleBase) {
	t.Helper()
	moved := map[[2]int]bool{} // by rule and feature
	for _, group := range rb.Shared() {
		first := group[0]
		for _, e := range group[1:] {
			if v, w := *rb.At(first), *rb.At(e); math.Float64bits(v) != math.Float64bits(w) {
				t.Errorf("%s: %v of %v, %v of %v", name, v, first, w, e)
			}
		}
		at := [2]int{first.Rule, first.Feature}
		moved[at] = moved[at] || *rb.At(first) != *start.At(first)
	}
	for at, moved := range moved {
		if !moved {
			t.Errorf("%s: the function of rule %d on feature %d did not move", name, at[0], at[1])
		}
	}
}

// stillFlat checks that the sides that were open are, and no others: of a flat function
// both.
func stillFlat(t *testing.T, name string, start, rb *rules.RuleBase) {
	t.Helper()
	open := func(rb *rules.RuleBase, r, m int) [2]bool {
		g := []float64{-1e6, 1e6}
		rb.Shape.Grades(g, g, rb.Function(make([]float64, len(rb.Antecedents)), r, m))
		return [2]bool{g[0] == 1, g[1] == 1}
	}
	for r := range rb.Rules() {
		for m := range rb.Features() {
			if got, want := open(rb, r, m), open(start, r, m); got != want {
				t.Errorf("%s: rule %d on feature %d: open below and above %t, %t before", name, r, m, got, want)
			}
		}
	}
}

// TestGridIsSavedAndPruned: saving, pruning and continued training keep ties.
func TestGridIsSavedAndPruned(t *testing.T) {
	d, o := table(120), onGrid("gaussian", "auto")
	m := train(t, d, nil, o).Model
	o.Model.Init = saved(t, m)
	if got := len(train(t, d, nil, o).Model.RuleBase.Shared()); got != 12 {
		t.Errorf("%d shared parameters after continuing, want 12", got)
	}
	p := prune(t, m, d, 20, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3})
	if rb := p.Model.RuleBase; rb.Rules() >= 8 || rb.Validate() != nil {
		t.Errorf("%d rules: %v", rb.Rules(), rb.Validate())
	}
}

func TestGridOptions(t *testing.T) {
	for _, c := range []struct {
		features, rules, pca int
		key, want            string // of the error
	}{
		{features: 3},
		{features: 3, rules: 8},
		{3, 32, 0, "model.rules", "32, but a grid over 3 inputs has 2^3 = 8: leave it out"},
		{features: 8, pca: 5},
		{features: 8, rules: 32, pca: 5},
		{features: 4, rules: 16, pca: 5}, // no more features than components
		{13, 0, 0, "model.init", "a grid over 13 inputs would have 2^13 rules; it is limited to 12 inputs: set data.pca"},
	} {
		o := quick()
		o.Model.Init, o.Model.Rules, o.Model.PCA, o.Train.Iterations = "grid", c.rules, c.pca, 2
		err := fails(wide(60, c.features, 0.3), o)
		var option *recipe.Error
		if c.key == "" && err != nil || c.key != "" && (!errors.As(err, &option) || option.Key != c.key ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// components returns the model of a training with some principal components.
func components(t *testing.T, d *data.Dataset, k int) *model.Model {
	t.Helper()
	o := quick()
	o.Model.PCA = k
	return train(t, d, nil, o).Model
}

// TestComponentsByHand: of two features of correlation r the first component is
// (z1+z2)/sqrt 2 of variance 1+r or, if r is negative, (z1-z2)/sqrt 2 of variance 1-r:
// of two loadings alike the first is positive.
func TestComponentsByHand(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		// Deviations -2 -1 0 1 2 and -1 -2 0 2 1: r = (2+2+0+2+2)/10 = 0.8.
		var x [][]float64
		for i, a := range []float64{-2, -1, 0, 1, 2} {
			x = append(x, []float64{100 + 5*a, sign * []float64{-1, -2, 0, 2, 1}[i]})
		}
		m := components(t, testenv.Must(data.New([]string{"a", "b"}, "y", x, []float64{1, 2, 3, 4, 5})), 1)
		c, half, high := m.Components[0], math.Sqrt(0.5), 3/math.Sqrt(2.5)*math.Sqrt(0.5)
		for _, of := range [][2]float64{{c.Loadings[0], half}, {c.Loadings[1], sign * half}, {c.SD, math.Sqrt(1.8)}, {c.Max, high},
			{c.Min, -high}} {
			if len(m.Components) != 1 || math.Abs(of[0]-of[1]) > 1e-12 {
				t.Errorf("correlation %v: %v, want %v in %+v", sign*0.8, of[0], of[1], m.Components)
			}
		}
	}
}

// TestComponents: components are orthogonal, their variances add up, the largest
// loading is positive, and a feature and its copy have the same loadings.
func TestComponents(t *testing.T) {
	x := [][]float64{{0, 0}, {2, 2}, {4, 4}, {0, 4}, {4, 0}, {1, 1}, {3, 3}, {2, 2}}
	for i := range x {
		x[i] = []float64{x[i][0], 10 * x[i][1], 3 * x[i][0], float64(i % 2)}
	}
	d := testenv.Must(data.New([]string{"a", "b", "three a", "odd"}, "y", x, []float64{1, 2, 3, 4, 5, 6, 7, 8}))
	m := components(t, d, 3)
	// a and its copy are one direction: of four features three components vary.
	if len(m.Components) != 3 || m.RuleBase.Features() != 3 {
		t.Fatalf("components %+v", m.Components)
	}
	total := 0.0
	for i, c := range m.Components {
		total += c.SD * c.SD
		for j, other := range m.Components {
			dot := 0.0
			for k := range c.Loadings {
				dot += c.Loadings[k] * other.Loadings[k]
			}
			if want := map[bool]float64{true: 1}[i == j]; math.Abs(dot-want) > 1e-12 {
				t.Errorf("components %d and %d: product %v", i, j, dot)
			}
		}
		largest := slices.MaxFunc(c.Loadings, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) })
		if largest < 0 || math.Abs(c.Loadings[0]-c.Loadings[2]) > 1e-12 {
			t.Errorf("component %d: loadings %v: of a feature and its copy the same, the largest positive", i, c.Loadings)
		}
	}
	if math.Abs(total-4) > 1e-12 {
		t.Errorf("variances add up to %v, want that of four standardised features", total)
	}
	m = components(t, d, 1)
	scaled := testenv.Must(m.Scale(x))
	low, high, squares := math.Inf(1), math.Inf(-1), 0.0
	for _, row := range scaled {
		low, high, squares = min(low, row[0]), max(high, row[0]), squares+row[0]*row[0]
	}
	c := m.Components[0]
	if len(scaled[0]) != 1 || low != c.Min || high != c.Max || math.Abs(squares/7-c.SD*c.SD) > 1e-12 {
		t.Errorf("scores from %v to %v, variance %v; component %+v", low, high, squares/7, c)
	}
}

// TestComponentsComeFromTheTrainingPart: other samples do not affect the
// components; negating a feature changes only signs.
func TestComponentsComeFromTheTrainingPart(t *testing.T) {
	d := wide(200, 7, 0.3)
	first := d.Subset(upTo(120))
	want := components(t, first, 2)
	for i := 120; i < 200; i++ {
		for m := range d.X[i] {
			d.X[i][m] *= 1e3
		}
	}
	o := quick()
	o.Model.PCA = 2
	m := train(t, first, d.Subset([]int{120, 130, 140}), o).Model
	for _, row := range first.X {
		row[1] = -row[1]
	}
	turned := components(t, first, 2)
	for k, c := range want.Components {
		if !slices.Equal(m.Components[k].Loadings, c.Loadings) {
			t.Errorf("component %d: %v with another validation part, %v without", k, m.Components[k].Loadings, c.Loadings)
		}
		for j, w := range c.Loadings {
			if v := turned.Components[k].Loadings[j]; math.Abs(math.Abs(v)-math.Abs(w)) > 1e-9 {
				t.Errorf("component %d, loading %d: %v, was %v", k, j, v, w)
			}
		}
	}
	// No more features than components: the features themselves. Collinear features have fewer components than requested.
	if m := components(t, first, 7); m.Components != nil || m.RuleBase.Features() != 7 {
		t.Errorf("%d components of 7 features", len(m.Components))
	}
	if m := components(t, wide(60, 7, 0), 5); len(m.Components) != 2 {
		t.Errorf("%d components of features that lie in a plane", len(m.Components))
	}
}

// TestComponentsAreTheModels: continued training keeps the components of the model.
func TestComponentsAreTheModels(t *testing.T) {
	d := wide(80, 7, 0.3)
	m := components(t, d, 3)
	o := quick()
	o.Model.Init, o.Model.Rules = saved(t, m), 0
	for _, o.Model.PCA = range []int{0, 3} {
		if got := train(t, d, nil, o).Model; len(got.Components) != 3 {
			t.Errorf("%d components", len(got.Components))
		}
	}
	o.Model.PCA = 2
	var option *recipe.Error
	if err := fails(d, o); !errors.As(err, &option) || option.Key != "data.pca" {
		t.Errorf("other components than the model's: %v", err)
	}
	again := testenv.Must(recipe.Of(m))
	again.Train.Iterations = 5
	if path, err := (ensemble.Run{Recipe: again}).PrunePath(t.Context(), m, d, nil, 3); err != nil || len(path.Steps) != 2 ||
		again.Model.PCA != 0 {
		t.Errorf("pruning with %+v: %v", again.Model, err)
	}
}

// TestGenfisStartsAtThePlane: the initial model equals least squares.
func TestGenfisStartsAtThePlane(t *testing.T) {
	d, o := table(150), quick()
	o.Model.Init, o.Train.Optimizer, o.Train.Iterations = "genfis", "sgd", 1
	o.Train.Solver.Set("learning_rate", 1e-12)
	m := train(t, d, nil, o).Model
	b := testenv.Must(baseline.Measure(t.Context(), m, d, d))
	if e := rmse(t, m, d); math.Abs(e-b.Linear.RMSE) > 1e-9 {
		t.Errorf("RMSE %v, of least squares %v", e, b.Linear.RMSE)
	}
	if floor := m.RuleBase.SpreadFloor; !(floor > 0) || m.Training.Options["model.init"] != "genfis" {
		t.Errorf("floor %v, options %v", floor, m.Training.Options)
	}
}

// TestTreeRounds: rounding keeps borders equal and open.
func TestTreeRounds(t *testing.T) {
	d, o := table(300), fromTree("sigmoid")
	whole := train(t, d, nil, o).Model.RuleBase
	for o.Model.Round = 1; o.Model.Round <= 3; o.Model.Round++ {
		rb := train(t, d, nil, o).Model.RuleBase
		stillShared(t, "rounded", whole, rb)
		stillFlat(t, "rounded", whole, rb)
	}
}

// TestTreeStaysShort: training, pruning and continued training keep flat functions of every
// shape flat, and open sides open.
func TestTreeStaysShort(t *testing.T) {
	testenv.SkipRace(t)
	d := table(150)
	for _, name := range membership.Names() {
		o := fromTree(name)
		o.Train.LogSpreads, o.Train.Iterations = true, 1
		start := train(t, d, nil, o).Model.RuleBase
		o.Train.Iterations = 40
		m := train(t, d, nil, o).Model
		rb := m.RuleBase
		if !(rb.Length(nil) < 3) {
			t.Errorf("%s: %v conditions per rule", name, rb.Length(nil))
		}
		stillFlat(t, name, start, rb)
		o.Model.Init, o.Model.Rules = saved(t, m), 0
		again := train(t, d, nil, o).Model.RuleBase
		stillFlat(t, name+", continued", rb, again)
		if !reflect.DeepEqual(again.Splits, rb.Splits) {
			t.Errorf("%s: splits %v after continuing, %v before", name, again.Splits, rb.Splits)
		}
		pruned := prune(t, m, d, 20, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}).Model.RuleBase
		if pruned.Rules() >= rb.Rules() || pruned.Validate() != nil || pruned.Length(nil) > rb.Length(nil)+0.5 {
			t.Errorf("%s: %d rules, %v conditions per rule: %v", name, pruned.Rules(), pruned.Length(nil), pruned.Validate())
		}
	}
}

// TestStart: a training that starts from the clusters of another one has the same result as
// if it had computed them.
func TestStart(t *testing.T) {
	d, o := table(200), quick()
	first := train(t, d, nil, o)
	o.Prune.Rounds = 2
	alone := encoded(t, train(t, d, nil, o).Model)
	run := ensemble.Run{Recipe: o, Start: first.Start}
	if encoded(t, train(t, d, nil, run).Model) != alone {
		t.Error("the clusters of another training gave a different model")
	}
	run.Start.Centers[0][0] += 0.5
	if encoded(t, train(t, d, nil, run).Model) == alone {
		t.Error("a start that was moved gave the same model")
	}
	if _, err := run.Prune(t.Context(), first.Model, d, nil); err == nil {
		t.Error("Prune accepted a Start")
	}
	run.Recipe.Model.Rules = 3
	var option *recipe.Error
	if _, err := run.Train(t.Context(), d, nil); !errors.As(err, &option) || option.Key != "model.init" {
		t.Errorf("a start of 4 clusters for 3 rules: error %v", err)
	}
}
