// Package page writes a report on a model as one HTML page: errors, an interactive rule
// viewer with a slider for each input, contributions of the columns, response curves, a surface, membership functions over
// the data, feature importance, training, and warnings about the data.
//
//	err := page.New(page.Input{Model: m, Data: page.Part{Name: "test.csv", Dataset: d}}).Write(w)
//
// The page is self-contained: it loads nothing from a server and can be opened from a file. It
// embeds the model, and its script computes the predictions of [model.Model.Predict] by the
// evaluator of package export/js, which has the formulas of every shape. In a second tab the rules of a single model can be
// edited; the page saves them as rules.yaml of package knowledge.
package page

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/readable"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Input is the input of a page.
type Input struct {
	Model *model.Model
	Data  Part // for errors, importance and response curves

	// Train is the training part, for histograms, least squares and repeated rows. If it is
	// nil, the page uses Data, and leaves least squares out.
	Train *Part

	Summary *report.Summary // of the run, with race and pruning; nil if unknown
	Metrics []optim.Metrics // of the run, by iteration; nil if unknown
}

// Part is a data set with its name on the page, such as test.csv.
type Part struct {
	Name string
	*data.Dataset
}

// Page is a page to be written by [Page.Write]. Its exported fields are its content for
// programs.
type Page struct {
	Target     string       `json:"target"` // the names of several
	Unit       string       `json:"unit,omitempty"`
	Scores     []Score      `json:"scores"`
	Importance []Importance `json:"importance"` // in descending order
	Warnings   []string     `json:"warnings"`   // about the data

	// Contributions are those to the predictions of the rows shown, in descending order.
	Contributions []Contribution `json:"contributions"`

	// Neighbours are in the Scores only: all else is about the rules without them. Nil if the model has none.
	Neighbours *words.Neighbours `json:"neighbours,omitempty"`

	Readability *readable.Readability `json:"readability"` // on the data, idle rules on the training part

	// Twins has the rows of the data that have a twin in the training part; nil if there are none, or if either is not known.
	Twins *readable.Twins `json:"twins,omitempty"`

	in      Input
	content content
}

// New computes the content of a page. A data set that does not match the model's schema is a
// *data.Error.
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
	if names := in.Model.Schema.Targets(); len(names) > 1 {
		p.Target, p.Unit = strings.Join(names, ", "), ""
	}
	p.Neighbours = words.Model(in.Model).Neighbours
	alone := in // for figures, whose script evaluates rules
	alone.Model = in.Model.WithoutNeighbours()
	predicted, err := alone.Model.Predict(in.Data.X)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Data.Name, err)
	}
	var verdict *baseline.Verdict
	if p.Scores, verdict, err = scores(in, predicted); err != nil {
		return nil, err
	}
	if p.Readability, err = readability(in); err != nil {
		return nil, err
	}
	importance, rows, err := Permute(alone.Model, in.Data.Dataset)
	if err != nil {
		return nil, err
	}
	p.Importance = importance
	if p.Twins, err = twins(in, p.Scores); err != nil {
		return nil, err
	}
	p.Warnings = warnings(in, predicted, p.Twins)
	if warning := verdict.Warning(); warning != "" {
		p.Warnings = append([]string{"WARNING: " + warning + "."}, p.Warnings...)
	}
	if p.content, err = newContent(alone, predicted, importance); err != nil {
		return nil, err
	}
	p.content.Importance.Rows = rows
	p.content.Contributions, p.Contributions, err = contributionsOf(alone, shown(in.Data.Dataset), p.content.typical())
	return p, err
}

// readability measures whether the rules can be read one by one.
func readability(in Input) (*readable.Readability, error) {
	training := readable.Part{}
	if in.Train != nil {
		training = readable.Part(*in.Train)
	}
	r, err := readable.Measure(context.Background(), in.Model, readable.Part(in.Data), training)
	if in.Summary != nil && in.Summary.Readability != nil {
		r.Preset = in.Summary.Readability.Preset
	}
	return r, err
}

var layouts = template.Must(template.New("page").Funcs(template.FuncMap{
	"figure": figure, "percent": percent, "label": label,
	"percentage": func(v float64) float64 { return 100 * v }, "inc": func(i int) int { return i + 1 },
	"cut": cut,
}).Parse(layout + editLayout))

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	return layouts.Execute(w, v)
}
