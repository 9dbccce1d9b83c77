// Package exporttest provides models of every kind and tables for them, with which tests hold
// exported models to the predictions of package model.
package exporttest

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

const trainingRows, ruleCount = 300, 6

// must returns a function that returns a value, and fails the test with an error.
func must[T any](tb testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// Model makes the model of a case: its preprocessing is fitted to drawn samples, and its rules are
// drawn. The same case gives the same model.
func (c Case) Model(tb testing.TB) *model.Model {
	tb.Helper()
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.Name()))
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	d := c.samples(rng)
	p := c.preprocessing(tb, d, rng)
	t := model.Training{Samples: d.Len(), Iterations: 1, Engine: "fused", Options: map[string]string{}}
	if c.Page {
		return c.onPage(tb, p, d, t)
	}
	if !c.Committee {
		return c.single(tb, p, d, rng, t)
	}
	var members []*model.Model
	for range 3 {
		var bag []int
		for range d.Len() {
			bag = append(bag, rng.IntN(d.Len()))
		}
		own := c.preprocessing(tb, d.Subset(bag), rng)
		members = append(members, c.single(tb, own, d, rng, t))
	}
	return must[*model.Model](tb)(model.NewCommittee(p, members, t))
}

// Form makes the form of the model of a case, after some changes of the model.
func (c Case) Form(tb testing.TB, changes ...func(m *model.Model)) *export.Form {
	tb.Helper()
	m := c.Model(tb)
	for _, change := range changes {
		change(m)
	}
	return FormOf(tb, m)
}

// FormOf returns the form of a model.
func FormOf(tb testing.TB, m *model.Model) *export.Form {
	tb.Helper()
	return must[*export.Form](tb)(export.New(m))
}

// samples draws samples of numbers, some skewed, and of categories, under names that need care.
func (c Case) samples(rng *rand.Rand) *data.Dataset {
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "yield", TargetUnit: "kg", Columns: []data.Column{
		{Name: "x", Unit: "°C", Encoding: data.Numeric},
		{Name: `wind "speed", m/s`, Encoding: data.Numeric},
		{Name: "day", Encoding: data.OneHot, Levels: []string{"O'Hare", "mon, tue", "=wed"}},
		{Name: "always", Encoding: data.Numeric},
		{Name: "größe 100%", Encoding: data.Ordinal, Levels: []string{"small", "middle", `"big"`}},
		{Name: "select", Unit: "°C", Encoding: data.Numeric},
	}}}
	limits := []*data.Limits{table.NewLimits(8, 22), table.NewLimits(-42, math.Inf(1))}
	if c.Limited {
		d.Schema.Columns[0].Limits, d.Schema.Columns[5].Limits = limits[0], limits[1]
	}
	if c.ImputeMeans {
		d.Missing.Policy = "mean"
	}
	if c.Own {
		columns := d.Schema.Columns
		columns[0].Missing, columns[1].Missing, columns[2].Missing = true, true, true
		columns[2].Levels = append(columns[2].Levels, table.MissingLevel)
	}
	if c.Response == "classes" || c.Response == "binary" {
		d.Schema.Classes, d.Schema.TargetUnit = []string{"sorgho", "maïs", "blé d'hiver"}, ""
		if c.Response == "binary" {
			d.Schema.Classes = d.Schema.Classes[1:]
		}
	}
	if c.Response == "targets" {
		d.Schema.Others = []data.Other{{Name: "water used", Unit: "l"}}
		d.Others = [][]float64{nil}
	}
	for n := range trainingRows {
		x := []float64{15 + float64(8*rng.NormFloat64()), math.Exp(1.2 * rng.NormFloat64()), 0, 0, 0, 7, float64(1 + rng.IntN(3)),
			-40 - math.Exp(rng.NormFloat64())}
		x[2+rng.IntN(3)] = 1
		if c.Limited {
			x[0], x[7] = limits[0].Of(x[0]), limits[1].Of(x[7])
		}
		y := 30 + float64(0.5*x[0]) - float64(2*x[1]) + float64(5*x[6]) + rng.NormFloat64()
		if d.Schema.Classes != nil {
			y = float64(n % len(d.Schema.Classes))
		}
		if d.Others != nil {
			d.Others[0] = append(d.Others[0], -1e4+float64(300*x[0])+float64(99*rng.NormFloat64()))
		}
		if c.Own {
			x = own(x, y, rng)
		}
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, math.Abs(y)), append(d.Rows, n+1)
	}
	return d
}

