package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
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
	Forecasts *forecasts // nil without
	Settings  []setting
	RuleSets  []ruleSet
	Legend    string // of the words of all rule sets
	Editing   editingWords
	Sheet     *sheet // nil for a model without one, of which NoSheet says why
	NoSheet   string
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
		Table: newScoreTable(p.Scores, p.Unit), Settings: settings(m.Training), Forecasts: p.content.Forecasts,
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
		if v.Interval, err = words.MeasureInterval(context.Background(), m, words.UsualLevel, model.BothSides, p.in.Data.Dataset); err != nil {
			v.Interval = nil // too few calibration samples for this level
		}
	}
	v.Editing = newEditingWords(p.content.Editing, p.in)
	if v.NoSheet = whyNoSheet(v); v.NoSheet == "" {
		if v.Sheet, err = newSheet(v); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(p.content)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err) // JSON has no numbers that are not finite
	}
	v.Content = template.JS(text)
	v.Style, v.Script = template.CSS(PartsStyle+style+editStyle), template.JS(script(p.content.Model.evaluator))
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

// Paged reports whether the model is a page, or all its members are.
func (v *view) Paged() bool {
	return len(v.RuleSets) > 0 && !slices.ContainsFunc(v.RuleSets, func(s ruleSet) bool { return s.Page == "" })
}

// Mixture says how the prediction follows from the rules.
func (v *view) Mixture() string {
	text, after := "the prediction is the mean of what the rules say", ""
	switch v.Model.Link() {
	case "log":
		text = "the logarithm of the prediction is the mean of the rules' formulas"
	case "logit":
		text = "the logarithm of the odds of " + v.Model.Schema.Classes[1] + " is the mean of the rules' formulas"
	case "softmax":
		text = "the score of each class is the mean of the rules' formulas"
		after = " The probability of a class is the exponential of its score over the sum of those of all."
	}
	text += ", weighted by how far their conditions hold." + after
	if v.Model.Committee() {
		return "The prediction is the mean of the members'. In each, " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// subtitle describes the model in a line.
func subtitle(m *model.Model) string {
	if m.Committee() {
		return fmt.Sprintf("Takagi-Sugeno-Kang fuzzy model: a committee of %d, %d rules in all, %s membership functions",
			len(m.Members), model.CountRules(m), m.Members[0].RuleBase.Shape.Name())
	}
	if m.Pages != nil {
		what, tables, numbers := "A page", 0, 0
		if len(m.Pages) > 1 {
			what = fmt.Sprintf("%d pages", len(m.Pages))
		}
		for _, pg := range m.Pages {
			tables, numbers = tables+len(pg.Tables), numbers+pg.Numbers()
		}
		has := numeric.Counted(model.CountRules(m), "rule")
		if tables > 0 {
			has += " and " + numeric.Counted(tables, "table")
		}
		return fmt.Sprintf("%s: %s, with %s to read", what, has, numeric.Counted(numbers, "number"))
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
	samples := numeric.Count(t.Samples)
	if t.Sample > 0 {
		samples = fmt.Sprintf("%s, described by a random %s", samples, numeric.Count(t.Sample))
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
type columnRow struct{ Name, Unit, Kind, Least, Typical, Largest, Missing string }

// Columns returns the rows of the table of columns.
func (v *view) Columns() []columnRow {
	var rows []columnRow
	for i, c := range v.content.Columns {
		features := v.content.Features[c.Feature : c.Feature+c.Width]
		row := columnRow{Name: c.Name, Unit: c.Unit, Kind: string(v.Model.Schema.Columns[i].Encoding)}
		if c.missing > 0 {
			row.Missing = percent(c.missing)
		}
		switch {
		case c.Unused:
			row.Kind = "not used"
		case v.Model.Schema.Columns[i].Nominal():
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

// TypicalRow names the row of the typical values.
func (v *view) TypicalRow() string {
	t := v.content.Typical
	return fmt.Sprintf("row %d of %s, of a sample the nearest to the others", t.Row, t.Data)
}

// Before says which errors the model had before pruning; empty if it was not pruned.
func (v *view) Before() string {
	if v.Summary == nil || v.Summary.Before == nil {
		return ""
	}
	b := v.Summary.Before
	text := fmt.Sprintf("Before pruning: %d rules", b.Rules)
	at := slices.IndexFunc(model.Measures, func(m model.Measure) bool { return b.Figures[m.Key+"_train"] != nil })
	if at < 0 {
		return text + "."
	}
	m := model.Measures[at]
	text += ", " + m.Name
	for i, part := range []struct{ key, name string }{{"train", "training"}, {"validation", "validation"}, {"test", "the test"}} {
		if e := b.Figures[m.Key+"_"+part.key]; e != nil {
			text += strings.Repeat(",", min(i, 1)) + " " + figure(*e) + " in " + part.name
		}
	}
	return text + "."
}

// raceTable is the table of the settings of a race: the keys that some setting sets, its splits and fidelity.
type raceTable struct {
	Columns []string
	Rows    []raceRow
}

// raceRow is a setting of the race.
type raceRow struct {
	tskgraph.RaceScore
	Values []string // by the columns
}

// Race returns the table of the race; nil for fewer than two settings.
func (v *view) Race() *raceTable {
	if v.Summary == nil || len(v.Summary.Race) < 2 {
		return nil
	}
	t := &raceTable{}
	for _, r := range v.Summary.Race {
		t.Rows = append(t.Rows, raceRow{RaceScore: r})
	}
	add := func(heading string, text func(tskgraph.RaceScore) string) {
		if !slices.ContainsFunc(v.Summary.Race, func(r tskgraph.RaceScore) bool { return text(r) != "" }) {
			return
		}
		t.Columns = append(t.Columns, heading)
		for i, r := range t.Rows {
			t.Rows[i].Values = append(r.Values, cmp.Or(text(r.RaceScore), "\u2013"))
		}
	}
	for _, k := range recipe.RaceKeys() {
		add(k.Heading(), func(r tskgraph.RaceScore) string { return r.Setting.Text(k.Own()) })
	}
	add("splits", func(r tskgraph.RaceScore) string { return report.SplitsOf(r, v.Summary.Race) })
	add("fidelity", func(r tskgraph.RaceScore) string {
		if r.Fidelity > 0 { // not NaN
			return strconv.FormatFloat(r.Fidelity, 'f', 2, 64)
		}
		return ""
	})
	return t
}

// figure formats a number with four digits, as value does if it is very small or large.
func figure(v float64) string {
	size := math.Abs(numeric.Round(v, 4))
	if v == 0 || size >= 1e6 || size < 1e-4 {
		return minus(numeric.Short(v, 4))
	}
	decimals := max(0, 3-int(math.Floor(math.Log10(size))))
	return numeric.Grouped(minus(strconv.FormatFloat(v, 'f', decimals, 64)))
}

// value formats a number from the data with at most six digits.
func value(v float64) string { return minus(numeric.Short(v, 6)) }

// percent formats a share in percent.
func percent(v float64) string { return minus(strconv.FormatFloat(100*v, 'f', 1, 64)) + "%" }

// minus replaces hyphens by minus signs.
func minus(s string) string { return strings.ReplaceAll(s, "-", "\u2212") }

// label returns a name with its unit.
func label(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}

// rounded rounds to seven digits, enough for a picture.
func rounded(v float64) float64 { return numeric.Round(v, 7) }
