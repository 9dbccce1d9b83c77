// Package page writes a report on a model as one HTML page: errors, the rules, an interactive rule
// viewer with a slider for each input, contributions of the columns, response curves, a surface, membership functions over
// the data, feature importance, warnings about the data, and training. A sheet is one page of paper about a model, see [Page.WriteSheet].
//
//	err := page.New(page.Input{Model: m, Data: page.Part{Name: "test.csv", Dataset: d}}).Write(w)
//
// The page is self-contained: it loads nothing from a server and can be opened from a file. It embeds the model, and its script computes
// the predictions of [model.Model.Predict] by the evaluator of package internal/export/js, which has the formulas of every shape. In a
// second tab the rules of a single model can be edited; the page saves them as rules.yaml of package knowledge.
package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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

	Summary  *report.Summary // of the run, with race and pruning; nil if unknown
	Promises []string        // what is proved of the predictions; nil if unknown

	Metrics []optim.Metrics // of the run, by iteration; nil if unknown
}

// Part is a data set with its name on the page, such as test.csv.
type Part struct {
	Name string
	*data.Dataset
}

// Page is a page to be written by [Page.Write]. Its exported fields are its content for programs.
type Page struct {
	Target     string       `json:"target"` // the names of several
	Unit       string       `json:"unit,omitempty"`
	Scores     []Score      `json:"scores"`
	Importance []Importance `json:"importance"` // in descending order
	Warnings   []string     `json:"warnings"`   // about the data
	Promises   []string     `json:"promises,omitempty"`

	// Contributions are those to the predictions of the rows shown, in descending order.
	Contributions []Contribution `json:"contributions"`

	// Neighbours are in the Scores only: all else is about the rules without them. Nil if the model has none.
	Neighbours *words.Neighbours `json:"neighbours,omitempty"`

	Readability *words.Readability `json:"readability"` // on the data, idle rules on the training part

	// Twins has the rows of the data that have a twin in the training part; nil if there are none, or if either is not known.
	Twins *words.Twins `json:"twins,omitempty"`

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
	p := &Page{Promises: in.Promises, Target: in.Model.Schema.Target, Unit: in.Model.Schema.TargetUnit, in: in}
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
	if p.content.Forecasts, err = newForecasts(in.Model, in.Data.Dataset); err != nil {
		return nil, err
	}
	p.content.Contributions, p.Contributions, err = contributionsOf(alone, shown(in.Data.Dataset), p.content.typical())
	return p, err
}

// readability measures whether the rules can be read one by one.
func readability(in Input) (*words.Readability, error) {
	training := words.Part{}
	if in.Train != nil {
		training = words.Part(*in.Train)
	}
	r, err := words.Measure(context.Background(), in.Model, words.Part(in.Data), training)
	if in.Summary != nil && in.Summary.Readability != nil {
		r.Preset = in.Summary.Readability.Preset
		if recorded := in.Summary.Readability.Page; recorded != nil && r.Page != nil {
			r.Page.Price = recorded.Price
		}
	}
	return r, err
}

var layouts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"coverageHead": words.CoverageHead, "coverageNote": func() string { return words.CoverageNote },
		"figure": figure, "count": numeric.Count, "part": shortPart, "mase": mase, "percent": percent, "label": label,
		"percentage": func(v float64) float64 { return 100 * v }, "inc": func(i int) int { return i + 1 },
		"cut":       cut,
		"unwrapped": func(text string) string { return strings.ReplaceAll(text, "\n  ", " ") }, // the width of the page wraps it
	}).Parse(layout + editLayout + sheetLayout))
})

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	return layouts().Execute(w, v)
}

// named is the largest number of columns that a warning names.
const named = 6

// warnings returns warnings about the data: missing cells, constant columns, twins, repeated rows, values outside the training
// range, samples that no rule covers, predictions that were limited.
func warnings(in Input, predicted model.Predictions, twins *words.Twins) []string {
	var all []string
	say := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	d := in.Data
	standIn, readAs := report.StandIn(in.Model)
	if missing := missingCells(in); missing.Cells > 0 {
		own := ""
		if missing.Own > 0 {
			own = "; cells that rules may name: " + numeric.Count(missing.Own)
		}
		say("Missing values: %s, in %s. Rows left out for them: %s; cells filled with the training mean: %s%s.", numeric.Count(missing.Cells),
			perColumn(missing.Columns), numeric.Count(missing.Dropped), numeric.Count(missing.Imputed), own)
	}
	if n := d.Missing.Filled(in.Model.Schema); d.Missing.First != "" && in.Summary != nil && len(n) > 0 {
		say("Missing cells of %s: %s; %s.", d.Name, perColumn(n), standIn)
	}
	if n := d.Missing.Unknown; len(n) > 0 {
		say("Categories of %s that the model does not know: %s; read as %s.", d.Name, perColumn(n), readAs)
	}
	all = append(all, words.LimitedColumns(in.Model)...)
	if n := d.Missing.Limited; len(n) > 0 {
		say("Cells of %s beyond the limits of their column: %s.", d.Name, perColumn(n))
	}
	if names := in.Model.Dropped(); len(names) > 0 {
		say("Not used because constant in training: %s.", list(names))
	}
	whole := d
	if in.Train != nil && in.Train.Name != d.Name {
		whole = *in.Train
	}
	if twins != nil {
		say("%s", twins)
	}
	if n := data.Duplicates(whole.Dataset); n > 0 {
		say("Rows of %s that repeat an earlier one, including the target: %s.", whole.Name, numeric.Count(n))
	}
	if n := predicted.OutOfRange; n > 0 {
		say("Rows of %s with a value outside the training range: %s (%s), by feature: %s. %s",
			d.Name, numeric.Count(n), percent(float64(n)/float64(d.Len())), perColumn(outside(in)), Beyond(in.Model))
	}
	if n := predicted.Uncovered; n > 0 {
		say("Rows of %s that no rule covers: %s. %s in for a prediction.", d.Name, numeric.Count(n), stoodIn(in.Model))
	}
	if n := predicted.Limited; n > 0 {
		say("Predictions for %s kept within the limits of the target: %s.", d.Name, numeric.Count(n))
	}
	return all
}

// missingCells returns the missing cells of the whole table, as the run counted them, or of the data.
func missingCells(in Input) data.Missing {
	if in.Summary != nil {
		return report.Named(in.Model, in.Summary.Missing)
	}
	return report.Named(in.Model, in.Data.Missing)
}

// outside returns the number of values outside the training range, by feature.
func outside(in Input) map[string]int {
	counts := map[string]int{}
	for _, row := range in.Data.X {
		for m, f := range in.Model.Features {
			if !f.Constant && (row[m] < f.Min || row[m] > f.Max) {
				counts[f.Name]++
			}
		}
	}
	return counts
}

// perColumn formats counts by column, in descending order.
func perColumn(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%s)", name, numeric.Count(counts[name]))
	}
	return list(names)
}

func list(names []string) string {
	if len(names) > named {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
	}
	return strings.Join(names, ", ")
}

// Beyond says what a model does outside of the training range.
func Beyond(m *model.Model) string {
	if m.Pages != nil || m.Committee() && m.Members[0].Pages != nil {
		return "Terms and tables of a page count it as the end of its range."
	}
	return "There the model extrapolates."
}

// stoodIn begins a sentence on what stands in for a prediction.
func stoodIn(m *model.Model) string {
	words := m.Words()
	if words.Plural {
		return "The " + words.Constant + " stand"
	}
	return "The " + words.Constant + " stands"
}
