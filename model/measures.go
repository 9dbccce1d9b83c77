package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Measure is a measure of errors: how it is called, computed and printed wherever figures are shown or written.
type Measure struct {
	Key     string // in JSON
	Name    string // in words
	Heading string // of the terminal's column; empty: it has none
	Meaning string // in a clause

	Scaled bool                  // in the unit of the target; of several targets in standard deviations
	Higher bool                  // is better
	Of     func(Metrics) float64 // NaN for none
	Bound  func(Metrics) float64 // of the error of the value; nil: it is exact

	Criteria []string // names of those that it is the figure of, see [Criterion]

	// Constant and Linear are what summary.json calls the value of the baselines; a measure without Constant is of the test part only.
	Constant, Linear string

	Kept []string // the parts of which Training.Metrics has it

	applies func(Metrics) bool
	print   func(v float64) string
}

// Measures are all measures. Those of a task are in the order of its tables; models are compared by the first, or by
// the MAE: see [Criterion].
var Measures = []Measure{
	{Key: "pinball_loss", Name: "pinball loss", Heading: "pinball loss",
		Meaning: "the mean over the quantiles of the loss that each minimises",
		Scaled:  true, Constant: "quantiles", Criteria: []string{pinball.Name}, applies: ofQuantiles, print: amountText,
		Of: func(e Metrics) float64 { return numeric.WeightedMean(e.Pinball, nil) }},
	{Key: "deviance", Name: "deviance", Heading: "deviance", Meaning: "the mean of the unit deviances, zero for exact predictions",
		Constant: "mean", Criteria: []string{poisson.Name, gamma.Name, tweedie.Name}, applies: ofDeviance, print: amountText,
		Of: func(e Metrics) float64 { return numeric.OrNaN(e.Deviance) }},
	{Key: "rmse", Name: "RMSE", Heading: "RMSE", Meaning: "the root mean squared error, in the unit of the target",
		Scaled: true, Constant: "mean", Linear: "ols", Criteria: []string{rmse.Name}, Kept: []string{"train", "validation", "test"},
		applies: ofNumbers, print: amountText, Of: func(e Metrics) float64 { return e.RMSE }},
	{Key: "mae", Name: "MAE", Heading: "MAE", Meaning: "the mean absolute error, in the unit of the target",
		Scaled: true, Criteria: []string{mae.Name}, applies: ofNumbers, print: amountText, Of: func(e Metrics) float64 { return e.MAE }},
	{Key: "r2", Name: "R²", Heading: "R²", Meaning: "the share of the variance explained",
		Higher: true, applies: func(e Metrics) bool { return ofNumbers(e) && !ofTime(e) }, print: shareText,
		Of: func(e Metrics) float64 { return e.R2 }},
	{Key: "mase", Name: "MASE", Heading: "MASE",
		Meaning: "the mean absolute error over that of the seasonal naive forecast (without its lag, of the naive one) on the training part",
		applies: ofTime, print: shareText, Of: func(e Metrics) float64 { return numeric.OrNaN(e.Time.MASE) }},
	{Key: "nse", Name: "NSE", Heading: "NSE", Meaning: "the Nash-Sutcliffe efficiency, the share of the variance explained, R²",
		Higher: true, applies: ofTime, print: shareText, Of: func(e Metrics) float64 { return e.R2 }},
	{Key: "kge", Name: "KGE", Heading: "KGE",
		Meaning: "the Kling-Gupta efficiency, 1 less the distance of correlation, ratio of standard deviations and ratio of means from 1",
		Higher:  true, applies: ofTime, print: shareText, Of: func(e Metrics) float64 { return numeric.OrNaN(e.Time.KGE) }},

	{Key: "log_loss", Name: "log loss", Heading: "log loss", Meaning: "the mean of −log of the probability of the true class",
		Constant: "shares", Linear: "logistic", Criteria: []string{logLoss.Name}, Kept: []string{"test"},
		applies: ofClasses, print: amountText, Of: func(e Metrics) float64 { return e.Classes.LogLoss }},
	{Key: "accuracy", Name: "accuracy", Heading: "accuracy", Meaning: "the share of the rows whose class is predicted right",
		Higher: true, Constant: "majority", Linear: "logistic", Kept: []string{"test"}, applies: ofClasses, print: shareText,
		Of: func(e Metrics) float64 { return e.Classes.Accuracy }},
	{Key: "balanced_accuracy", Name: "balanced accuracy", Heading: "balanced",
		Meaning: "the mean over the classes of the share of their rows that is predicted right",
		Higher:  true, applies: ofClasses, print: shareText, Of: func(e Metrics) float64 { return e.Classes.BalancedAccuracy }},
	{Key: "auc", Name: "AUC", Heading: "AUC",
		Meaning: "the chance that a row of a class has a higher probability of it than a row of another class, " +
			"of more than two classes the mean, of two that of the second",
		Higher: true, applies: ofClasses, print: shareText, Of: func(e Metrics) float64 { return numeric.OrNaN(e.Classes.AUC) },
		Bound: func(e Metrics) float64 { return e.Classes.AUCError }},
	{Key: "brier", Name: "Brier score", Heading: "Brier", Meaning: "the mean squared error of the probabilities",
		applies: ofClasses, print: shareText, Of: func(e Metrics) float64 { return e.Classes.Brier }},
	{Key: "calibration_error", Name: "calibration error", Meaning: "the mean distance between predicted probabilities and observed shares",
		applies: ofClasses, print: shareText, Of: func(e Metrics) float64 { return e.Classes.CalibrationError }},
}

