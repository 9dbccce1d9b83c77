package page

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/report"
)

// view is what the layout shows.
type view struct {
	*Page
	Model    *model.Model
	Summary  *report.Summary
	Data     string // name of the part
	Run      string // name of its directory
	Subtitle string
	Interval *report.Interval
	Settings []setting
	Texts    []ruleText
	Content  content
	Style    template.CSS
	Script   template.JS
}

// setting is what the model was trained with, or by.
type setting struct{ Key, Value string }

//go:embed assets/*.js assets/*.css
var assets embed.FS

// scripts in the order of their dependence; what they declare, they share.
var scripts = []string{
	"elements", "figures", "forward", "rows", "chart", "controls", "result", "rules", "errors",
	"importance", "responses", "surface", "memberships", "training", "theme", "main",
}

func (p *Page) view() (*view, error) {
	m := p.in.Model
	v := &view{
		Page: p, Model: m, Summary: p.in.Summary, Data: p.in.Data.Name, Subtitle: subtitle(m),
		Settings: settings(m.Training), Content: p.content,
	}
	if v.Summary != nil {
		v.Run = filepath.Base(v.Summary.RunDir)
	}
	var err error
	if v.Texts, err = ruleTexts(m); err != nil {
		return nil, err
	}
	if m.Calibration != nil {
		if v.Interval, err = report.MeasureInterval(m, usualLevel, p.in.Data.Dataset); err != nil {
			v.Interval = nil // too few calibration samples for this level
		}
	}
	style, err := fs.ReadFile(assets, "assets/style.css")
	if err != nil {
		return nil, err
	}
	var script strings.Builder
	script.WriteString("(() => {\n\"use strict\";\n")
	fmt.Fprintf(&script, "const shapes = [\n%s\n];\n", strings.Join(p.content.shapes, ",\n"))
	for _, name := range scripts {
		text, err := fs.ReadFile(assets, "assets/"+name+".js")
		if err != nil {
			return nil, err
		}
		script.Write(text)
	}
	script.WriteString("})();\n")
	v.Style, v.Script = template.CSS(style), template.JS(script.String())
	return v, nil
}

// usualLevel is the level of the prediction interval whose coverage is measured.
const usualLevel = 0.9

// subtitle says in a line what kind of model it is.
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

// settings lists how the model was made.
func settings(t model.Training) []setting {
	all := []setting{
		{"training samples", strconv.Itoa(t.Samples)}, {"iterations kept", strconv.Itoa(t.Iterations)},
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

// ruleText is the rules of a model, or of a committee's member, as text. It is the one place where the
// page gets words for rules.
type ruleText struct {
	Member int // from 1; 0: a single model
	Text   string
}

// maxText is how long the text of all rules may be, in bytes.
const maxText = 400e3

// ruleTexts returns none where they are too long.
func ruleTexts(m *model.Model) ([]ruleText, error) {
	d := report.Describe(m)
	d.Interval = nil // shown elsewhere
	described := d.Members
	if !m.Committee() {
		described = []report.Description{d}
	}
	var all []ruleText
	length := 0
	for k, one := range described {
		var b strings.Builder
		if err := one.Write(&b); err != nil {
			return nil, err
		}
		if length += b.Len(); length > maxText {
			return nil, nil
		}
		text := ruleText{Text: b.String()}
		if m.Committee() {
			text.Member = k + 1
		}
		all = append(all, text)
	}
	return all, nil
}

// RaceColumns are the options that the settings of the race set.
func (v *view) RaceColumns() []string {
	var columns []string
	for _, s := range raceSettings(tskgraph.RaceScore{}) {
		if slices.ContainsFunc(v.race(), func(r tskgraph.RaceScore) bool { return slices.ContainsFunc(raceSettings(r), s.sets) }) {
			columns = append(columns, s.Key)
		}
	}
	return columns
}

// sets reports whether another setting is of the same key and has a value.
func (s setting) sets(other setting) bool { return other.Key == s.Key && other.Value != "" }

// RaceRow is a setting of the race.
type RaceRow struct {
	tskgraph.RaceScore
	Values []string // by RaceColumns
}

// RaceRows lists the settings of the race.
func (v *view) RaceRows() []RaceRow {
	columns := v.RaceColumns()
	var rows []RaceRow
	for _, r := range v.race() {
		row := RaceRow{RaceScore: r}
		for _, s := range raceSettings(r) {
			if slices.Contains(columns, s.Key) {
				row.Values = append(row.Values, cmp.Or(s.Value, "\u2013"))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// race is that of the run; one setting is none.
func (v *view) race() []tskgraph.RaceScore {
	if v.Summary == nil || len(v.Summary.Race) < 2 {
		return nil
	}
	return v.Summary.Race
}

// raceSettings lists the options of a setting; one that it leaves as it is has no
// value.
func raceSettings(r tskgraph.RaceScore) []setting {
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return []setting{
		{"init", r.Init}, {"iterations", number(float64(r.Iterations))}, {"batch", number(float64(r.Batch))},
		{"features per rule", number(r.Antecedents)}, {"droprule", number(r.DropRule)}, {"l2", number(r.L2)},
		{"learning rate", number(r.LearningRate)}, {"rate of THEN parts", number(r.ConsequentRate)}, {"uniform", number(r.Uniform)}, {"splits", number(float64(r.Splits))},
	}
}

// columnRow is a column of the table of data.
type columnRow struct{ Name, Unit, Kind, Least, Typical, Largest string }

// Columns describes the columns of the table.
func (v *view) Columns() []columnRow {
	var rows []columnRow
	for i, c := range v.Content.Columns {
		features := v.Content.Features[c.Feature : c.Feature+c.Width]
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
