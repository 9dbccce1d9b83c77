package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Adapted is what intervals or sets hold whose level follows the rows in time order, see [Model.Adapt].
type Adapted struct {
	Rate      float64  `json:"rate"`
	Coverage  float64  `json:"coverage"`            // share of the rows whose targets they hold
	MeanSize  *float64 `json:"mean_size,omitempty"` // of those with limits, see [Model.Coverage]; nil if there are none
	Unlimited int      `json:"unlimited"`           // rows whose level was beyond the calibration: anything is held
	Level     float64  `json:"last_level"`          // after the last row
}

// Adapt measures intervals or sets by adaptive conformal inference (I. Gibbs, E. Candès, Adaptive conformal inference under distribution
// shift, NeurIPS 2021) on samples in time order, with their predictions. The level of the next sample rises by rate times level where a
// target is not held, and falls by rate times (1 - level) where it is, so that their coverage over many samples approaches the level
// whatever they are. Intervals of a level of zero or less hold nothing. Weights are ignored: each sample is one moment. Its errors are
// those of [Model.Score], and a rate that is not between 0 and 1.
func (m *Model) Adapt(p Predictions, d *data.Dataset, level float64, side Side, rate float64) (*Adapted, error) {
	if !(rate > 0 && rate < 1) {
		return nil, fmt.Errorf("model: rate %v of adaptive intervals: must lie between 0 and 1, such as 0.005", rate)
	}
	if _, err := m.Score(level, side); err != nil {
		return nil, err
	}
	if err := checkCalibrated(m, p, d.Len()); err != nil {
		return nil, err
	}
	a := &Adapted{Rate: rate, Level: level}
	size := 0.0
	for n := range d.Y {
		held := true
		switch score, err := m.Score(a.Level, side); {
		case a.Level <= 0:
			held = false
		case err != nil:
			a.Unlimited++
		default:
			one, sizes := heldBy(m, d.Subset([]int{n}), p.row(n), score, side)
			held = one[0]
			size += sizes[0]
		}
		if held {
			a.Coverage++
			a.Level -= float64(rate * (1 - level))
		} else {
			a.Level += float64(rate * level)
		}
	}
	a.Coverage /= float64(d.Len())
	if limited := d.Len() - a.Unlimited; limited > 0 {
		a.MeanSize = numeric.OrNil(size / float64(limited))
	}
	return a, nil
}

// String returns the figures in one line.
func (a Adapted) String() string {
	s := fmt.Sprintf("in the order of the rows, with a level that follows them (rate %v): covers %.1f%%", a.Rate, 100*a.Coverage)
	if a.MeanSize != nil {
		s += ", mean size " + numeric.Show(*a.MeanSize, 5)
	}
	if a.Unlimited > 0 {
		s += fmt.Sprintf(", %s without limits", numeric.Counted(a.Unlimited, "row"))
	}
	return s + fmt.Sprintf("; the last level is %.4g", math.Round(a.Level*1e4)/1e4)
}

// row returns the prediction of one sample.
func (p Predictions) row(n int) Predictions {
	one := Predictions{Values: p.Values[n : n+1]}
	for _, values := range p.Outputs {
		one.Outputs = append(one.Outputs, values[n:n+1])
	}
	if p.scales != nil {
		one.scales = p.scales[n : n+1]
	}
	return one
}
