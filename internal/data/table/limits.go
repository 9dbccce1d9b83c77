package table

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Limits are the least and the greatest number of a column, beyond which a cell counts as the limit; nil for one that is absent. A nil
// *Limits has neither.
type Limits struct {
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// NewLimits returns limits, of which an infinite one is absent.
func NewLimits(low, high float64) *Limits { return &Limits{numeric.OrNil(low), numeric.OrNil(high)} }

// Ends returns the limits, an infinity for one that is absent.
func (l *Limits) Ends() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if l != nil && l.Low != nil {
		low = *l.Low
	}
	if l != nil && l.High != nil {
		high = *l.High
	}
	return low, high
}

// Of returns a number within the limits; NaN for NaN.
func (l *Limits) Of(v float64) float64 {
	low, high := l.Ends()
	return max(low, min(high, v))
}

// String returns the range: "0..5000", or "at most 5000" and "at least 0".
func (l *Limits) String() string {
	low, high := l.Ends()
	switch {
	case math.IsInf(low, 0):
		return "at most " + numeric.Show(high, -1)
	case math.IsInf(high, 0):
		return "at least " + numeric.Show(low, -1)
	}
	return numeric.Show(low, -1) + ".." + numeric.Show(high, -1)
}

// validate checks the limits of a column.
func (l *Limits) validate(column string) error {
	switch low, high := l.Ends(); {
	case l.Low == nil && l.High == nil:
		return fmt.Errorf("column %s: no limit: give a least or a greatest number, such as [0, 5000] or [0, ~]", escape.Quote(column))
	case !(low < high):
		return fmt.Errorf("column %s: the limits %v and %v: the first must be below the second", escape.Quote(column), low, high)
	}
	return nil
}
