package words

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Local describes a rule on samples.
type Local struct {
	Samples int      `json:"samples"`          // for which the rule has the largest firing level
	RMSE    *float64 `json:"rmse,omitempty"`   // of the model on these samples, in the target's unit
	Output  *float64 `json:"output,omitempty"` // mean of the THEN formula, weighted by the firing

	Response []float64 `json:"response,omitempty"` // [J] mean of the response to the rule alone, weighted by the firing
	Accuracy *float64  `json:"accuracy,omitempty"` // of the model on these samples, of classes
	Coverage *float64  `json:"coverage,omitempty"` // share of these samples between the first and the last quantile
	RMSEs    []float64 `json:"rmses,omitempty"`    // [J] of the model on these samples, of several targets

	// the sample with the largest firing level before normalisation; null for a rule without conditions
	Nearest *Example `json:"nearest,omitempty"`
}

// Example is a sample of a table, with its prediction.
type Example struct {
	Row       int     `json:"row"` // of the table, from 1
	Values    []Cell  `json:"values"`
	Target    float64 `json:"target"`
	Predicted float64 `json:"predicted"`
	Firing    float64 `json:"firing"` // the rule's normalised firing level

	Targets  []float64 `json:"targets,omitempty"`  // of several
	Response []float64 `json:"response,omitempty"` // [J] predicted, of a model with a response
}

// Cell is the value of a column: a number, or the name of a level.
type Cell struct {
	Column string   `json:"column"`
	Unit   string   `json:"unit,omitempty"`
	Value  *float64 `json:"value,omitempty"` // null: a level, or missing
	Level  string   `json:"level,omitempty"`

	spread float64
}

// ModelOn describes a model with its rules on the samples of the training part. It sets the
// quantiles of a model of an older file that lacks them.
func ModelOn(m *model.Model, samples *data.Dataset) (Description, error) {
	samples, err := samples.Weighed()
	if err != nil {
		return Description{}, err
	}
	for _, one := range append([]*model.Model{m}, m.Members...) {
		if !one.HasQuantiles() {
			one.MeasureQuantiles(samples.X, samples.Weights)
		}
	}
	if err := m.CheckFeatures(samples); err != nil {
		return Description{}, err
	}
	d := describeWith(m, distinctValues(samples))
	return d, observe(&d, m, samples)
}

// observe sets Local of each rule and the measures of Interpretability that need samples.
// Means are weighted if the samples have weights. d is the description of m.
func observe(d *Description, m *model.Model, samples *data.Dataset) error {
	for k := range d.Members {
		if err := observe(&d.Members[k], m.Members[k], samples); err != nil {
			return err
		}
	}
	if m.Committee() {
		return nil
	}
	samples, err := samples.Weighed()
	if err != nil {
		return err
	}
	scaled, err := m.Scale(samples.X)
	if err != nil {
		return err
	}
	predicted, err := m.WithoutNeighbours().Predict(samples.X)
	if err != nil {
		return err
	}
	sums, overlap, covered, err := sumUp(d, m, samples, scaled, predicted)
	if err != nil {
		return err
	}
	for r, o := range sums {
		d.Rules[r].Local = o.local(d.Response)
		if !math.IsInf(o.nearest, -1) && len(d.Rules[r].If) > 0 {
			e := example(m, samples, o.row)
			e.Predicted, e.Firing = predicted.Values[o.row], o.firing
			if !d.Response.IsZero() {
				e.Response = responseOf(predicted, o.row)
			}
			d.Rules[r].Local.Nearest = e
		}
	}
	if d.Interpretability != nil {
		markOtherwise(d, m, samples, scaled)
		measureTree(d, m, scaled)
		n := numeric.WeightSum(samples.Weights, len(scaled))
		overlap, covered = overlap/n, covered/n
		d.Interpretability.Overlap, d.Interpretability.Coverage = &overlap, &covered
	}
	return nil
}

