package page

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/report"
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

// newCurve returns the curve of the metrics of a model. Updates are counted over all rounds of
// pruning.
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
		points = append(points, pathPoint{step.Rules, step.LossTrain, step.LossValidation, step.StandardError, step.Fidelity, step.Rules == s.Rules})
	}
	return points
}