// own returns a sample with features for missing cells, of which a large y has more.
func own(x []float64, y float64, rng *rand.Rand) []float64 {
	row := []float64{x[0], 0, x[1], 0, x[2], x[3], x[4], 0, x[5], x[6], x[7]}
	for _, at := range []int{0, 2} {
		if rng.IntN(8) == 0 || y > 42 && rng.IntN(2) == 0 {
			row[at], row[at+1] = math.NaN(), 1
		}
	}
	if rng.IntN(4) == 0 {
		copy(row[4:], []float64{0, 0, 0, 1})
	}
	return row
}

// preprocessing fits what the case says, with principal axes that are drawn.
func (c Case) preprocessing(tb testing.TB, d *data.Dataset, rng *rand.Rand) model.Preprocessing {
	p := must[model.Preprocessing](tb)(model.Fit(context.Background(), d))
	var err error
	if c.Transform {
		err = p.Straighten(context.Background(), d.X, nil)
	}
	if c.Components {
		for range 3 {
			one, length := model.Component{SD: 1, Min: -3, Max: 3}, 0.0
			for range p.Used() {
				v := rng.NormFloat64()
				one.Loadings, length = append(one.Loadings, v), math.Hypot(length, v)
			}
			for i := range one.Loadings {
				one.Loadings[i] /= length
			}
			p.Components = append(p.Components, one)
		}
	}
	p.Standardise(d)
	c.respond(&p, d)
	margin := 0.1
	if c.Unlimited || d.Schema.Classes != nil {
		margin = math.Inf(1)
	}
	if err = errors.Join(err, p.Limit(margin, nil)); err != nil {
		tb.Fatal(err)
	}
	return p
}

// respond sets the response.
func (c Case) respond(p *model.Preprocessing, d *data.Dataset) {
	switch c.Response {
	case "count":
		p.Response, p.Target.SD = model.Response{Link: "log"}, 0
	case "quantiles":
		p.Response = model.Response{Link: "ordered", Quantiles: []float64{0.05, 0.5, 0.95}, TrainingQuantiles: []float64{20, 31.5, 47}}
	case "classes", "binary":
		p.Response = model.Response{Link: map[string]string{"classes": "softmax", "binary": "logit"}[c.Response]}
		for k, name := range d.Schema.Classes {
			p.Response.Classes = append(p.Response.Classes, model.Class{Name: name, Share: []float64{0.5, 0.3, 0.2}[k+3-len(d.Schema.Classes)]})
		}
		if c.Response == "binary" {
			p.Response.Classes[0].Share, p.Response.Classes[1].Share = 0.7, 0.3
		}
		p.Target = model.Target{Max: 1}
	case "targets":
		p.Response = model.Response{Link: "identity", Targets: []model.Target{p.Target,
			{Mean: -5600, SD: 2400, Min: -1e4, Max: -1000, Margin: p.Target.Margin}}}
	}
}