func ofNumbers(e Metrics) bool   { return e.Classes == nil }
func ofTime(e Metrics) bool      { return e.Time != nil }
func ofClasses(e Metrics) bool   { return e.Classes != nil }
func ofQuantiles(e Metrics) bool { return e.Pinball != nil }
func ofDeviance(e Metrics) bool  { return e.Deviance != nil }

// remark is what tables say about errors of a task.
type remark struct {
	is       func(Metrics) bool
	constant string // what a sample gets that no rule covers
	note     string // which values the measures are of
}

var remarks = []remark{
	{ofClasses, "shares of the classes in training", ""},
	{ofQuantiles, "training quantiles", "RMSE, MAE and R² are those of the middle quantile."},
	{Metrics.Joint, "training mean", "Those of all targets are means in standard deviations."},
	{ofNumbers, "training mean", ""},
}

func (e Metrics) remark() remark {
	return remarks[slices.IndexFunc(remarks, func(r remark) bool { return r.is(e) })]
}

// Constant returns what a sample gets that no rule covers, in words.
func (e Metrics) Constant() string { return e.remark().constant }

// Note says in a sentence which values the measures are of; it is empty if there is only one.
func (e Metrics) Note() string { return e.remark().note }

// Joint reports whether the errors are those of several targets together.
func (e Metrics) Joint() bool { return e.Targets != nil }

// Absent returns how many of the classes have no sample; 0, 0 without classes.
func (e Metrics) Absent() (absent, classes int) {
	if !ofClasses(e) {
		return 0, 0
	}
	return e.Classes.Absent, len(e.Classes.Confusion)
}

// amountText formats a number with five significant digits.
func amountText(v float64) string { return numeric.Show(v, 5) }

// shareText formats a number that is 1 at most with four decimals, very large ones as amountText does, and no minus before a zero.
func shareText(v float64) string {
	if math.Abs(v) >= 1e6 {
		return amountText(v)
	}
	return strconv.FormatFloat(math.Round(v*1e4)/1e4+0, 'f', 4, 64)
}

// Measures returns the measures of the task of the errors.
func (e Metrics) Measures() []Measure {
	return slices.DeleteFunc(slices.Clone(Measures), func(m Measure) bool { return !m.applies(e) })
}

// MeasureOf returns the measure that is the figure of a criterion of a name.
func MeasureOf(criterion string) (m Measure, ok bool) {
	i := slices.IndexFunc(Measures, func(m Measure) bool { return slices.Contains(m.Criteria, criterion) })
	if i < 0 {
		return Measure{}, false
	}
	return Measures[i], true
}