// sumUp returns the sums of each rule over the samples and, weighted, the sums of the effective
// number of rules and of the samples that meet a rule's conditions.
func sumUp(d *Description, m *model.Model, samples *data.Dataset, scaled [][]float64, predicted model.Predictions) (sums []observed,
	overlap, covered float64, err error) {
	sums = make([]observed, len(d.Rules))
	for r := range sums {
		sums[r].nearest = math.Inf(-1)
	}
	says, err := newSaying(m, d.Response)
	if err != nil {
		return nil, 0, 0, err
	}
	for start := 0; start < len(scaled); start += observeRows {
		block := scaled[start:min(start+observeRows, len(scaled))]
		fits := logFirings(m.RuleBase, block)
		for i, f := range m.RuleBase.FiringLevels(block, nil) {
			n := start + i
			w, of := numeric.WeightAt(samples.Weights, n), d.Response.judge(predicted, samples, n)
			overlap += float64(w * sharing(f))
			if d.anyMeets(samples.X[n], true) {
				covered += w
			}
			says.at(scaled[n])
			for r, level := range f {
				o := &sums[r]
				o.add(float64(w*level), says.of(r))
				if fits[r][i] > o.nearest {
					o.nearest, o.row, o.firing = fits[r][i], n, level
				}
			}
			if r := strongestOf(f); r >= 0 {
				sums[r].judge(w, of)
			}
		}
	}
	return sums, overlap, covered, nil
}

// observeRows is the number of samples whose firing levels are in memory at a time.
const observeRows = 1024

// logFirings returns the logarithms [R][N] of the firing levels, not normalised, of the samples
// x [N][M].
func logFirings(rb *rules.RuleBase, x [][]float64) [][]float64 {
	column, grades := make([]float64, len(x)), make([]float64, len(x))
	p := make([]float64, len(rb.Antecedents))
	levels := make([][]float64, rb.Rules())
	for r := range levels {
		levels[r] = make([]float64, len(x))
	}
	for m := range rb.Features() {
		for n, row := range x {
			column[n] = rb.IfPart(row)[m]
		}
		for r, level := range levels {
			logGrades(rb.Shape, rb.Function(p, r, m), grades, column)
			joinLogs(rb.TNorm, level, grades)
		}
	}
	return levels
}

// strongestOf returns the rule with the largest firing level; -1 if none fires.
func strongestOf(f []float64) int {
	strongest := -1
	for r, level := range f {
		if level > 0 && (strongest < 0 || level > f[strongest]) {
			strongest = r
		}
	}
	return strongest
}

// sharing returns the effective number of rules of a sample: one over the sum of the squared
// firing levels.
func sharing(f []float64) float64 {
	squares := 0.0
	for _, level := range f {
		squares += float64(level * level)
	}
	if !(squares > 0) {
		return 0
	}
	return 1 / squares
}

// example returns a sample with its row in the table.
func example(m *model.Model, samples *data.Dataset, n int) *Example {
	e := &Example{Row: n + 1, Values: valuesOf(m, samples.X[n]), Target: samples.Y[n]}
	for c := range samples.Others {
		e.Targets = append(e.Targets, samples.Others[c][n])
	}
	if e.Targets != nil {
		e.Targets = append([]float64{e.Target}, e.Targets...)
	}
	if samples.Rows != nil {
		e.Row = samples.Rows[n]
	}
	return e
}

// valuesOf returns the values of the columns used in a sample.
func valuesOf(m *model.Model, x []float64) []Cell {
	var all []Cell
	feature := 0
	for _, c := range m.Schema.Columns {
		cell := Cell{Column: c.Name, Unit: c.Unit, spread: m.Features[feature].SD}
		v := x[feature]
		if level := c.Level(x[feature:][:c.Width()]); level >= 0 {
			cell.Level = c.Levels[level]
		} else if !c.Nominal() && !math.IsNaN(v) {
			cell.Value = &v
		}
		feature += c.Width()
		if !c.Unused {
			all = append(all, cell)
		}
	}
	return all
}

// text formats a cell with its column, such as "age 28 days".
func (c Cell) text() string { return plain(c.Column) + " " + c.value() }

func (c Cell) value() string {
	return c.shown(func(v float64) string { return trimmed(near(v, c.spread/10)) })
}

// Precise formats the value of a cell with some more digits than the bounds of conditions.
func (c Cell) Precise() string {
	return c.shown(func(v float64) string { return trimmed(near(v, c.spread/1000)) })
}

// shown formats a cell, its number by show.
func (c Cell) shown(show func(v float64) string) string {
	switch {
	case c.Value == nil && c.Level == "":
		return "missing"
	case c.Value == nil:
		return plain(c.Level)
	case c.Unit == "":
		return show(*c.Value)
	}
	return show(*c.Value) + " " + plain(c.Unit)
}
