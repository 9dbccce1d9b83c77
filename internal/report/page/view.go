package page

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/pageparts"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// view is the data of the HTML template.
type view struct {
	*Page
	Model     *model.Model
	Summary   *report.Summary
	Data      string // name of the data
	Run       string // name of the run directory
	Subtitle  string
	Interval  *words.Interval
	Table     scoreTable
	Confusion *confusion // nil for numbers
	Settings  []setting
	RuleSets  []ruleSet
	Legend    string // of the words of all rule sets
	Editing   editingWords
	Content   template.JS // JSON, which cannot contain the end of a script
	Style     template.CSS
	Script    template.JS
}

// setting is a setting of the training, or a version of the program.
type setting struct{ Key, Value string }

func (p *Page) view() (*view, error) {
	m := p.in.Model
	v := &view{
		Page: p, Model: m, Summary: p.in.Summary, Data: p.in.Data.Name, Subtitle: subtitle(m),
		Table: newScoreTable(p.Scores, p.Unit), Settings: settings(m.Training),
	}
	if c := p.content.Classes; c != nil {
		v.Confusion = &c.confusion
	}
	if v.Summary != nil {
		v.Run = filepath.Base(v.Summary.RunDir)
	}
	var err error
	if v.RuleSets, v.Legend, err = ruleSets(p.in); err != nil {
		return nil, err
	}
	if m.Calibration != nil {
		if v.Interval, err = words.MeasureInterval(context.Background(), m, words.UsualLevel, p.in.Data.Dataset); err != nil {
			v.Interval = nil // too few calibration samples for this level
		}
	}
	v.Editing = newEditingWords(p.content.Editing, p.in)
	text, err := json.Marshal(p.content)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err) // JSON has no numbers that are not finite
	}
	v.Content = template.JS(text)
	v.Style, v.Script = template.CSS(pageparts.Style+style+editStyle), template.JS(script(p.content.Model.evaluator))
	return v, nil
}

// Curved reports whether any rules have curves.
func (v *view) Curved() bool {
	return slices.ContainsFunc(v.content.Model.Members, func(m member) bool { return m.Common != nil })
}

// Worded reports whether any rules are in words.
func (v *view) Worded() bool {
	return slices.ContainsFunc(v.RuleSets, func(s ruleSet) bool { return s.Measures != "" })
}

// Mixture says how the prediction follows from the rules.
func (v *view) Mixture() string {
	text := "the prediction is the mean of what the rules say"
	switch v.Model.Link() {
	case "log":
		text = "the logarithm of the prediction is the mean of the rules' formulas"
	case "logit":
		text = "the logarithm of the odds of " + v.Model.Schema.Classes[1] + " is the mean of the rules' formulas"
	case "softmax":
		text = "the score of each class is the mean of the rules' formulas"
	}
	text += ", weighted by how far their conditions hold."
	if v.Model.Link() == "softmax" {
		text += " The probability of a class is the exponential of its score over the sum of those of all."
	}
	if v.Model.Committee() {
		return "The prediction is the mean of the members'. In each, " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// subtitle describes the model in a line.
func subtitle(m *model.Model) string {
	if m.Committee() {
		rules := 0
		for _, member := range m.Members {
			rules += member.RuleBase.Rules()
		}
		return fmt.Sprintf("Takagi-Sugeno-Kang fuzzy model: a committee of %d, %d rules in all, %s membership functions",
			len(m.Members), rules, m.Members[0].RuleBase.Shape.Name())
	}
	what := "features"
	if m.Components != nil {
		what = "principal components"
	}
	return fmt.Sprintf("Takagi-Sugeno-Kang fuzzy model: %d rules over %d %s, %s membership functions",
		m.RuleBase.Rules(), len(m.Inputs()), what, m.RuleBase.Shape.Name())
}

// settings returns the settings of a training that have a value.
func settings(t model.Training) []setting {
	samples := strconv.Itoa(t.Samples)
	if t.Sample > 0 {
		samples = fmt.Sprintf("%d, described by a random %d", t.Samples, t.Sample)
	}
	all := []setting{
		{"training samples", samples}, {"iterations kept", strconv.Itoa(t.Iterations)},
		{"seed", strconv.FormatUint(t.Seed, 10)}, {"engine", t.Engine},
	}
	for _, key := range slices.Sorted(maps.Keys(t.Options)) {
		all = append(all, setting{key, t.Options[key]})
	}
	for _, key := range slices.Sorted(maps.Keys(t.Versions)) {
		all = append(all, setting{key, t.Versions[key]})
	}
	return slices.DeleteFunc(all, func(s setting) bool { return s.Value == "" })
}

// columnRow is a row of the table of columns.
type columnRow struct{ Name, Unit, Kind, Least, Typical, Largest string }

// Columns returns the rows of the table of columns.
func (v *view) Columns() []columnRow {
	var rows []columnRow
	for i, c := range v.content.Columns {
		features := v.content.Features[c.Feature : c.Feature+c.Width]
		row := columnRow{Name: c.Name, Unit: c.Unit, Kind: string(v.Model.Schema.Columns[i].Encoding)}
		switch {
		case c.Unused:
			row.Kind = "not used"
		case c.Width > 1 || row.Kind == string(data.OneHot):
			row.Kind = fmt.Sprintf("%d categories", len(c.Levels))
			for k, f := range features {
				if f.Typical == 1 {
					row.Typical = c.Levels[k]
				}
			}
		default:
			f := features[0]
			row.Least, row.Typical, row.Largest = value(f.Min), value(f.Typical), value(f.Max)
		}
		rows = append(rows, row)
	}
	return rows
}
