// Package model holds what is saved and predicts: a rulebase together with the
// preprocessing that leads from a table's own units to it.
//
//	m, err := model.Load("model.json")
//	p, err := m.Predict(x) // x [N][M], in the order of m.Schema.Features()
//
// A program that only loads and predicts links no Gorgonia: beside the standard
// library only the parser of formulas.
package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/internal/parallel"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/rules"
)

// Model predicts a target from features in their own units: by one rulebase, or,
// as a committee, by the mean of its members' predictions.
type Model struct {
	Preprocessing
	RuleBase    *rules.RuleBase // over the scaled features that are used; nil for a committee
	Training    Training
	Rules       []RuleSummary // [R]; nil for a committee
	Members     []*Model      // of a committee, see NewCommittee; else nil
	Calibration *Calibration  // of prediction intervals; nil without them
}

// Training says how a model came to be.
type Training struct {
	Samples    int                `json:"samples"`    // of the training part
	Iterations int                `json:"iterations"` // after which the parameters were kept
	Seed       uint64             `json:"seed"`
	Engine     string             `json:"engine"`
	Options    map[string]string  `json:"options"`  // what it was trained with, by key of the configuration
	Versions   map[string]string  `json:"versions"` // of tskgraph, Go and Gorgonia
	Metrics    map[string]float64 `json:"metrics"`  // such as rmse_train, in the target's unit
}

// RuleSummary says what a rule does on the training part.
type RuleSummary struct {
	Share   float64 `json:"share"`   // weighted mean normalised firing level; the shares of all rules add up to at most 1
	Samples int     `json:"samples"` // for which it fires more strongly than any other rule
}

// New joins a rulebase to its preprocessing and sums up the rules over the
// training samples, x [N][M] in the order of the schema's features with weights [N] (nil:
// all one).
func New(p Preprocessing, rb *rules.RuleBase, x [][]float64, weights []float64, t Training) (*Model, error) {
	m := &Model{Preprocessing: p, RuleBase: rb, Training: t}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	m.Rules = make([]RuleSummary, rb.Rules())
	total := weighted.Sum(weights, len(x))
	blocks := make([]error, parallel.Blocks(len(x), blockRows))
	summaries := make([][]RuleSummary, len(blocks))
	parallel.For(len(x), blockRows, func(block, start, end int) {
		scaled, err := p.scale(x[start:end], start)
		if err != nil {
			blocks[block] = err
			return
		}
		summaries[block] = summarise(rb.FiringLevels(scaled, nil), weights[min(start, len(weights)):], total)
	})
	for block, err := range blocks {
		if err != nil {
			return nil, err
		}
		for r, s := range summaries[block] {
			m.Rules[r].Share += s.Share
			m.Rules[r].Samples += s.Samples
		}
	}
	return m, nil
}

// summarise sums up the rules over some of the samples, by their normalised firing
// levels and weights; total is the sum of all weights.
func summarise(levels [][]float64, weights []float64, total float64) []RuleSummary {
	rules := make([]RuleSummary, len(levels[0]))
	for n, f := range levels {
		w := weighted.At(weights, n)
		strongest := 0
		for r, level := range f {
			rules[r].Share += w * level / total
			if level > f[strongest] {
				strongest = r
			}
		}
		if f[strongest] > 0 {
			rules[strongest].Samples++
		}
	}
	return rules
}

// blockRows is how many samples a goroutine takes at a time.
const blockRows = 1024

// Predictions for a number of samples.
type Predictions struct {
	Values     []float64 // [N], in the target's unit
	Spread     []float64 // [N], standard deviation (divisor K-1) over the K members of a committee; nil for a single model
	Uncovered  int       // samples that no rule covers (of some member, in a committee): the training mean stands in
	OutOfRange int       // samples with a feature outside the range seen in training
	Limited    int       // predictions kept within the target's limits, see Target.Margin
}

// SampleError is a sample that cannot be predicted.
type SampleError struct {
	Sample  int    // from 0
	Message string // what is wrong with it
}

func (e *SampleError) Error() string { return fmt.Sprintf("model: sample %d: %s", e.Sample, e.Message) }

// Predict predicts the samples x [N][M], features in their own units and in the
// order of Schema.Features(), on at most GOMAXPROCS goroutines. The prediction of a
// sample does not depend on the others. A missing value (NaN) takes the training mean if the model was trained
// with missing: mean. Anything else that is not finite, and a row of the wrong
// length, is a *SampleError, for the first such sample. Constant features are not
// looked at. A model that cannot predict is refused, see [Model.Validate].
func (m *Model) Predict(x [][]float64) (Predictions, error) {
	if err := m.Validate(); err != nil {
		return Predictions{}, err
	}
	p := Predictions{Values: make([]float64, len(x))}
	if m.Committee() {
		p.Spread = make([]float64, len(x))
	}
	blocks := make([]Predictions, parallel.Blocks(len(x), blockRows))
	errs := make([]error, len(blocks))
	parallel.For(len(x), blockRows, func(block, start, end int) {
		blocks[block], errs[block] = m.predict(x[start:end], start)
		copy(p.Values[start:end], blocks[block].Values)
		copy(p.Spread[min(start, len(p.Spread)):], blocks[block].Spread)
	})
	for block, err := range errs {
		if err != nil {
			return Predictions{}, err
		}
		p.Uncovered += blocks[block].Uncovered
		p.OutOfRange += blocks[block].OutOfRange
		p.Limited += blocks[block].Limited
	}
	return p, nil
}

