// Package page writes a model and what is known of it as one HTML page: how good it
// is, a rule viewer in which sliders move live through the rules, response curves, a
// surface, membership functions over the data, feature importance, how it was
// trained, and what is odd about the data.
//
//	err := page.New(page.Input{Model: m, Data: page.Part{Name: "test.csv", Dataset: d}}).Write(w)
//
// The page is self-contained: it asks no server and no network for anything and
// opens from a file. The model is embedded, and a small script computes with it
// what [model.Model.Predict] computes; the membership functions in it are written
// from membership.Function.Expr, so that a new shape needs nothing here.
package page

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"

	"github.com/tskgraph/tskgraph/baseline"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/report"
)

// Input is what a page is made of.
type Input struct {
	Model *model.Model
	Data  Part // what errors, importance and response curves are measured on

	// Train is the training part: histograms, least squares, repeated rows. Without it
	// Data has to do, and least squares is left out.
	Train *Part

	Summary *report.Summary // of the run: race, pruning; nil if not known
	Metrics []optim.Metrics // of the run, by iteration; nil if not known
}

// Part is a data set under the name that the page gives it, such as test.csv.
type Part struct {
	Name string
	*data.Dataset
}

// Page is a page that is ready to be written.
type Page struct {
	Target     string       `json:"target"`
	Unit       string       `json:"unit,omitempty"`
	Scores     []Score      `json:"scores"`
	Importance []Importance `json:"importance"` // the most important column first
	Warnings   []string     `json:"warnings"`   // about the data

	in      Input
	content content
}

// Score is the errors of a model on a part.
type Score struct {
	Who  string `json:"who"`
	Part string `json:"part"`
	model.Metrics
	Of float64 `json:"-"` // its RMSE over the largest in the table
}

// New measures what the page shows. A data set that is not of the model's schema is
// a *data.Error.
func New(in Input) (*Page, error) {
	if in.Model == nil || in.Data.Dataset == nil {
		return nil, errors.New("page: a model and a data set are needed")
	}
	parts := []*Part{&in.Data}
	if in.Train != nil {
		train := *in.Train
		in.Train = &train
		parts = append(parts, in.Train)
	}
	for _, part := range parts {
		if err := in.Model.CheckFeatures(part.Dataset); err != nil {
			return nil, fmt.Errorf("%s: %w", part.Name, err)
		}
		weighed, err := part.Weighed()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.Name, err)
		}
		part.Dataset = weighed
	}
	p := &Page{Target: in.Model.Schema.Target, Unit: in.Model.Schema.TargetUnit, in: in}
	predicted, err := in.Model.Predict(in.Data.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Data.Name, err)
	}
	if p.Scores, err = scores(in, predicted); err != nil {
		return nil, err
	}
	importance, rows, err := Permute(in.Model, in.Data.Dataset)
	if err != nil {
		return nil, err
	}
	p.Importance = importance
	p.Warnings = warnings(in, predicted)
	if v := verdict(in, p.Scores); v.Warning() != "" {
		p.Warnings = append([]string{"WARNING: " + v.Warning() + "."}, p.Warnings...)
	}
	p.content, err = newContent(in, predicted, importance)
	p.content.Importance.Rows = rows
	return p, err
}

// scores measures the model, and what any model must beat.
func scores(in Input, predicted model.Predictions) ([]Score, error) {
	var all []Score
	if in.Train != nil && in.Train.Name != in.Data.Name {
		e, err := in.Model.Evaluate(in.Train.Dataset)
		if err != nil {
			return nil, err
		}
		all = append(all, Score{Who: "This model", Part: in.Train.Name, Metrics: e})
	}
	e := model.Measure(predicted.Values, in.Data.Y, in.Data.Weights)
	e.Uncovered, e.OutOfRange, e.Limited = predicted.Uncovered, predicted.OutOfRange, predicted.Limited
	all = append(all, Score{Who: "This model", Part: in.Data.Name, Metrics: e})
	if in.Train != nil {
		b, err := baseline.Measure(in.Train.Dataset, in.Data.Dataset)
		if err != nil {
			return nil, err
		}
		all = append(all, Score{Who: "Least squares", Part: in.Data.Name, Metrics: b.OLS}, Score{Who: "Training mean", Part: in.Data.Name, Metrics: b.Mean})
	} else {
		all = append(all, Score{Who: "Training mean", Part: in.Data.Name, Metrics: in.Model.Target.MeasureMean(in.Data.Dataset)})
	}
	largest := 0.0
	for _, s := range all {
		largest = max(largest, s.RMSE)
	}
	for i := range all {
		if largest > 0 {
			all[i].Of = all[i].RMSE / largest
		}
	}
	return all, nil
}

// verdict compares the model with the baselines in the table of scores; nil on rows that it was trained on.
func verdict(in Input, all []Score) *baseline.Verdict {
	if in.Train != nil && in.Train.Name == in.Data.Name {
		return nil
	}
	last := len(all) - 1
	if in.Train == nil {
		return baseline.Compare(in.Data.Name, all[last-1].Metrics, all[last].Metrics, nil)
	}
	return baseline.Compare(in.Data.Name, all[last-2].Metrics, all[last].Metrics, &all[last-1].Metrics)
}

var layouts = template.Must(template.New("page").Funcs(template.FuncMap{
	"figure": figure, "r2": func(v float64) string { return minus(fmt.Sprintf("%.3f", math.Round(v*1e3)/1e3+0)) }, "percent": percent, "label": label,
	"percentage": func(v float64) float64 { return 100 * v }, "inc": func(i int) int { return i + 1 },
	"cut": cut, "legend": func() string { return describe.Legend },
}).Parse(layout))

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	return layouts.Execute(w, v)
}
