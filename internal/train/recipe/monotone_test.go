package recipe_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// directed returns a robust recipe with directions.
func directed(of recipe.Monotone) recipe.Recipe {
	r := recipe.Robust()
	r.Model.Monotone = of
	return r
}

// columns is a schema with a number, an ordinal and a one-hot column.
func columns() data.Schema {
	return data.Schema{Target: "y", Columns: []data.Column{
		{Name: "outside", Encoding: data.Numeric},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"S", "L"}},
		{Name: "day", Encoding: data.OneHot, Levels: []string{"mon", "sun"}},
	}}
}

func TestMonotoneOfASchema(t *testing.T) {
	one := columns()
	two := columns()
	two.Others = []data.Other{{Name: "z"}}
	classes := columns()
	classes.Classes = []string{"no", "yes"}
	three := columns()
	three.Classes = []string{"a", "b", "c"}
	all := func(s recipe.Direction) map[string]recipe.Direction {
		return map[string]recipe.Direction{recipe.AllTargets: s}
	}
	for _, c := range []struct {
		schema data.Schema
		of     recipe.Monotone
		want   string
	}{
		{one, recipe.Monotone{"outside": all(-1), "size": {"y": 1}}, ""},
		{one, recipe.Monotone{"outsid": all(1)}, `model.monotone: no column "outsid" among the features; did you mean "outside"?`},
		{one, recipe.Monotone{"wind": all(1)}, `no column "wind" among the features: there are`},
		{one, recipe.Monotone{"day": all(1)}, `column "day" has categories without an order`},
		{one, recipe.Monotone{"day=mon": all(1)}, `column "day=mon" has categories without an order`},
		{one, recipe.Monotone{"outside": {"z": 1}}, `column "outside": no target "z"`},
		{two, recipe.Monotone{"outside": {"z": 1, recipe.AllTargets: -1}}, ""},
		{classes, recipe.Monotone{"outside": {"no": 1}}, ""},
		{classes, recipe.Monotone{"outside": all(-1)}, "say for which, such as {outside: {yes: decreasing}}"},
		{classes, recipe.Monotone{"outside": {"no": 1, "yes": -1}}, "the other follows"},
		{classes, recipe.Monotone{"outside": {"yep": 1}}, `no class "yep"; did you mean "yes"?`},
		{three, recipe.Monotone{"outside": {"a": 1}}, "one softmax"},
	} {
		d := &data.Dataset{Schema: c.schema, X: [][]float64{{1, 2, 1, 0}, {2, 1, 0, 1}}, Y: []float64{0, 1}}
		for range c.schema.Others {
			d.Others = append(d.Others, []float64{1, 2})
		}
		err := recipe.CheckTarget(directed(c.of), d)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.of, err, c.want)
		}
	}
}

// TestMonotoneTogether: what has no slopes of columns, or no flat functions, refuses directions.
func TestMonotoneTogether(t *testing.T) {
	for want, change := range map[string]func(r *recipe.Recipe){
		"data.pca":         func(r *recipe.Recipe) { r.Model.PCA, r.Model.Transform = 2, "none" },
		"model.order":      func(r *recipe.Recipe) { r.Model.Order = 0 },
		"model.init":       func(r *recipe.Recipe) { r.Model.Init, r.Model.Rules = recipe.Grid, 0 },
		"model.neighbours": func(r *recipe.Recipe) { r.Model.Neighbours = recipe.AutoNeighbours },
		"train.batch_norm": func(r *recipe.Recipe) { r.Train.BatchNorm = true },
	} {
		r := recipe.Paper()
		change(&r)
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		r.Model.Monotone = recipe.Monotone{"a": {recipe.AllTargets: 1}}
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), "model.monotone: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one of model.monotone and %s", err, want)
		}
	}
}

// prepared returns a preprocessing of the columns and rules over its five inputs.
func prepared(t *testing.T, s data.Schema) (model.Preprocessing, *rules.RuleBase) {
	t.Helper()
	d := &data.Dataset{Schema: s, X: [][]float64{{1, 7, 1, 0}, {2, 7, 0, 1}, {4, 7, 0, 1}}, Y: []float64{0, 1, 1}}
	for range s.Others {
		d.Others = append(d.Others, []float64{1, 2, 4})
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	if err := p.SetResponse(recipe.Robust().Train.LossFunction(len(s.Classes)), model.Response{}, d); err != nil {
		t.Fatal(err)
	}
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, Parameters: rules.NewParameters(2, 2, 3), SpreadFloor: 0.1}
	for r := range 2 {
		rb.Antecedents[1][r] = []float64{1, 1, 1}
	}
	rb.SetOutputs(p.OutputCount())
	return p, rb
}

// TestBound: signs are those of the outputs and of the columns that are not constant.
func TestBound(t *testing.T) {
	signs := recipe.Monotone{"outside": {recipe.AllTargets: -1, "z": 1}, "size": {recipe.AllTargets: 1}}
	two, classes := columns(), columns()
	two.Others = []data.Other{{Name: "z"}}
	classes.Classes = []string{"no", "yes"}
	for _, c := range []struct {
		schema data.Schema
		of     recipe.Monotone
		want   []int
	}{
		{columns(), nil, nil},
		{columns(), signs, []int{0, -1, 0, 0}},
		{two, signs, []int{0, -1, 0, 0, 0, 1, 0, 0}},
		{classes, recipe.Monotone{"outside": {"no": 1}}, []int{0, -1, 0, 0}},
		{classes, recipe.Monotone{"outside": {"yes": 1}}, []int{0, 1, 0, 0}},
	} {
		p, rb := prepared(t, c.schema)
		rb.Consequents[0][1], rb.Consequents[1][1], rb.Consequents[1][2] = 0.5, -0.5, 3
		if err := (recipe.Model{Monotone: c.of}).Bound(rb, p); err != nil {
			t.Error(err)
		}
		for r := range 2 {
			if flat := c.of != nil; rb.IsFlat(r, 0) != flat || rb.IsFlat(r, 2) {
				t.Errorf("%v: outside is in no condition of rule %d: %t", c.of, r, rb.IsFlat(r, 0))
			}
		}
		if !reflect.DeepEqual(rb.Signs, c.want) || rb.Validate() != nil || rb.Consequents[1][2] != 3 {
			t.Errorf("%v: signs %v, want %v; %v", c.of, rb.Signs, c.want, rb.Validate())
		}
	}
	for want, change := range map[string]func(p *model.Preprocessing, rb *rules.RuleBase){
		"principal components": func(p *model.Preprocessing, rb *rules.RuleBase) { p.Components = make([]model.Component, 3) },
		`THEN part of rule 2 is kept, but mentions`: func(_ *model.Preprocessing, rb *rules.RuleBase) {
			rb.Keep, rb.Consequents[1][1] = []rules.Keep{0, rules.KeepThen}, 2
		},
		`IF part of rule 1 is kept, but mentions`: func(_ *model.Preprocessing, rb *rules.RuleBase) { rb.Keep = []rules.Keep{rules.KeepIf, 0} },
	} {
		p, rb := prepared(t, columns())
		change(&p, rb)
		if err := (recipe.Model{Monotone: signs}).Bound(rb, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
