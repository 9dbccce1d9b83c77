package certify

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/model"
)

// MonotoneKey is the option of a training (in the model's Training.Options) that promises monotone columns: JSON as in {"age":
// "increasing", "outside": {"heating": "decreasing"}}, a direction for all outputs or for some; the output * stands for those that are
// not named.
const MonotoneKey = "model.monotone"

// Promises returns what the configuration of a model promises, for [Options]: the limits of its predictions, and its monotone columns.
func Promises(m *model.Model) ([]Claim, error) {
	var all []Claim
	for _, v := range m.Values() {
		low, high := v.Limits()
		if low, high := max(low, -math.MaxFloat64), min(high, math.MaxFloat64); low > -math.MaxFloat64 || high < math.MaxFloat64 {
			all = append(all, Claim{Kind: Range, Output: v.Key, Low: &low, High: &high})
		}
	}
	text := m.Training.Options[MonotoneKey]
	if text == "" {
		return all, nil
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &columns); err != nil {
		return nil, fmt.Errorf("certify: %s: %w", MonotoneKey, err)
	}
	for _, c := range m.Schema.Columns {
		of, ok := columns[c.Name]
		if !ok {
			continue
		}
		var direction string
		byOutput := map[string]string{}
		if json.Unmarshal(of, &direction) != nil {
			if err := json.Unmarshal(of, &byOutput); err != nil {
				return nil, fmt.Errorf("certify: %s: %w", MonotoneKey, err)
			}
		}
		for _, v := range m.Values() {
			of := direction
			for _, key := range []string{v.Key, v.Name, "*"} {
				if of == "" {
					of = byOutput[key]
				}
			}
			if slices.Contains([]string{Increasing, Decreasing}, of) && !c.Unused {
				all = append(all, Claim{Kind: Monotone, Output: v.Key, Column: c.Name, Direction: of})
			}
		}
	}
	return all, nil
}
