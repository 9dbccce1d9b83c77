package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// maxNeighbours is the largest K of a model file.
const maxNeighbours = 1000

// prepared reports whether neighbours can correct predictions for samples with a preprocessing.
func prepared(n *Neighbours, p Preprocessing) bool {
	return n.index != nil && len(n.prep.Features) == len(p.Features) && n.index.dims == len(p.Used())
}

// checkNeighbours checks the neighbours of a model file.
func checkNeighbours(n *Neighbours, p Preprocessing) error {
	switch {
	case n.K < 1 || n.K > maxNeighbours:
		return fmt.Errorf("k: %d: must lie between 1 and %d", n.K, maxNeighbours)
	case n.Power != 1 && n.Power != 2:
		return fmt.Errorf("power: %d: must be 1 or 2", n.Power)
	case !(n.Weight > 0 && n.Weight <= 1):
		return fmt.Errorf("weight: %v: must be above 0 and at most 1", n.Weight)
	case len(n.Sensitivity) != len(p.Used()):
		return fmt.Errorf("sensitivity: %d numbers; %d features are used", len(n.Sensitivity), len(p.Used()))
	case slices.ContainsFunc(n.Sensitivity, func(s float64) bool { return !(s >= 0 && s <= 1) }):
		return fmt.Errorf("sensitivity: %v: must lie between 0 and 1", n.Sensitivity)
	case len(n.Rows) == 0:
		return errors.New("rows: there are none")
	case len(n.Targets) != len(n.Rows):
		return fmt.Errorf("targets: %d of %d rows", len(n.Targets), len(n.Rows))
	case !numeric.Finite(n.Targets...):
		return errors.New("targets: must be finite")
	case n.Weights != nil && len(n.Weights) != len(n.Rows):
		return fmt.Errorf("weights: %d of %d rows", len(n.Weights), len(n.Rows))
	case !numeric.Finite(n.Weights...) || slices.ContainsFunc(n.Weights, func(w float64) bool { return w <= 0 }):
		return errors.New("weights: must be positive and finite")
	case !numeric.Finite(n.LeaveOneOut, n.Without) || n.LeaveOneOut < 0 || n.Without < 0:
		return fmt.Errorf("leave_one_out %v, without %v: must be finite and not negative", n.LeaveOneOut, n.Without)
	}
	for i, row := range n.Rows {
		if len(row) != len(p.Features) || !numeric.Finite(row...) {
			return fmt.Errorf("rows[%d]: %d numbers; must be %d, all finite", i, len(row), len(p.Features))
		}
	}
	return nil
}
