package model

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// Response says what a model predicts: how the C outputs of the rules become its J values. It is of one of six kinds:
//
//	one number       identity link, C = J = 1: the zero value
//	several targets  identity link with Targets, C = J
//	quantiles        ordered link with Quantiles, C = J
//	count or amount  log link, C = J = 1
//	two classes      logit link with Classes, C = 1, for the second, and J = 2
//	classes          softmax link with Classes, C = J
//
// What depends on the kind are methods of [Preprocessing] and [Model], [Preprocessing.Values] above all.
type Response struct {
	Link string `json:"link"` // see loss.LookupLink; empty: identity

	// Targets [C] are several targets, with the identity link. The first is Preprocessing.Target.
	Targets []Target  `json:"targets,omitempty"`
	Weights []float64 `json:"weights,omitempty"` // [C] of the targets in Metrics.Loss; nil: all one

	// Quantiles [C] are the levels of quantiles, ascending, with the ordered link.
	Quantiles []float64 `json:"quantiles,omitempty"`

	// TrainingQuantiles [C] are those of the training targets: what a sample that no rule covers gets.
	TrainingQuantiles []float64 `json:"training_quantiles,omitempty"`

	// Power of the mean that the variance of an amount grows with, the Power of [loss.Tweedie]; 0: of a count, or a cost above zero.
	Power float64 `json:"power,omitempty"`

	// Classes [K] are the classes in the order of the schema. C is K with the softmax link,
	// and 1, for the second of two classes, with the logit link.
	Classes []Class `json:"classes,omitempty"`
}

// Class is a class of the target.
type Class struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"` // weighted, of the training part: what a sample that no rule covers gets
}

// Value is a value that a model predicts: a target, a quantile of the target, or the probability of a class.
type Value struct {
	Name      string  // of the target, or of the class
	Short     string  // Name or, of a quantile, such as 5% quantile
	Key       string  // Name or, of a quantile, Column: no other value has it
	Title     string  // Name, 5% quantile of y, or probability of a class
	Unit      string  // none of a probability
	Level     float64 // of a quantile; 0: it is none
	Target            // mean, range and limits of what it predicts; of a probability 0, and from 0 to 1
	Uncovered float64 // for a sample that no rule covers

	// Scale is the unit in which its errors are compared with those of the other values: the standard deviation of one of
	// several targets, 1 of a probability; 0: they are in the unit of the only target.
	Scale float64

	Column string  // of [Model.PredictTable]
	weight float64 // in means over several targets
	power  float64 // Response.Power
	ending string  // of the columns with what rules say, see [TableOptions.Columns]

	Origin, Factor float64 // the value is Origin + Factor v for the value v of the link
}

// Names of links in package loss.
const (
	identityLink = "identity"
	orderedLink  = "ordered"
	logLink      = "log"
	logitLink    = "logit"
	softmaxLink  = "softmax"
)

// IsZero reports whether the response is one number, which files leave out.
func (r Response) IsZero() bool { return r.link() == identityLink && r.Targets == nil }

func (r Response) link() string {
	if r.Link == "" {
		return identityLink
	}
	return r.Link
}

// same reports whether two responses, such as those of a committee and of a member,
// have the same link, power, numbers of targets, quantiles and classes.
func (r Response) same(o Response) bool {
	return r.link() == o.link() && r.Power == o.Power && len(r.Targets) == len(o.Targets) && slices.Equal(r.Quantiles, o.Quantiles) &&
		slices.EqualFunc(r.Classes, o.Classes, func(x, y Class) bool { return x.Name == y.Name })
}

// Words are how people name the response of a model.
type Words struct {
	Kind     string // number, targets, quantiles, count, two classes or classes
	Start    int    // the value of interest: the first, of quantiles the one nearest to the median, of two classes the second
	Constant string // what a sample gets that no rule covers, such as training mean
	Plural   bool   // of Constant
}

// Choice returns the name of the value among those of the model: the level of a quantile, such as 0.05, else Name.
func (v Value) Choice() string {
	if v.Level != 0 {
		return levelName(v.Level)
	}
	return v.Name
}

// levelName returns the level of a quantile, such as 0.05.
func levelName(level float64) string { return strconv.FormatFloat(level, 'g', -1, 64) }

// objective is what a preprocessing says about what is predicted.
type objective struct {
	Schema   data.Schema
	Target   Target
	Response Response
}

// alone returns the objective of one number.
func (o objective) alone() objective {
	o.Schema.Classes, o.Schema.Others, o.Schema.Offset, o.Response = nil, nil, data.Offset{}, Response{}
	return o
}

// Predictions are the results of [Model.Predict] for N samples.
type Predictions struct {
	// Values [N] are in the target's unit: of several targets the first, of quantiles the one
	// nearest to the median, of classes the index of the most probable one.
	Values []float64

	// Outputs [J][N] are all targets, all quantiles, or the probabilities of all K classes; nil for a single number.
	Outputs [][]float64

	// Spread [N] is the standard deviation (divisor K-1) of Values over the K members of a
	// committee, for classes that of the probability of the class; nil for a single model.
	Spread  []float64
	Spreads [][]float64 // [J][N], of Outputs; nil for a single model or a single number

	Uncovered  int // samples that no rule covers (in a committee: of any member); they get the training mean
	OutOfRange int // samples with a feature outside the range seen in training
	Limited    int // predictions clamped to the target's limits, see Target.Limits

	scales []float64 // [N] of the spread of the model's calibration; nil without one
	how    []outcome // [N]
}

// scale returns what the score of sample n is divided by, see [Spread]; one without a spread.
func (p Predictions) scale(n int) float64 {
	if p.scales == nil {
		return 1
	}
	return p.scales[n]
}

// All returns all values [J][N]: Outputs or, of a single number, Values alone.
func (p Predictions) All() [][]float64 {
	if p.Outputs == nil {
		return [][]float64{p.Values}
	}
	return p.Outputs
}

// expose multiplies the predictions of a rate, see [data.Offset], by the exposures of the first samples; none leave them.
func (p *Predictions) expose(exposures []float64) {
	for _, values := range [][]float64{p.Values, p.Spread} {
		for n := range values[:min(len(values), len(exposures))] {
			values[n] *= exposures[n]
		}
	}
}

// add adds the predictions of further samples.
func (p *Predictions) add(more Predictions) {
	if len(p.Values) == 0 {
		*p = more
		return
	}
	p.Values = append(p.Values, more.Values...)
	p.Spread = append(p.Spread, more.Spread...)
	p.scales = append(p.scales, more.scales...)
	p.how = append(p.how, more.how...)
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
