package model

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// TableOptions control how [Model.PredictTable] reads a table and which columns it adds besides the predictions.
type TableOptions struct {
	Delimiter string    // auto (default), comma, semicolon or tab
	Spread    bool      // add the standard deviation over the members of a committee
	Interval  float64   // add the bounds of the prediction interval of this level; 0: none
	Side      Side      // on which the interval has bounds, which are added; empty: on both
	Sets      float64   // add the prediction set of this level, of a target of classes; 0: none
	Explain   Explainer // add its columns; nil: none
	Firing    bool      // add the normalised firing level of every rule and what it says; see Columns
	Flags     bool      // add why to doubt the prediction, see Flag
	Strict    bool      // a missing cell or unknown category is an error; otherwise it is filled in, see Preprocessing.Fill, and counted
	Part      bool      // the table is a part of another, and TableCounts has Marks: those of all parts say which columns have decimal commas
	SafeCells bool      // neutralise cells and names that a spreadsheet would evaluate as a formula, see [table.SafeCell]
}

// Explainer adds columns that explain predictions, as shapley.Attributor does. Several goroutines use it.
type Explainer interface {
	// TableColumns returns the names [K] of the columns.
	TableColumns() []string

	// TableCells returns the cells [N][K] of samples x [N][M]. A sample that cannot be
	// explained is a *SampleError. If ctx ends, the error is that of ctx.
	TableCells(ctx context.Context, x [][]float64) ([][]float64, error)
}

// Columns returns the names of the columns that predicting adds to a table, in order. For a target y these are
//
//	y_predicted            the prediction, of a rate (see [data.Offset]) times the exposure of the row,
//	                       or the name of the most probable class; of several targets one each
//	y_q0.05 ...            each quantile
//	y_probability_NAME     of each class
//	y_spread               with Spread; of several targets one each
//	y_lower, y_upper       with Interval, those that Side requests; of several targets one pair each
//	y_set                  with Sets: the names of the classes in the set, with | between them; one that has | or " is
//	                       quoted, a quote within it doubled, as a cell of delimited text
//	y_flags                with Flags: those of the cells and of the prediction (see [Flag]), with "; " between them, or empty
//	...                    those of Explain
//	firing_k, rule_k       with Firing, for every rule k in the order of the model file: its normalised
//	                       firing level and the value of its THEN formula in the target's unit, without
//	                       the limits of predictions. With a [Response] of several values, rule_k_NAME,
//	                       rule_k_q0.05 or rule_k_probability_NAME have the response to rule k alone
//	y_neighbours           with Firing, if the model has neighbours: by how much they change the prediction
//
// A name that an earlier one of them has gets _2, or the next number that is free: of a feature named background, the column of Explain
// is shap_background_2. A name that a column of the table has is an error of [Model.PredictTable].
//
// It is an error to request the spread of a single model, the rules of a
// committee, or an interval or set that [Model.Intervals] or [Model.Sets] does not give.
func (o TableOptions) Columns(m *Model) ([]string, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if o.Spread && !m.Committee() {
		return nil, errors.New("model: only a committee has a spread, and this is a single model: train with train.members, such as 5")
	}
	if o.Interval != 0 {
		if _, err := scoreOf(m, o.Interval, o.side(), false); err != nil {
			return nil, err
		}
	}
	if o.Sets != 0 {
		if _, err := scoreOf(m, o.Sets, BothSides, true); err != nil {
			return nil, err
		}
	}
	if o.Firing && m.Committee() {
		return nil, errors.New("model: cannot add the firing of a committee's rules: only its members have rules, each its own")
	}
	names := predictedColumns(m, o.Spread)
	if o.Interval != 0 {
		for _, target := range m.Schema.Targets() {
			if o.side() != UpperSide {
				names = append(names, target+"_lower")
			}
			if o.side() != LowerSide {
				names = append(names, target+"_upper")
			}
		}
	}
	if o.Sets != 0 {
		names = append(names, m.Schema.Target+"_set")
	}
	if o.Flags {
		names = append(names, m.Schema.Target+"_flags")
	}
	if o.Explain != nil {
		names = append(names, o.Explain.TableColumns()...)
	}
	if o.Firing {
		values := m.Values()
		for k := range m.RuleBase.Rules() {
			names = append(names, "firing_"+strconv.Itoa(k+1))
			for _, value := range values {
				names = append(names, "rule_"+strconv.Itoa(k+1)+value.ending)
			}
		}
		if m.Neighbours != nil {
			names = append(names, m.Schema.Target+"_neighbours")
		}
	}
	return distinctNames(names), nil
}

func (o TableOptions) side() Side { return cmp.Or(o.Side, BothSides) }