// single makes a model of drawn rules. Some conditions are flat where the shape can be.
func (c Case) single(tb testing.TB, p model.Preprocessing, d *data.Dataset, rng *rand.Rand, t model.Training) *model.Model {
	tb.Helper()
	shape := must[membership.Function](tb)(lookupShape(c.Shape))
	M, C := len(p.Inputs()), p.OutputCount()
	clusters := &rules.Clusters{}
	for range ruleCount {
		var center, spread []float64
		for range M {
			center, spread = append(center, rng.NormFloat64()), append(spread, 0.5+rng.ExpFloat64())
		}
		clusters.Centers, clusters.Spreads = append(clusters.Centers, center), append(clusters.Spreads, spread)
		for range C {
			clusters.Targets = append(clusters.Targets, rng.NormFloat64())
		}
	}
	rb := rules.New(shape, clusters)
	if c.TNorm != "" {
		rb.TNorm = must[inference.TNorm](tb)(inference.LookupTNorm(c.TNorm))
	}
	if c.Defuzz != "" {
		rb.Defuzzification = must[inference.Defuzzification](tb)(inference.LookupDefuzzification(c.Defuzz))
	}
	for r, w := range rb.Consequents {
		for i := range w {
			if i%(M+1) != 0 {
				w[i] = float64(0.4 * rng.NormFloat64())
			}
		}
		for m := range M {
			if rules.CanBeFlat(shape) && rng.IntN(3) == 0 {
				rb.Flatten(r, m)
			}
		}
	}
	c.open(rb, rng)
	c.bend(rb, rng)
	return must[*model.Model](tb)(model.New(context.Background(), p, rb, d.X, nil, t))
}

// open makes conditions intervals, two of three open on one side.
func (c Case) open(rb *rules.RuleBase, rng *rand.Rand) {
	shape, ok := rb.Shape.(membership.Between)
	if !c.Open || !ok {
		return
	}
	for r := range rb.Rules() {
		for m := range rb.Features() {
			at := rng.NormFloat64()
			low, high := at-rng.ExpFloat64()-0.1, at+rng.ExpFloat64()
			switch rng.IntN(3) {
			case 0:
				low = math.Inf(-1)
			case 1:
				high = math.Inf(1)
			}
			for j, v := range shape.Between(low, high, 0.3) {
				rb.Antecedents[j][r][m] = v
			}
		}
	}
}

// bend adds curves of drawn values to the consequents.
func (c Case) bend(rb *rules.RuleBase, rng *rand.Rand) {
	if c.Curves == "" {
		return
	}
	knots, rows := 0, rb.OutputCount()
	for m := range rb.Features() {
		rb.Knots = append(rb.Knots, []float64{})
		if m < 2 {
			rb.Knots[m] = []float64{-1.5, -0.5, 0.25, 1.75}[m:]
		}
		knots += len(rb.Knots[m])
	}
	if c.Curves == "own" {
		rows *= rb.Rules()
	}
	for range rows {
		var values []float64
		for range knots {
			values = append(values, float64(0.3*rng.NormFloat64()))
		}
		rb.Curves = append(rb.Curves, values)
	}
}

// Case is a model of one kind.
type Case struct {
	Shape      string // name of a built-in shape, or of one of formulas
	Transform  bool   // skewed features are transformed
	Committee  bool   // of three members
	Components bool   // inputs are principal components
	Response   string // number, classes, targets, quantiles, count or binary

	Curves      string // "", shared or own
	TNorm       string // "": product
	Defuzz      string // "": tsk
	ImputeMeans bool
	Own         bool // missing cells of two numbers and of a category are values
	Unlimited   bool // predictions have no limits
	Limited     bool // two columns have limits
	Open        bool // conditions are intervals, many open on one side, as those of a tree
	Page        bool // the rules are those of a page, of several outputs of a page of each
	Factors     bool // the tables of the page are factors
}

// Name describes the case, for the name of a subtest.
func (c Case) Name() string {
	name := c.Shape + "-" + c.Response
	for _, o := range []struct {
		on   bool
		text string
	}{
		{c.Transform, "transform"}, {c.Committee, "committee"}, {c.Components, "components"}, {c.Curves != "", c.Curves + "-curves"},
		{c.TNorm != "", c.TNorm}, {c.Defuzz != "", c.Defuzz}, {c.ImputeMeans, "means"},
		{c.Own, "own"}, {c.Unlimited, "unlimited"}, {c.Open, "open"},
		{c.Page, "page"}, {c.Factors, "factors"}, {c.Limited, "limited"},
	} {
		if o.on {
			name += "-" + o.text
		}
	}
	return name
}
