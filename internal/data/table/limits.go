package table

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Limits are the least and the greatest number of a column, an infinity for one that is absent: cells beyond count as the limit. In JSON
// they are an object with low and high.
type Limits [2]float64

type jsonLimits struct {
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// MarshalJSON writes the object.
func (l Limits) MarshalJSON() ([]byte, error) {
	return json.Marshal(jsonLimits{numeric.OrNil(l[0]), numeric.OrNil(l[1])})
}

// UnmarshalJSON reads the object.
func (l *Limits) UnmarshalJSON(text []byte) error {
	var read jsonLimits
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*l = Limits{math.Inf(-1), math.Inf(1)}
	if read.Low != nil {
		l[0] = *read.Low
	}
	if read.High != nil {
		l[1] = *read.High
	}
	return nil
}

// Of returns a number within the limits; NaN for NaN.
func (l Limits) Of(v float64) float64 { return max(l[0], min(l[1], v)) }

// String returns the range: "0..5000", or "at most 5000" and "at least 0".
func (l Limits) String() string {
	low, high := numeric.Show(l[0], -1), numeric.Show(l[1], -1)
	switch {
	case math.IsInf(l[0], 0):
		return "at most " + high
	case math.IsInf(l[1], 0):
		return "at least " + low
	}
	return low + ".." + high
}

// validate checks the limits of a column.
func (l Limits) validate(column string) error {
	switch {
	case math.IsInf(l[0], -1) && math.IsInf(l[1], 1):
		return fmt.Errorf("column %s: no limit: give a least or a greatest number, such as [0, 5000] or [0, ~]", escape.Quote(column))
	case !(l[0] < l[1]) || math.IsInf(l[0], 1) || math.IsInf(l[1], -1):
		return fmt.Errorf("column %s: the limits %v and %v: the first must be below the second", escape.Quote(column), l[0], l[1])
	}
	return nil
}