// Text returns the value as tables show it, with the bound of its error if that is seen; a dash for none.
func (m Measure) Text(e Metrics) string {
	text := "–"
	if v := m.Of(e); !math.IsNaN(v) {
		text = m.print(v)
	}
	if m.Bound != nil && m.Bound(e) >= 0.5e-4 {
		text += fmt.Sprintf(" ± %.1g", m.Bound(e))
	}
	return text
}

// String returns the measures of tables in one line.
func (e Metrics) String() string {
	var b strings.Builder
	for _, m := range e.Measures() {
		if m.Heading != "" {
			fmt.Fprintf(&b, "%s %s, ", m.Name, numeric.Grouped(m.Text(e)))
		}
	}
	s := fmt.Sprintf("%s over %s %s", strings.TrimSuffix(b.String(), ", "), numeric.Count(e.Samples), numeric.SamplesWord(e.Weighted))
	if absent, classes := e.Absent(); absent > 0 {
		s += fmt.Sprintf("; %d of %d classes have no sample there", absent, classes)
	}
	return s
}

// ClassMetrics are the measures of class probabilities.
type ClassMetrics = metric.Classes

// Metrics are the errors of predictions. RMSE, MAE and R2 are those of Predictions.Values in the target's unit; of several targets means
// over the targets in standard deviations; zero for classes.
type Metrics struct {
	Target     string  `json:"target,omitempty"` // name, in Targets
	Samples    int     `json:"samples"`
	Weighted   bool    `json:"weighted,omitempty"` // RMSE, MAE and R2 are weighted means
	RMSE       float64 `json:"rmse"`
	MAE        float64 `json:"mae"`
	R2         float64 `json:"r2"` // for a constant target: 1 if predicted exactly, otherwise 0
	Uncovered  int     `json:"uncovered_points"`
	OutOfRange int     `json:"out_of_range"`
	Limited    int     `json:"limited"` // see Predictions

	Loss float64 `json:"-"` // the figure by which models are compared, see Criterion: RMSE for the squared loss

	Deviance *float64      `json:"deviance,omitempty"` // mean unit deviance, of counts and costs
	Pinball  []float64     `json:"pinball,omitempty"`  // [C] mean pinball loss of each quantile, in the target's unit
	Targets  []Metrics     `json:"targets,omitempty"`  // [C], of several targets
	Classes  *ClassMetrics `json:"classes,omitempty"`
	Time     *TimeMetrics  `json:"time,omitempty"` // of samples of a table of time stamps
}

// MeasureValues compares predictions with targets [N], N at least 1. Weights [N] must be
// positive; nil: all one. Squares do not overflow; R2 is at least -math.MaxFloat64.
func MeasureValues(predicted, target, weights []float64) Metrics {
	e := Metrics{Samples: len(target), Weighted: weights != nil}
	largest := 0.0
	for i, t := range target {
		largest = max(largest, math.Abs(predicted[i]-t))
	}
	if largest == 0 {
		e.R2 = 1
		return e
	}
	total := numeric.WeightSum(weights, len(target))
	squares, absolute := 0.0, 0.0
	for i, t := range target {
		d, w := math.Abs(predicted[i]-t)/largest, numeric.WeightAt(weights, i)
		squares += float64(w * (d * d))
		absolute += float64(w * d)
	}
	e.RMSE = largest * math.Sqrt(squares/total)
	e.Loss = e.RMSE
	e.MAE = largest * (absolute / total)
	_, sd, _, _ := moments(target, weights)
	e.R2 = determination(e.RMSE, sd, len(target))
	return e
}

// determination returns R2 of n predictions, given the standard deviation of the target.
func determination(rmse, sd float64, n int) float64 {
	switch {
	case rmse == 0:
		return 1
	case !(sd > 0):
		return 0
	}
	ratio := rmse / sd
	return max(1-float64(ratio*ratio*(float64(n)/float64(n-1))), -math.MaxFloat64)
}
