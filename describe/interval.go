package describe

import (
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// UsualLevel is the level of the prediction interval in reports.
const UsualLevel = 0.9

// Interval is a model's prediction interval of one level, with its coverage of a data set.
type Interval struct {
	Level     float64  `json:"level"`
	HalfWidth float64  `json:"half_width"`          // in the target's unit
	Samples   int      `json:"calibration_samples"` // of the calibration part
	Coverage  *float64 `json:"coverage,omitempty"`  // share of the data set's targets within the interval
}

// UsualInterval returns a model's interval of [UsualLevel]; nil if it has none.
func UsualInterval(m *model.Model) *Interval {
	half, err := m.HalfWidth(UsualLevel)
	if err != nil {
		return nil // not calibrated, or with fewer than 9 samples
	}
	return &Interval{Level: UsualLevel, HalfWidth: half, Samples: m.Calibration.Samples}
}

// MeasureInterval returns a model's interval of a level and its coverage on a data
// set. Its errors are those of [model.Model.HalfWidth] and [model.Model.Coverage].
func MeasureInterval(m *model.Model, level float64, d *data.Dataset) (*Interval, error) {
	half, err := m.HalfWidth(level)
	if err != nil {
		return nil, err
	}
	coverage, err := m.Coverage(d, level)
	if err != nil {
		return nil, err
	}
	return &Interval{Level: level, HalfWidth: half, Samples: m.Calibration.Samples, Coverage: &coverage}, nil
}

// String returns the interval in one line.
func (i Interval) String() string {
	s := fmt.Sprintf("%.4g%% prediction interval: plus and minus %.5g, from %d calibration samples", 100*i.Level, i.HalfWidth, i.Samples)
	if i.Coverage != nil {
		s += fmt.Sprintf("; it covers %.1f%% of the targets measured", 100**i.Coverage)
	}
	return s
}