// distinctNames returns names with _2, _3 and so on after those that an earlier name is equal to.
func distinctNames(names []string) []string {
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = true
	}
	var all []string
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		one := name
		for n := 2; seen[one] || one != name && taken[one]; n++ {
			one = name + "_" + strconv.Itoa(n)
		}
		seen[one] = true
		all = append(all, one)
	}
	return all
}

// PredictedColumns returns the names of the columns that [Model.PredictTable] adds without options: of classes that of the class, then
// one for each probability; of several quantiles that of the quantile nearest to the median, then one for each; else one for each target.
func PredictedColumns(m *Model) []string { return predictedColumns(m, false) }

// predictedColumns returns the names of the columns of the predictions and their spread.
func predictedColumns(m *Model, spread bool) []string {
	var names []string
	if m.kind().chosen() {
		names = append(names, m.Schema.Target+"_predicted")
	}
	for _, v := range m.Values() {
		names = append(names, v.Column)
	}
	if spread {
		for _, target := range m.Schema.Targets() {
			names = append(names, target+"_spread")
		}
	}
	return names
}

// cellWriter appends the cells of a row, each preceded by a delimiter.
type cellWriter struct {
	out       []byte
	delimiter byte
	safe      bool              // see TableOptions.SafeCells
	quoted    map[string]string // texts as cells
	kind      responseKind
}

// number appends a number.
func (w *cellWriter) number(v float64) {
	if w.out = append(w.out, w.delimiter); w.safe && !numeric.Finite(v) {
		w.out = append(w.out, table.SafeCell(strconv.FormatFloat(v, 'g', -1, 64))...) // a spreadsheet reads +Inf as a formula
		return
	}
	w.out = numeric.AppendShortest(w.out, v)
}

// text appends a text, quoted if it must be.
func (w *cellWriter) text(s string) {
	cell, known := w.quoted[s]
	if !known {
		if cell = s; w.safe {
			cell = table.SafeCell(s)
		}
		cell = record(w.delimiter, cell)
		w.quoted[s] = cell
	}
	w.out = append(w.out, w.delimiter)
	w.out = append(w.out, cell...)
}

// record returns texts as a line of delimited text.
func record(delimiter byte, texts ...string) string {
	var line strings.Builder
	c := csv.NewWriter(&line)
	c.Comma = rune(delimiter)
	_ = c.Write(texts) // a strings.Builder does not fail
	c.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// appendCells appends the cells of sample n of a piece, in the order of [TableOptions.Columns].
func (o TableOptions) appendCells(w *cellWriter, m *Model, p *piece, n int) {
	if w.kind.sets() {
		w.text(m.Schema.Classes[int(p.predicted.Values[n])])
	} else if w.kind.chosen() {
		w.number(p.predicted.Values[n])
	}
	for _, values := range p.all {
		w.number(values[n])
	}
	if o.Spread && len(m.Schema.Others) == 0 {
		w.number(p.predicted.Spread[n])
	} else if o.Spread {
		for _, v := range p.predicted.Spreads {
			w.number(v[n])
		}
	}
	for t, low := range p.low {
		if o.side() != UpperSide {
			w.number(low[n])
		}
		if o.side() != LowerSide {
			w.number(p.high[t][n])
		}
	}
	if o.Sets != 0 {
		var names []string
		for k, in := range p.sets {
			if in[n] {
				names = append(names, m.Schema.Classes[k])
			}
		}
		w.text(record('|', names...))
	}
	if o.Flags {
		w.text(flagText(append(p.flags[n], p.predicted.Flags(n)...)))
	}
	if o.Explain != nil {
		for _, v := range p.explained[n] {
			w.number(v)
		}
	}
	if o.Firing {
		o.appendFiring(w, m, p, n)
	}
}

// appendFiring appends the firing levels of sample n and what the rules say.
func (o TableOptions) appendFiring(w *cellWriter, m *Model, p *piece, n int) {
	J := len(p.fired.values)
	for r, level := range p.fired.levels[n] {
		w.number(level)
		for _, v := range p.fired.says[n][r*J : (r+1)*J] {
			w.number(v)
		}
	}
	if m.Neighbours != nil {
		w.number(p.predicted.Values[n] - p.fired.values[0][n])
	}
}

// piece is a batch of rows of a table between reading and writing.
type piece struct {
	batch     data.Batch
	predicted Predictions
	all       [][]float64   // of predicted
	low, high [][]float64   // with TableOptions.Interval
	sets      [][]bool      // with TableOptions.Sets
	flags     [][]Flag      // with TableOptions.Flags, of the cells
	explained [][]float64   // with TableOptions.Explain
	fired     fired         // with TableOptions.Firing
	out       []byte        // the rows with their predictions
	err       error         // of the first row that is not in out
	ready     chan struct{} // receives a value when out and err are complete
}
