package page

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// curve is the learning curve of a model or of a member of a committee.
type curve struct {
	Member     int        `json:"member"`           // from 1; 0 for a single model
	Metric     string     `json:"metric,omitempty"` // of the loss; empty: RMSE
	Updates    []int      `json:"updates"`
	Batch      []float64  `json:"batch"`                // root mean square of the batches' metrics since the last point
	Validation []*float64 `json:"validation,omitempty"` // the last one since the last point; null without one
}

// A curve has at most maxCurve points. If at least leastCurve points remain, each covers
// perPoint updates or more, to smooth the noise of mini-batches.
const (
	maxCurve   = 200
	leastCurve = 50
	perPoint   = 8
)

// learning returns the learning curve of each member.
func learning(metrics []optim.Metrics) []curve {
	var curves []curve
	for _, of := range optim.ByMember(metrics) {
		curves = append(curves, newCurve(of[0].Member, of))
	}
	return curves
}

// newCurve returns the curve of the metrics of a model. Updates are counted over all rounds of pruning.
func newCurve(member int, metrics []optim.Metrics) curve {
	c := curve{Member: member, Metric: metrics[0].Metric}
	validated := false
	n := min(len(metrics), maxCurve, max(leastCurve, len(metrics)/perPoint))
	for i := range n {
		from, to := i*len(metrics)/n, (i+1)*len(metrics)/n
		norm := 0.0
		var validation *float64
		for _, m := range metrics[from:to] {
			norm = math.Hypot(norm, m.Batch) // the sum of squares could overflow
			if m.Validation != nil {
				v := rounded(*m.Validation)
				validation, validated = &v, true
			}
		}
		c.Updates = append(c.Updates, to)
		c.Batch = append(c.Batch, rounded(norm/math.Sqrt(float64(to-from))))
		c.Validation = append(c.Validation, validation)
	}
	if !validated {
		c.Validation = nil
	}
	return c
}

// pathPoint is a step of a pruning path.
type pathPoint struct {
	Rules      int      `json:"rules"`
	Train      float64  `json:"train"`
	Validation *float64 `json:"validation"`
	Error      *float64 `json:"error"` // the standard error of Validation
	Fidelity   *float64 `json:"fidelity"`
	Chosen     bool     `json:"chosen"`
}

func path(s *report.Summary) []pathPoint {
	if s == nil {
		return nil
	}
	var points []pathPoint
	for _, step := range s.Path {
		points = append(points, pathPoint{step.Rules, step.LossTrain, step.LossValidation, step.StandardError, step.Fidelity,
			step.Rules == s.Rules})
	}
	return points
}

// Limits of the section on errors of classes.
const (
	mostClasses = 26  // in the confusion matrix
	mostCurves  = 10  // receiver operating characteristics
	mostSteps   = 500 // of a curve
	chances     = 30  // bins of probabilities
)

// classErrors are the errors of a model of classes: what the section on errors shows in place of residuals.
type classErrors struct {
	ROC         []rocCurve    `json:"roc"`
	Calibration []metric.Bin  `json:"calibration"`
	Of          string        `json:"of"` // whose probability is calibrated
	Histogram   *numeric.Bins `json:"histogram"`

	confusion confusion
}

// rocCurve is the receiver operating characteristic of a class.
type rocCurve struct {
	Class string    `json:"class"`
	AUC   float64   `json:"auc"`
	X     []float64 `json:"x"` // false positive rate
	Y     []float64 `json:"y"`
}

// confusion is the table of the confusion matrix.
type confusion struct {
	Note  string
	Names []string
	Rows  []confusionRow
}

type confusionRow struct {
	Name  string
	Cells []confusionCell
}

// confusionCell is a weight of samples with its share of the row.
type confusionCell struct {
	Count string
	Share float64
	Right bool // on the diagonal
}

// newClassErrors returns the errors of class probabilities; nil for a target of numbers.
func newClassErrors(m *model.Model, d *data.Dataset, p model.Predictions) *classErrors {
	names := m.Schema.Classes
	if names == nil {
		return nil
	}
	c := metric.MeasureClasses(p.Outputs, d.Y, d.Weights)
	e := &classErrors{Calibration: c.Calibration, Of: "the most probable class", confusion: newConfusion(c, names)}
	if len(names) == 2 {
		e.Of = names[1]
	}
	e.Histogram = &numeric.Bins{To: 1, Counts: numeric.Histogram(metric.Chance(p.Outputs), 0, 1, chances)}
	for _, k := range metric.MostConfused(c.Confusion, mostCurves) {
		if curve, ok := metric.ROC(p.Outputs[k], d.Y, k, d.Weights); ok && (len(names) > 2 || k == 1) {
			short := curve.Corners(mostSteps)
			r := rocCurve{Class: names[k], AUC: curve.AUC}
			for i := range short.FPR {
				r.X, r.Y = append(r.X, rounded(short.FPR[i])), append(r.Y, rounded(short.TPR[i]))
			}
			e.ROC = append(e.ROC, r)
		}
	}
	return e
}

// newConfusion returns the confusion matrix of the most confused classes.
func newConfusion(c metric.Classes, names []string) confusion {
	chosen := metric.MostConfused(c.Confusion, mostClasses)
	t := confusion{Note: "Rows are the true classes, columns the predicted ones; the shares are those of the row."}
	if len(chosen) < len(names) {
		t.Note += fmt.Sprintf(" The %d most confused of %d classes.", len(chosen), len(names))
	}
	for _, i := range chosen {
		t.Names = append(t.Names, names[i])
		total := 0.0
		for _, w := range c.Confusion[i] {
			total += w
		}
		row := confusionRow{Name: names[i]}
		for _, j := range chosen {
			cell := confusionCell{Count: value(c.Confusion[i][j]), Right: i == j}
			if total > 0 {
				cell.Share = c.Confusion[i][j] / total
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
