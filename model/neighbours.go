package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Neighbours correct the predictions of a model by its errors on similar training samples, as the rule-based models of J. R. Quinlan do
// (Combining instance-based and model-based learning, ICML 1993). With the prediction f of the rules, or of the members of a committee,
// and the distance d between two samples,
//
//	d^2(x, x') = sum_m s_m^2 (z_m - z'_m)^2
//	c(x)       = sum_j u_j (y_j - f(x_j)) / sum_j u_j,  u_j = v_j (d(x, x_j) + 0.001)^-Power
//	prediction = f(x) + Weight c(x), clamped to the target's limits
//
// where z are the z-scores of the used features, s the Sensitivity, v the sample weights, and j the K nearest samples; of equally near
// ones, the first. A sample that no rule covers is predicted by the training mean alone, without a correction.
//
// Neighbours hold training samples: whoever has the model file can read them.
type Neighbours struct {
	K           int       `json:"k"`
	Power       int       `json:"power"`       // 1 or 2
	Weight      float64   `json:"weight"`      // above 0, at most 1
	Sensitivity []float64 `json:"sensitivity"` // [M] of the used features, at most 1

	Rows    [][]float64 `json:"rows"`              // [N][M'] training samples, in the order of Schema.Features()
	Targets []float64   `json:"targets"`           // [N]
	Weights []float64   `json:"weights,omitempty"` // [N], of the samples; nil: all one

	// RMSE on the training samples in the target's unit, each predicted without itself among
	// the neighbours, and RMSE of the model without neighbours.
	LeaveOneOut float64 `json:"leave_one_out"`
	Without     float64 `json:"without"`

	prep      Preprocessing // gives the z-scores
	residuals []float64     // [N], y_j - f(x_j)
	index     *kdTree       // of s z
}

// neighbourOffset is added to distances, so that equal samples have a finite weight.
const neighbourOffset = 1e-3

// neighbourWeight returns u for a squared distance and a sample weight.
func neighbourWeight(squared float64, power int, weight float64) float64 {
	d := math.Sqrt(squared) + neighbourOffset
	if power == 2 {
		d *= d
	}
	return weight / d
}

// plain returns a preprocessing whose Scale gives the z-scores of the used features.
func plain(p Preprocessing) Preprocessing {
	features := make([]Feature, len(p.Features))
	for m, f := range p.Features {
		f.Power = nil
		features[m] = f
	}
	p.Features, p.Components = features, nil
	return p
}

// stretched returns s z, the point of a sample with z-scores z in the index.
func stretched(sensitivity, z, into []float64) []float64 {
	for m, s := range sensitivity {
		into[m] = s * z[m]
	}
	return into
}

// correct adds the correction to values [N], the predictions without neighbours of the samples x [N][M'], and updates their outcomes. If
// targets y [N] are not empty, a stored row that equals a sample and its target is left out.
func (n *Neighbours) correct(t Target, x [][]float64, y, values []float64, how []outcome, first int) error {
	z, err := n.prep.scale(x, first)
	if err != nil {
		return err
	}
	k := n.K
	if len(y) > 0 {
		k++ // one may be left out
	}
	search := n.index.newSearch(k)
	point := make([]float64, len(n.Sensitivity))
	for i := range x {
		if how[i].uncovered {
			continue
		}
		near := search.nearest(stretched(n.Sensitivity, z[i], point))
		if len(y) > 0 {
			near = n.without(near, y[i])
		}
		v, limited := t.clamp(values[i] + n.contribution(near[:min(n.K, len(near))]))
		values[i], how[i].limited = v, limited || how[i].limited
	}
	return nil
}

// without removes from near the first stored row that equals a sample with target y.
func (n *Neighbours) without(near []found, y float64) []found {
	for i, f := range near {
		if f.squared == 0 && n.Targets[f.row] == y {
			return append(near[:i], near[i+1:]...)
		}
	}
	return near
}

// contribution returns Weight c for the nearest rows.
func (n *Neighbours) contribution(near []found) float64 {
	sum, residuals := 0.0, 0.0
	for _, f := range near {
		u := neighbourWeight(f.squared, n.Power, n.weight(f.row))
		sum += u
		residuals += float64(u * n.residuals[f.row])
	}
	if c := float64(n.Weight * (residuals / sum)); numeric.Finite(c) {
		return c
	}
	return 0
}

func (n *Neighbours) weight(row int) float64 {
	if n.Weights == nil {
		return 1
	}
	return n.Weights[row]
}

// maxNeighbours is the largest K of a model file.
const maxNeighbours = 1000

// fits reports whether neighbours can correct predictions for samples with a preprocessing.
func (n *Neighbours) fits(p Preprocessing) bool {
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