// predict predicts samples that are numbered from first, in the caller's
// goroutine.
func (m *Model) predict(x [][]float64, first int) (Predictions, error) {
	values, spread, how, err := m.predictBlock(x, first)
	if err != nil {
		return Predictions{}, err
	}
	p := Predictions{Values: values, Spread: spread}
	for i, row := range x {
		if how[i].uncovered {
			p.Uncovered++
		}
		if how[i].limited {
			p.Limited++
		}
		if m.outOfRange(row) {
			p.OutOfRange++
		}
	}
	return p, nil
}

// predictRules predicts samples that are numbered from first by the model's own
// rulebase: values [N], and how each came about. Samples that no rule covers take
// the training mean.
func (m *Model) predictRules(x [][]float64, first int) (values []float64, how []outcome, err error) {
	scaled, err := m.scale(x, first)
	if err != nil {
		return nil, nil, err
	}
	values, covered := m.RuleBase.Forward(scaled, nil)
	how = make([]outcome, len(x))
	for i, v := range values {
		values[i], how[i].limited = m.Target.value(v)
		if !covered[i] || !numeric.Finite(values[i]) {
			values[i], how[i] = m.Target.Mean, outcome{uncovered: true}
		}
	}
	return values, how, nil
}

// outcome says how a prediction came about.
type outcome struct {
	uncovered bool // no rule covers the sample
	limited   bool // it was kept within the target's limits
}

// Metrics are the errors of predictions, in the target's unit.
type Metrics struct {
	Samples    int     `json:"samples"`
	Weighted   bool    `json:"weighted,omitempty"` // RMSE, MAE and R2 are by means over weighted samples
	RMSE       float64 `json:"rmse"`
	MAE        float64 `json:"mae"`
	R2         float64 `json:"r2"` // for a constant target: 1 if predicted exactly, else 0
	Uncovered  int     `json:"uncovered_points"`
	OutOfRange int     `json:"out_of_range"`
	Limited    int     `json:"limited"` // see Predictions
}

// Evaluate predicts a data set of the model's schema and measures the errors, weighted
// if it has weights: samples of weight zero are left out. A data set that is not valid,
// or has other features, is a *data.Error. Missing values are filled in where the data
// set was read to have some, see [Preprocessing.Fill].
func (m *Model) Evaluate(d *data.Dataset) (Metrics, error) {
	if err := m.Validate(); err != nil {
		return Metrics{}, err
	}
	if err := m.CheckFeatures(d); err != nil {
		return Metrics{}, err
	}
	d, err := d.Weighed()
	if err != nil {
		return Metrics{}, err
	}
	p, err := m.Predict(m.Fill(d).X)
	if err != nil {
		return Metrics{}, err
	}
	e := Measure(p.Values, d.Y, d.Weights)
	e.Uncovered, e.OutOfRange, e.Limited = p.Uncovered, p.OutOfRange, p.Limited
	return e, nil
}

// MeasureMean measures the errors of predicting the training mean for every sample of a data set.
func (t Target) MeasureMean(d *data.Dataset) Metrics {
	predicted := make([]float64, d.Len())
	for i := range predicted {
		predicted[i] = t.Mean
	}
	return Measure(predicted, d.Y, d.Weights)
}

// Measure compares predictions with targets; there must be at least one. Samples are
// weighted, unless weights is nil; all must be positive. Squares do not overflow: R2 is
// at least -math.MaxFloat64.
func Measure(predicted, target, weights []float64) Metrics {
	e := Metrics{Samples: len(target), Weighted: weights != nil}
	largest := 0.0
	for i, t := range target {
		largest = max(largest, math.Abs(predicted[i]-t))
	}
	if largest == 0 {
		e.R2 = 1
		return e
	}
	n, total := float64(len(target)), weighted.Sum(weights, len(target))
	squares, absolute := 0.0, 0.0
	for i, t := range target {
		d, w := math.Abs(predicted[i]-t)/largest, weighted.At(weights, i)
		squares += float64(w * (d * d))
		absolute += float64(w * d)
	}
	e.RMSE = largest * math.Sqrt(squares/total)
	e.MAE = largest * (absolute / total)
	if _, sd, _, _ := moments(target, weights); sd > 0 {
		ratio := e.RMSE / sd
		e.R2 = max(1-float64(ratio*ratio*(n/(n-1))), -math.MaxFloat64)
	}
	return e
}

// String returns the metrics in one line.
func (e Metrics) String() string {
	return fmt.Sprintf("RMSE %.6g, MAE %.6g, R2 %.4f over %d %s", e.RMSE, e.MAE, e.R2, e.Samples, weighted.Samples(e.Weighted))
}
