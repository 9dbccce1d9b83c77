package page

import (
	"slices"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/js"
	"github.com/tskgraph/tskgraph/model"
)

// embedded is a model in the form that the page's script reads: that of the evaluator, whose rows
// have all features of the schema, with what the page shows besides.
type embedded struct {
	ImputeMeans bool       `json:"imputeMeans"`
	Members     []member   `json:"members"` // of a committee; one for a single model
	Intervals   []interval `json:"intervals,omitempty"`

	// What scores of a calibration are divided by, see [model.ResidualUnit], of several targets their standard deviations.
	Minimum float64   `json:"minimum,omitzero"`
	Power   float64   `json:"power,omitzero"`
	Scales  []float64 `json:"scales,omitempty"`
	Spread  *spread   `json:"spread,omitempty"`
	Ranges  []ends    `json:"ranges,omitempty"` // of intervals, by target

	evaluator string // in JavaScript
}

// member is a model of one rulebase.
type member struct {
	js.Member
	Inputs []input            `json:"inputs"`           // of the rules
	Shares []float64          `json:"shares"`           // [R], see model.RuleSummary
	Common [][]describedCurve `json:"common,omitempty"` // [C] what the rules' curves have in common

	PageRules [][]int `json:"pageRules,omitempty"` // of each page, the number of the page's rule that each of the rules is of
}

// describedCurve is a [words.CommonCurve] in the form that the page's script reads.
type describedCurve struct {
	Input int       `json:"input"` // of the rules
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
	Total []float64 `json:"total"` // with the mean slope of the rules
}

// input is an input of the rules: a feature or a component.
type input struct {
	Name      string        `json:"name"`
	Feature   int           `json:"feature"` // -1 for a component
	Min       float64       `json:"min"`
	Max       float64       `json:"max"`
	Histogram *numeric.Bins `json:"histogram,omitempty"` // of a component
}

// interval is the largest score inside the prediction intervals or sets of a level, see [model.Calibration].
type interval struct {
	Level float64 `json:"level"`
	Score float64 `json:"score"`
}

// spread is a [model.Spread], with what a missing feature counts as.
type spread struct {
	*model.Spread
	Missing []float64 `json:"missing"` // by curve
}

