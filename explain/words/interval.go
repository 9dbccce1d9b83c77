package words

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/model"
)

// UsualLevel is the level of the prediction intervals and sets in reports.
const UsualLevel = 0.9

// Interval describes a model's prediction intervals of one level or, of classes, its prediction
// sets, with their coverage of a data set.
type Interval struct {
	Level     float64  `json:"level"`
	HalfWidth *float64 `json:"half_width,omitempty"` // in the target's unit, of intervals of constant width
	Samples   int      `json:"calibration_samples"`  // of the calibration part
	Coverage  *float64 `json:"coverage,omitempty"`   // share of the data set's samples whose targets they hold

	// Mean sizes on the data set: MeanWidth of intervals of other widths, see
	// [model.Model.Coverage], MeanClasses of sets.
	MeanWidth   *float64 `json:"mean_width,omitempty"`
	MeanClasses *float64 `json:"mean_classes,omitempty"`

	Targets int  `json:"-"` // number of targets
	Sets    bool `json:"-"` // of classes
}

// UsualInterval returns a model's intervals of [UsualLevel]; nil if it has none.
func UsualInterval(m *model.Model) *Interval {
	i, err := newInterval(m, UsualLevel)
	if err != nil {
		return nil // not calibrated, or with fewer than 9 samples
	}
	return i
}

func newInterval(m *model.Model, level float64) (*Interval, error) {
	if _, err := m.Score(level); err != nil {
		return nil, err
	}
	i := &Interval{Level: level, Samples: m.Calibration.Samples, Targets: len(m.Schema.Targets()), Sets: m.Schema.Classes != nil}
	if half, err := m.HalfWidth(level); err == nil {
		i.HalfWidth = &half
	}
	return i, nil
}

// MeasureInterval returns a model's intervals of a level with their coverage of a data
// set. Its errors are those of [model.Model.Coverage].
func MeasureInterval(ctx context.Context, m *model.Model, level float64, d *data.Dataset) (*Interval, error) {
	i, err := newInterval(m, level)
	if err != nil {
		return nil, err
	}
	coverage, size, err := m.Coverage(ctx, d, level)
	if err != nil {
		return nil, err
	}
	i.Coverage = &coverage
	switch {
	case i.Sets:
		i.MeanClasses = &size
	case i.HalfWidth == nil:
		i.MeanWidth = &size
	}
	return i, nil
}

// String returns the intervals in one line.
func (i Interval) String() string {
	s := fmt.Sprintf("%.4g%% prediction interval", 100*i.Level)
	switch {
	case i.HalfWidth != nil:
		s += ": plus or minus " + digits.Show(*i.HalfWidth, 5)
	case i.MeanWidth != nil:
		s += ": " + digits.Show(*i.MeanWidth, 5) + " wide on average"
		if i.Targets > 1 {
			s += " in standard deviations of the targets"
		}
	case i.Sets:
		s = fmt.Sprintf("%.4g%% prediction set", 100*i.Level)
		if i.MeanClasses != nil {
			mean, what := fmt.Sprintf("%.3g", *i.MeanClasses), "classes"
			if mean == "1" {
				what = "class"
			}
			s += ": " + mean + " " + what + " on average"
		}
	}
	s += fmt.Sprintf(", from %d calibration samples", i.Samples)
	if i.Coverage == nil {
		return s
	}
	what := "the targets measured"
	if i.Targets > 1 {
		what = "the rows measured, with all their targets"
	}
	return s + fmt.Sprintf("; it covers %.1f%% of %s", 100**i.Coverage, what)
}
