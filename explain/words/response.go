package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Response says what the C outputs of the rules become: J values of several targets, of
// quantiles, of a positive number or of the probabilities of classes, see [model.Response].
type Response struct {
	Link      string    `json:"link"`
	Values    []Value   `json:"values"`              // [J]
	Quantiles []float64 `json:"quantiles,omitempty"` // [J] levels
	Classes   []string  `json:"classes,omitempty"`   // [J]
	Outputs   []Output  `json:"outputs,omitempty"`   // [C], none for a committee

	target, unit string
	phrases      // of its kind
}

// phrases are what the kinds of response are said with, see [model.Response].
type phrases interface {
	mean() string    // subject and verb of a sentence that says that the outputs are means
	meaning() string // a line on how the response follows from the outputs; empty if it is these
	// how the response follows from the rules by their weights, with numbers in a format
	byHand(weights string, figure func(float64) string) string
	own() bool                   // the outputs are the values, in their units
	shown(means []float64) []int // the outputs that the words of a rule have formulas of
	committee() string           // what the members of a committee predict

	summary(values []float64) string   // the response, such as "species is versicolor (87%) or virginica (12%)"
	brief(values []float64) string     // without names of targets, such as "versicolor (87%) or virginica (12%)"
	predicted(values []float64) string // a prediction
	observed(e *Example) []string      // the targets of a sample, and what is predicted of them

	// judge returns the errors of the prediction of sample n: of each target, or one if the class is wrong or the target
	// outside the quantiles, else zero. found sets what their root mean squares say of a rule.
	judge(p model.Predictions, samples *data.Dataset, n int) []float64
	found(l *Local, errors []float64)
}

