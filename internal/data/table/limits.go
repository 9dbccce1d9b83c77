package table

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Limits are the least and the greatest number of a column, an infinity for one that is absent: cells beyond count as the limit. In JSON
// they are a list, with null for one that is absent.
type Limits [2]float64

// MarshalJSON writes the list.
func (l Limits) MarshalJSON() ([]byte, error) {
	return json.Marshal([]*float64{numeric.OrNil(l[0]), numeric.OrNil(l[1])})
}

// UnmarshalJSON reads the list.
func (l *Limits) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) != len(l) {
		return fmt.Errorf("limits: %d numbers: want 2", len(list))
	}
	*l = Limits{math.Inf(-1), math.Inf(1)}
	for i, v := range list {
		if v != nil {
			l[i] = *v
		}
	}
	return nil
}

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
