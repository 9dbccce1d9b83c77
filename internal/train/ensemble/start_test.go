package ensemble_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// onGrid are options of MBGD-RDA, the original algorithm.
func onGrid(shape, engine string, t testing.TB) recipe.Recipe {
	o := quick()
	o.Model.Init, o.Model.Rules, o.Model.Membership, o.Model.Engine = "grid", 0, shapeNamed(t, shape), engine
	return o
}

// TestGridStaysTied: after 50 updates by every optimizer, on both engines, rules that share
// a membership function still have equal parameters, to the bit, which have changed.
func TestGridStaysTied(t *testing.T) {
	testenv.SkipRace(t)
	d := table(t, 120)
	for _, engine := range []string{"fused", "autodiff"} {
		for _, shape := range []string{"gaussian", "trapezoid", "gbell"} {
			for _, optimizer := range []string{"adabound", "anfis", "sgd"} {
				o := onGrid(shape, engine, t)
				o.Train.Optimizer, o.Train.Iterations = optimizer, 50
				if optimizer == "anfis" {
					o.Train.Batch = 0
				}
				r := train(t, d, nil, o)
				rb := r.Model.RuleBase
				if rb.Rules() != 8 || len(rb.Shared()) != 6*len(rb.Antecedents) || r.Start != nil {
					t.Fatalf("%d rules, ties %v", rb.Rules(), rb.Shared())
				}
				o.Train.Iterations = 1
				stillShared(t, engine+", "+shape+", "+optimizer, train(t, d, nil, o).Model.RuleBase, rb)
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

// TestGridIsSavedAndPruned: saving, pruning and continued training keep ties.
func TestGridIsSavedAndPruned(t *testing.T) {
	d := table(t, 120)
	o := onGrid("gaussian", "auto", t)
	m := train(t, d, nil, o).Model
	path := t.TempDir() + "/grid.json"
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	o.Model.Init = path
	r := train(t, d, nil, o)
	if got := len(r.Model.RuleBase.Shared()); got != 12 {
		t.Errorf("%d shared parameters after continuing, want 12", got)
	}
	refine := must(recipe.Of(m))
	refine.Train.Iterations, refine.Prune = 20, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
	p := must(runOf(refine).Prune(context.Background(), m, d, nil))
	if rb := p.Model.RuleBase; rb.Rules() >= 8 || rb.Validate() != nil {
		t.Errorf("%d rules: %v", rb.Rules(), rb.Validate())
	}
}

// wide returns n samples of M features, of which those from 2 on are sums of the
// first two and noise.
func wide(t testing.TB, n, M int, noise float64) *data.Dataset {
	t.Helper()
	d := table(t, n)
	var names []string
	for m := range M {
		names = append(names, fmt.Sprintf("x%d", m))
	}
	x := make([][]float64, n)
	for i, row := range d.X {
		x[i] = make([]float64, M)
		for m := range x[i] {
			angle := float64(m)
			x[i][m] = 10 + float64(m+1)*(math.Cos(angle)*row[0]+math.Sin(angle)*row[1]+noise*math.Sin(float64(i*(m+7))))
		}
	}
	wide := must(data.New(names, "y", x, d.Y))
	return wide
}

func TestGridOptions(t *testing.T) {
	for _, c := range []struct {
		features, rules, pca int
		key, want            string // of the error
	}{
		{3, 0, 0, "", ""},
		{3, 8, 0, "", ""},
		{3, 32, 0, "model.rules", "32, but a grid over 3 inputs has 2^3 = 8: leave it out"},
		{8, 0, 5, "", ""},
		{8, 32, 5, "", ""},
		{4, 16, 5, "", ""}, // no more features than components
		{13, 0, 0, "model.init", "a grid over 13 inputs would have 2^13 rules; it is limited to 12 inputs: set data.pca"},
	} {
		o := quick()
		o.Model.Init, o.Model.Rules, o.Model.PCA, o.Train.Iterations = "grid", c.rules, c.pca, 2
		_, err := runOf(o).Train(context.Background(), wide(t, 60, c.features, 0.3), nil)
		var option *recipe.Error
		switch {
		case c.key == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.key != "" && (!errors.As(err, &option) || option.Key != c.key || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: error %v", c, err)
		}
	}
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
		d := must(data.New([]string{"a", "b"}, "y", x, []float64{1, 2, 3, 4, 5}))
		o := quick()
		o.Model.PCA = 1
		m := train(t, d, nil, o).Model
		c := m.Components[0]
		if len(m.Components) != 1 || math.Abs(c.Loadings[0]-math.Sqrt(0.5)) > 1e-12 || math.Abs(c.Loadings[1]-sign*math.Sqrt(0.5)) > 1e-12 ||
			math.Abs(c.SD-math.Sqrt(1.8)) > 1e-12 {
			t.Errorf("correlation %v: %+v", sign*0.8, m.Components)
		}
		if math.Abs(c.Max-3/math.Sqrt(2.5)*math.Sqrt(0.5)) > 1e-12 || math.Abs(c.Min+c.Max) > 1e-12 {
			t.Errorf("scores from %v to %v", c.Min, c.Max)
		}
	}
}

// TestComponents: components are orthogonal, their variances add up, the largest
// loading is positive, and a feature and its copy have the same loadings.
func TestComponents(t *testing.T) {
	x := [][]float64{{0, 0, 5}, {2, 2, 5}, {4, 4, 5}, {0, 4, 5}, {4, 0, 5}, {1, 1, 5}, {3, 3, 5}, {2, 2, 5}}
	for i := range x {
		x[i] = []float64{x[i][0], 10 * x[i][1], 3 * x[i][0], float64(i % 2)}
	}
	d := must(data.New([]string{"a", "b", "three a", "odd"}, "y", x, []float64{1, 2, 3, 4, 5, 6, 7, 8}))
	o := quick()
	o.Model.PCA = 3
	m := train(t, d, nil, o).Model
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
		if largest < 0 {
			t.Errorf("component %d: the largest loading is %v", i, largest)
		}
		if math.Abs(c.Loadings[0]-c.Loadings[2]) > 1e-12 {
			t.Errorf("component %d: loadings %v of a feature and its copy", i, c.Loadings)
		}
	}
	if math.Abs(total-4) > 1e-12 {
		t.Errorf("variances add up to %v, want that of four standardised features", total)
	}
	o.Model.PCA = 1
	m = train(t, d, nil, o).Model
	scaled := must(m.Scale(x))
	low, high, squares := math.Inf(1), math.Inf(-1), 0.0
	for _, row := range scaled {
		low, high, squares = min(low, row[0]), max(high, row[0]), squares+row[0]*row[0]
	}
	c := m.Components[0]
	if len(scaled[0]) != 1 || low != c.Min || high != c.Max || math.Abs(squares/7-c.SD*c.SD) > 1e-12 {
		t.Errorf("scores from %v to %v, variance %v; component %+v", low, high, squares/7, c)
	}
}

// TestComponentsComeFromTheTrainingPart: other samples and their order do not affect the
// components; negating a feature changes only signs.
func TestComponentsComeFromTheTrainingPart(t *testing.T) {
	d := wide(t, 200, 7, 0.3)
	o := quick()
	o.Model.PCA = 2
	first := d.Subset(firstOf(120))
	want := train(t, first, nil, o).Model
	for i := 120; i < 200; i++ {
		for m := range d.X[i] {
			d.X[i][m] *= 1e3
		}
	}
	m := train(t, first, d.Subset([]int{120, 130, 140}), o).Model
	if len(m.Components) != 2 {
		t.Fatalf("components %+v", m.Components)
	}
	for k, c := range m.Components {
		if !slices.Equal(c.Loadings, want.Components[k].Loadings) {
			t.Errorf("component %d: %v with another validation part, %v without", k, c.Loadings, want.Components[k].Loadings)
		}
	}
	for _, row := range first.X {
		row[1] = -row[1]
	}
	turned := train(t, first, nil, o).Model
	for k, c := range turned.Components {
		for j, v := range c.Loadings {
			if w := want.Components[k].Loadings[j]; math.Abs(math.Abs(v)-math.Abs(w)) > 1e-9 {
				t.Errorf("component %d, loading %d: %v, was %v", k, j, v, w)
			}
		}
	}

	// No more features than components: the features themselves.
	o.Model.PCA = 7
	if m := train(t, first, nil, o).Model; m.Components != nil || m.RuleBase.Features() != 7 {
		t.Errorf("%d components of 7 features", len(m.Components))
	}
	// Collinear features have fewer components than requested.
	o.Model.PCA = 5
	if m := train(t, wide(t, 60, 7, 0), nil, o).Model; len(m.Components) != 2 {
		t.Errorf("%d components of features that lie in a plane", len(m.Components))
	}
}

func firstOf(n int) []int {
	var rows []int
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

// TestComponentsAreTheModels: continued training keeps the components of the model.
func TestComponentsAreTheModels(t *testing.T) {
	d := wide(t, 80, 7, 0.3)
	o := quick()
	o.Model.PCA = 3
	m := train(t, d, nil, o).Model
	path := t.TempDir() + "/pca.json"
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	o.Model.Init, o.Model.Rules = path, 0
	for _, pca := range []int{0, 3} {
		o.Model.PCA = pca
		if got := train(t, d, nil, o).Model; len(got.Components) != 3 {
			t.Errorf("%d components", len(got.Components))
		}
	}
	o.Model.PCA = 2
	var option *recipe.Error
	if _, err := runOf(o).Train(context.Background(), d, nil); !errors.As(err, &option) || option.Key != "data.pca" {
		t.Errorf("other components than the model's: %v", err)
	}
	again, err := recipe.Of(m)
	if err != nil || again.Model.PCA != 0 {
		t.Errorf("options of the model: %+v, %v", again.Model, err)
	}
	again.Train.Iterations = 5
	if path, err := runOf(again).PrunePath(context.Background(), m, d, nil, 3); err != nil || len(path.Steps) != 2 {
		t.Errorf("pruning: %v", err)
	}
}

// TestGenfisStartsAtThePlane: the initial model equals least squares.
func TestGenfisStartsAtThePlane(t *testing.T) {
	d := table(t, 150)
	o := quick()
	o.Model.Init, o.Train.Optimizer, o.Train.Iterations = "genfis", "sgd", 1
	o.Train.Solver.Set("learning_rate", 1e-12)
	m := train(t, d, nil, o).Model
	b := must(baseline.Measure(t.Context(), m, d, d))
	if e, _ := m.Evaluate(t.Context(), d); math.Abs(e.RMSE-b.Linear.RMSE) > 1e-9 {
		t.Errorf("RMSE %v, of least squares %v", e.RMSE, b.Linear.RMSE)
	}
	if floor := m.RuleBase.SpreadFloor; !(floor > 0) || m.Training.Options["model.init"] != "genfis" {
		t.Errorf("floor %v, options %v", floor, m.Training.Options)
	}
}

// fromTree are options of up to eight rules from a tree.
func fromTree(t testing.TB, shape string) recipe.Recipe {
	o := quick()
	o.Model.Init, o.Model.Rules, o.Model.Membership = recipe.Tree, 8, shapeNamed(t, shape)
	return o
}

// TestTreeKeepsItsBorders: after 50 updates by every optimizer, on both engines, of spreads
// and of their logarithms, rules on both sides of a split still have equal borders, to the
// bit, which have moved.
func TestTreeKeepsItsBorders(t *testing.T) {
	testenv.SkipRace(t)
	d := table(t, 300)
	for _, engine := range []string{"fused", "autodiff"} {
		for _, logSpreads := range []bool{false, true} {
			for _, optimizer := range []string{"adabound", "adam", "anfis", "sgd"} {
				o := fromTree(t, "sigmoid")
				o.Model.Engine, o.Train.LogSpreads, o.Train.Optimizer, o.Train.Iterations = engine, logSpreads, optimizer, 50
				if optimizer == "anfis" {
					o.Train.Batch = 0
				}
				rb := train(t, d, nil, o).Model.RuleBase
				o.Train.Iterations = 1
				start := train(t, d, nil, o).Model.RuleBase
				if len(rb.Splits) < 2 || len(rb.Splits) != rb.Rules()-1 || len(rb.Shared()) != 2*len(rb.Splits) {
					t.Fatalf("splits %v, shared %v", rb.Splits, rb.Shared())
				}
				stillShared(t, engine+", "+optimizer, start, rb)
				stillFlat(t, engine+", "+optimizer, start, rb)
			}
		}
	}
}

// TestTreeRounds: rounding keeps borders equal and open.
func TestTreeRounds(t *testing.T) {
	d := table(t, 300)
	o := fromTree(t, "sigmoid")
	whole := train(t, d, nil, o).Model.RuleBase
	for digits := 1; digits <= 3; digits++ {
		o.Model.Round = digits
		rb := train(t, d, nil, o).Model.RuleBase
		stillShared(t, "rounded", whole, rb)
		stillFlat(t, "rounded", whole, rb)
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

// TestTreeStaysShort: training, pruning and continued training keep flat functions of every
// shape flat, and open sides open.
func TestTreeStaysShort(t *testing.T) {
	testenv.SkipRace(t)
	d := table(t, 300)
	for _, name := range membership.Names() {
		o := fromTree(t, name)
		o.Train.LogSpreads = true
		o.Train.Iterations = 1
		start := train(t, d, nil, o).Model.RuleBase
		o.Train.Iterations = 60
		m := train(t, d, nil, o).Model
		rb := m.RuleBase
		if !(rb.Length(nil) < 3) {
			t.Errorf("%s: %v conditions per rule", name, rb.Length(nil))
		}
		stillFlat(t, name, start, rb)
		path := t.TempDir() + "/tree.json"
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		o.Model.Init, o.Model.Rules = path, 0
		again := train(t, d, nil, o).Model.RuleBase
		stillFlat(t, name+", continued", rb, again)
		if !reflect.DeepEqual(again.Splits, rb.Splits) {
			t.Errorf("%s: splits %v after continuing, %v before", name, again.Splits, rb.Splits)
		}
		refine := must(recipe.Of(m))
		refine.Train.Iterations, refine.Prune = 20, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
		p := must(runOf(refine).Prune(context.Background(), m, d, nil))
		if pruned := p.Model.RuleBase; pruned.Rules() >= rb.Rules() || pruned.Validate() != nil || pruned.Length(nil) > rb.Length(nil)+0.5 {
			t.Errorf("%s: %d rules, %v conditions per rule: %v", name, pruned.Rules(), pruned.Length(nil), pruned.Validate())
		}
	}
}
