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

// signed returns a robust recipe with signs.
func signed(signs recipe.Signs) recipe.Recipe {
	r := recipe.Robust()
	r.Model.Signs = signs
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

func TestSignsOfASchema(t *testing.T) {
	one := columns()
	two := columns()
	two.Others = []data.Other{{Name: "z"}}
	classes := columns()
	classes.Classes = []string{"no", "yes"}
	three := columns()
	three.Classes = []string{"a", "b", "c"}
	all := func(s recipe.Sign) map[string]recipe.Sign { return map[string]recipe.Sign{recipe.AllTargets: s} }
	for _, c := range []struct {
		schema data.Schema
		signs  recipe.Signs
		want   string
	}{
		{one, recipe.Signs{"outside": all(-1), "size": {"y": 1}}, ""},
		{one, recipe.Signs{"outsid": all(1)}, `model.signs: no column "outsid" among the features; did you mean "outside"?`},
		{one, recipe.Signs{"wind": all(1)}, `no column "wind" among the features: there are`},
		{one, recipe.Signs{"day": all(1)}, `column "day" has categories without an order`},
		{one, recipe.Signs{"day=mon": all(1)}, `column "day=mon" has categories without an order`},
		{one, recipe.Signs{"outside": {"z": 1}}, `column "outside": no target "z"`},
		{two, recipe.Signs{"outside": {"z": 1, recipe.AllTargets: -1}}, ""},
		{classes, recipe.Signs{"outside": {"no": 1}}, ""},
		{classes, recipe.Signs{"outside": all(-1)}, "say for which, such as {outside: {yes: -}}"},
		{classes, recipe.Signs{"outside": {"no": 1, "yes": -1}}, "the other follows"},
		{classes, recipe.Signs{"outside": {"yep": 1}}, `no class "yep"; did you mean "yes"?`},
		{three, recipe.Signs{"outside": {"a": 1}}, "one softmax"},
	} {
		d := &data.Dataset{Schema: c.schema, X: [][]float64{{1, 2, 1, 0}, {2, 1, 0, 1}}, Y: []float64{0, 1}}
		for range c.schema.Others {
			d.Others = append(d.Others, []float64{1, 2})
		}
		err := recipe.CheckTarget(signed(c.signs), d)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.signs, err, c.want)
		}
	}
}

// TestSignsTogether: what has no slopes of columns refuses signs.
func TestSignsTogether(t *testing.T) {
	for want, change := range map[string]func(r *recipe.Recipe){
		"data.pca":         func(r *recipe.Recipe) { r.Model.PCA, r.Model.Transform = 2, "none" },
		"model.order":      func(r *recipe.Recipe) { r.Model.Order = 0 },
		"train.batch_norm": func(r *recipe.Recipe) { r.Train.BatchNorm = true },
	} {
		r := recipe.Paper()
		change(&r)
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		r.Model.Signs = recipe.Signs{"a": {recipe.AllTargets: 1}}
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), "model.signs: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one of model.signs and %s", err, want)
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
	signs := recipe.Signs{"outside": {recipe.AllTargets: -1, "z": 1}, "size": {recipe.AllTargets: 1}}
	two, classes := columns(), columns()
	two.Others = []data.Other{{Name: "z"}}
	classes.Classes = []string{"no", "yes"}
	for _, c := range []struct {
		schema data.Schema
		signs  recipe.Signs
		want   []int
	}{
		{columns(), nil, nil},
		{columns(), signs, []int{0, -1, 0, 0}},
		{two, signs, []int{0, -1, 0, 0, 0, 1, 0, 0}},
		{classes, recipe.Signs{"outside": {"no": 1}}, []int{0, -1, 0, 0}},
		{classes, recipe.Signs{"outside": {"yes": 1}}, []int{0, 1, 0, 0}},
	} {
		p, rb := prepared(t, c.schema)
		rb.Consequents[0][1], rb.Consequents[1][1], rb.Consequents[1][2] = 0.5, -0.5, 3
		if err := (recipe.Model{Signs: c.signs}).Bound(rb, p); err != nil {
			t.Error(err)
		}
		if !reflect.DeepEqual(rb.Signs, c.want) || rb.Validate() != nil || rb.Consequents[1][2] != 3 {
			t.Errorf("%v: signs %v, want %v; %v", c.signs, rb.Signs, c.want, rb.Validate())
		}
	}
	for want, change := range map[string]func(p *model.Preprocessing, rb *rules.RuleBase){
		"principal components": func(p *model.Preprocessing, rb *rules.RuleBase) { p.Components = make([]model.Component, 3) },
		`a curve of "outside"`: func(_ *model.Preprocessing, rb *rules.RuleBase) {
			rules.AddCurves(rb, [][]float64{{0, 1, 2}, nil, nil}, false)
		},
		`THEN part of rule 2 is kept, but`: func(_ *model.Preprocessing, rb *rules.RuleBase) {
			rb.Keep, rb.Consequents[1][1] = []rules.Keep{0, rules.KeepThen}, 2
		},
	} {
		p, rb := prepared(t, columns())
		change(&p, rb)
		if err := (recipe.Model{Signs: signs}).Bound(rb, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
