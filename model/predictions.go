package model

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// Predictions are the results of [Model.Predict] for N samples.
type Predictions struct {
	// Values [N] are in the target's unit: of several targets the first, of quantiles the one
	// nearest to the median, of classes the index of the most probable one.
	Values []float64

	// Outputs [J][N] are all targets, all quantiles, or the probabilities of all K classes;
	// nil for a single number.
	Outputs [][]float64

	// Spread [N] is the standard deviation (divisor K-1) of Values over the K members of a
	// committee, for classes that of the probability of the class; nil for a single model.
	Spread  []float64
	Spreads [][]float64 // [J][N], of Outputs; nil for a single model or a single number

	Uncovered  int // samples that no rule covers (in a committee: of any member); they get the training mean
	OutOfRange int // samples with a feature outside the range seen in training
	Limited    int // predictions clamped to the target's limits, see Target.Limits
}

// All returns all values [J][N]: Outputs or, of a single number, Values alone.
func (p Predictions) All() [][]float64 {
	if p.Outputs == nil {
		return [][]float64{p.Values}
	}
	return p.Outputs
}

// add adds the predictions of further samples.
func (p *Predictions) add(more Predictions) {
	if len(p.Values) == 0 {
		*p = more
		return
	}
	p.Values = append(p.Values, more.Values...)
	p.Spread = append(p.Spread, more.Spread...)
	for j, values := range more.Outputs {
		p.Outputs[j] = append(p.Outputs[j], values...)
	}
	for j, values := range more.Spreads {
		p.Spreads[j] = append(p.Spreads[j], values...)
	}
	p.Uncovered += more.Uncovered
	p.OutOfRange += more.OutOfRange
	p.Limited += more.Limited
}

// SampleError reports a sample that cannot be predicted.
type SampleError struct {
	Sample  int    // from 0
	Message string // what is wrong with it
}

func (e *SampleError) Error() string { return fmt.Sprintf("model: sample %d: %s", e.Sample, e.Message) }

// responses are the responses of the rules, or of the members of a committee, to N samples.
type responses struct {
	values [][]float64 // [J][N]
	spread [][]float64 // [J][N], standard deviations over the members; nil without members
	how    []outcome   // [N]; of a committee those of the members combined
}

func newResponses(J, N int) responses {
	return responses{values: newRows(J, N), how: make([]outcome, N)}
}

// set sets the response to sample n to values [J].
func (r responses) set(n int, values []float64) {
	for j, v := range values {
		r.values[j][n] = v
	}
}

// outcome describes how a prediction was obtained.
type outcome struct {
	uncovered bool // no rule covers the sample
	limited   bool // the prediction was clamped to the target's limits
}

// predictionsAt returns predictions whose Values are value at of the response.
func predictionsAt(r responses, at int) Predictions {
	p := Predictions{Values: r.values[at]}
	if r.spread != nil {
		p.Spread = r.spread[at]
	}
	if len(r.values) > 1 {
		p.Outputs, p.Spreads = r.values, r.spread
	}
	return p
}

// newRows returns n rows of a width, which share one array.
func newRows(n, width int) [][]float64 {
	rows, cells := make([][]float64, n), make([]float64, n*width)
	for i := range rows {
		rows[i] = cells[i*width : (i+1)*width : (i+1)*width]
	}
	return rows
}

// blockRows is the number of samples that a goroutine processes at a time.
const blockRows = 1024

// eachRows calls do with blocks of n samples on all processors, until ctx ends. It returns the error of the first block with one.
func eachRows(ctx context.Context, n int, do func(block, start, end int) error) error {
	errs := make([]error, parallel.Blocks(n, blockRows))
	ended := parallel.Until(ctx, n, blockRows, func(block, start, end int) { errs[block] = do(block, start, end) })
	for _, err := range append(errs, ended) {
		if err != nil {
			return err
		}
	}
	return nil
}