// ends are the ends of a range; nil for none.
type ends struct {
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// addCalibration adds what intervals need besides the scores.
func (e *embedded) addCalibration(m *model.Model, form *export.Form) {
	e.Minimum, e.Power = model.ResidualUnit(m)
	for _, t := range m.Response.Targets {
		e.Scales = append(e.Scales, t.Scaling())
	}
	if m.Calibration == nil || m.Schema.Classes != nil {
		return
	}
	for _, v := range m.Values() {
		low, high := v.Range()
		e.Ranges = append(e.Ranges, ends{numeric.OrNil(low), numeric.OrNil(high)})
	}
	if s := m.Calibration.Spread; s != nil {
		e.Spread = &spread{Spread: s}
		for _, c := range s.Curves {
			_, missing := form.OfSpread(c)
			e.Spread.Missing = append(e.Spread.Missing, missing)
		}
	}
}

// levels are the levels of the prediction intervals and sets that the page offers.
var levels = []float64{0.5, 0.8, 0.9, 0.95, 0.99}

// embedModel returns the model. x are the samples for the histograms of components.
func embedModel(m *model.Model, x [][]float64) (embedded, error) {
	e := embedded{ImputeMeans: m.ImputeMeans}
	for _, level := range levels {
		if score, err := m.Score(level, model.BothSides); err == nil {
			e.Intervals = append(e.Intervals, interval{level, score})
		}
	}
	form, err := export.New(m)
	if err != nil {
		return e, err
	}
	e.addCalibration(m, form)
	script := js.NewModel(form)
	e.evaluator = script.Evaluator()
	members := m.Members
	if !m.Committee() {
		members = []*model.Model{m}
	}
	for k, one := range members {
		em, err := embedMember(one, script.Members[k], x)
		if err != nil {
			return e, err
		}
		e.Members = append(e.Members, em)
	}
	return e, nil
}

// embedMember embeds a model of one rulebase in the form of the evaluator. x are the samples for the histograms of its components.
func embedMember(m *model.Model, script js.Member, x [][]float64) (member, error) {
	e := member{Member: script}
	i := 0
	for at, f := range m.Features {
		if !f.Constant {
			e.Scalings[i].Feature = at // in the schema, not in the form
			i++
		}
	}
	for i, f := range m.Inputs() {
		in := input{Name: f.Name, Feature: -1, Min: f.Min, Max: f.Max}
		if m.Components == nil {
			in.Feature = e.Scalings[i].Feature
		}
		e.Inputs = append(e.Inputs, in)
	}
	if m.Components != nil {
		scaled, err := m.Scale(x)
		if err != nil {
			return e, err
		}
		for k := range m.Components {
			e.Inputs[k].Histogram = numeric.NewBins(column(scaled, k), numeric.MostBins)
		}
	}
	for _, r := range m.Rules {
		e.Shares = append(e.Shares, r.Share)
	}
	if m.Pages != nil {
		e.PageRules = m.PageRule()
	} else if m.RuleBase.Curves != nil {
		e.Common = commonCurves(m)
	}
	return e, nil
}

// commonCurves returns what the curves of the rules have in common, by output.
func commonCurves(m *model.Model) (all [][]describedCurve) {
	for c := range m.OutputCount() {
		var common []describedCurve
		if curves := words.Model(m.Output(c)).Curves; curves != nil {
			for _, c := range curves.Of {
				common = append(common, describedCurve{c.Input, c.X, c.Y, c.Total()})
			}
		}
		all = append(all, common)
	}
	return all
}

// response describes what a model predicts for a sample.
type response struct {
	Kind    string        `json:"kind"` // see [model.Words]
	Link    string        `json:"link"`
	Outputs []outputValue `json:"outputs"` // [J]
	Start   int           `json:"start"`   // the output shown first
}

// outputValue is a value that a model predicts: a target, a quantile, or the probability of a class.
type outputValue struct {
	Name  string `json:"name"`  // in the choice of outputs
	Label string `json:"label"` // of an axis, without the unit
	Unit  string `json:"unit"`
}

func newResponse(m *model.Model) response {
	words := m.Words()
	r := response{Kind: words.Kind, Link: m.Link(), Start: words.Start}
	for _, v := range m.Values() {
		r.Outputs = append(r.Outputs, outputValue{v.Short, v.Title, v.Unit})
	}
	return r
}

// figureOfLoss is the figure of [model.Criterion].
type figureOfLoss struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// typicalRow is the row from which the viewer starts, see [data.Dataset.Medoid].
type typicalRow struct {
	Row  int    `json:"row"` // number in the table, from 1
	Data string `json:"data"`
}

// support says where rows are, for surfaces that end far from them: of a sample of the rows, the position of each column of numbers as a
// letter, from A on. It is the index of the value in the column's values or, without them, the step on the axis of its histogram; a space
// is a missing value or one beyond the axis.
type support struct {
	Steps   int               `json:"steps"`
	Rows    int               `json:"rows"`
	Columns map[string]string `json:"columns"` // by name
}

// Limits of the support.
const (
	supportSteps = 41
	supportRows  = 2000
	supportCells = 60e3
)

// supportOf returns where the rows x are.
func (c *content) supportOf(x [][]float64) support {
	s := support{Steps: supportSteps, Columns: map[string]string{}}
	rows := numeric.Some(len(x), min(supportRows, max(200, supportCells/max(1, len(c.Columns)))))
	s.Rows = len(rows)
	for _, col := range c.Columns {
		if col.Levels != nil || col.Unused {
			continue
		}
		letters, axis := make([]byte, len(rows)), c.Features[col.Feature].Histogram
		for k, i := range rows {
			letters[k] = ' '
			if at := col.position(x[i][col.Feature], axis); at >= 0 {
				letters[k] = byte('A' + at)
			}
		}
		s.Columns[col.Name] = string(letters)
	}
	return s
}

// position returns the position of a value of the column; -1 if it has none.
func (c inputColumn) position(v float64, axis *numeric.Bins) int {
	if c.Values != nil {
		return slices.Index(c.Values, v)
	}
	if axis == nil || !(v >= axis.From && v <= axis.To) {
		return -1
	}
	return min(supportSteps-1, int((v-axis.From)/(axis.To-axis.From)*supportSteps))
}