// Value is a value of a response: a target, a quantile, or the probability of a class.
type Value struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`

	spread    float64 // for rounding, see Description
	uncovered float64 // for a sample that no rule covers
	low, high float64 // limits
}

// amount formats a mean of values, with the unit.
func (v Value) amount(x float64) string { return withUnit(near(x, v.spread), v.Unit) }

// precise formats a value with some more digits, with the unit.
func (v Value) precise(x float64) string { return withUnit(near(x, v.spread/10), v.Unit) }

// observed returns what was observed of a value, and what is predicted.
func (v Value) observed(target, predicted float64) string {
	return fmt.Sprintf("%s %s (predicted %s)", plain(v.Name), v.precise(target), near(predicted, v.spread/10))
}

// responseOf returns the response [J] that is predicted for sample n.
func responseOf(p model.Predictions, n int) []float64 {
	var values []float64
	for _, all := range p.All() {
		values = append(values, all[n])
	}
	return values
}

// errs returns lines on the errors of the model where a rule is strongest.
func (r *Response) errs(l *Local) []string {
	each := l.RMSEs
	switch {
	case l.RMSE != nil:
		return []string{"RMSE where it is strongest: " + r.Values[0].precise(*l.RMSE)}
	case l.Accuracy != nil:
		return []string{fmt.Sprintf("Where it is strongest, the model is right for %s of the samples", shareText(*l.Accuracy))}
	case l.Coverage != nil && len(r.Values) > 1:
		return []string{fmt.Sprintf("Where it is strongest, %s of the samples lie between the first and the last quantile",
			shareText(*l.Coverage))}
	case each == nil:
		return nil
	}
	return []string{"RMSE where it is strongest: " + r.list(", ",
		func(j int, v Value) string { return plain(v.Name) + " " + v.precise(each[j]) })}
}

// list joins a text of each value.
func (r *Response) list(separator string, text func(j int, v Value) string) string {
	all := make([]string, len(r.Values))
	for j, v := range r.Values {
		all[j] = text(j, v)
	}
	if separator == "and" {
		return listed(all, separator)
	}
	return strings.Join(all, separator)
}

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

	Own *Own `json:"own,omitempty"` // of a rule of a page: the rows that meet its IF part, to whose centre Nearest is nearest
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

	none   bool // a category that is none of its levels
	spread float64
}

// text formats a cell with its column, such as "age 28 days".
func (c Cell) text() string {
	return plain(c.Column) + " " + c.shown(func(v float64) string { return trimmed(near(v, c.spread/10)) })
}

// precise formats the value of a cell with some more digits than the bounds of conditions.
func (c Cell) precise() string {
	return c.shown(func(v float64) string { return trimmed(near(v, c.spread/1000)) })
}

// shown formats a cell, its number by show.
func (c Cell) shown(show func(v float64) string) string {
	switch {
	case c.none:
		return "none of its levels"
	case c.Value == nil && c.Level == "":
		return "missing"
	case c.Value == nil:
		return plain(c.Level)
	case c.Unit == "":
		return show(*c.Value)
	}
	return show(*c.Value) + " " + plain(c.Unit)
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
		} else if c.Nominal() {
			cell.none = !slices.ContainsFunc(x[feature:][:c.Width()], func(v float64) bool { return v != 0 }) // NaN, shares: missing
		} else if !math.IsNaN(v) {
			cell.Value = &v
		}
		feature += c.Width()
		if !c.Unused {
			all = append(all, cell)
		}
	}
	return all
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

// OutputModel returns the model of output c of the rules on the scale of the link, as they are
// described, see [model.Model.Output]. A model of one number is returned as it is.
func OutputModel(m *model.Model, c int) *model.Model { return relative(m).Output(c) }

// relative returns the model with the scores of the classes relative to their mean over the
// classes; any other model, and a rounded one or one of pages, as it is.
func relative(m *model.Model) *model.Model {
	if m.Link() != "softmax" || isRounded(m) || m.Pages != nil {
		return m
	}
	one := *m
	one.Members = nil
	for _, member := range m.Members {
		one.Members = append(one.Members, relative(member))
	}
	if m.RuleBase == nil {
		return &one
	}
	one.RuleBase = m.RuleBase.Clone()
	C := m.OutputCount()
	for _, w := range one.RuleBase.Consequents {
		centre(C, len(w)/C, func(c, i int) *float64 { return &w[c*(len(w)/C)+i] })
	}
	if v := one.RuleBase.Curves; v != nil {
		for k := range len(v) / C {
			centre(C, len(v[k]), func(c, i int) *float64 { return &v[c*(len(v)/C)+k][i] })
		}
	}
	return &one
}

// centre subtracts from n numbers of each of C outputs the mean over the outputs.
func centre(C, n int, at func(c, i int) *float64) {
	for i := range n {
		mean := 0.0
		for c := range C {
			mean += *at(c, i) / float64(C)
		}
		for c := range C {
			*at(c, i) -= mean
		}
	}
}

// combination returns the model of the sum of the outputs, all of mean zero, times factors [C].
func combination(m *model.Model, factors []float64) *model.Model {
	sum := *m.Output(0)
	sum.RuleBase, sum.Rules, sum.Members, sum.Pages = m.RuleBase, m.Rules, nil, nil
	for _, member := range m.Members {
		sum.Members = append(sum.Members, combination(member, factors))
	}
	if m.RuleBase == nil {
		return &sum
	}
	sum.RuleBase = m.RuleBase.Output(0).Clone()
	add := func(dst, v []float64, factor float64) {
		for i := range v {
			dst[i] += float64(factor * v[i])
		}
	}
	for _, rows := range [][][]float64{sum.RuleBase.Consequents, sum.RuleBase.Curves} {
		for _, row := range rows {
			clear(row)
		}
	}
	for c, factor := range factors {
		of := m.RuleBase.Output(c)
		for r, w := range of.Consequents {
			add(sum.RuleBase.Consequents[r], w, factor)
		}
		for k, v := range of.Curves {
			add(sum.RuleBase.Curves[k], v, factor)
		}
	}
	return &sum
}

// contrast returns the model of the log odds of class a against class b.
func contrast(m *model.Model, a, b int) *model.Model {
	factors := make([]float64, m.OutputCount())
	switch {
	case len(factors) == 1 && a == 1:
		factors[0] = 1
	case len(factors) == 1:
		factors[0] = -1
	default:
		factors[a], factors[b] = 1, -1
	}
	return combination(m, factors)
}
