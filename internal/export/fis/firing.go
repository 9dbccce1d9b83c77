package fis

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
)

// leastLevel is the firing level below which fuzzylite ignores a rule.
const leastLevel = 1e-6

// draws is the number of samples that lowShare draws.
const draws = 1000

// lowShare estimates the share of samples for which all rules fire below leastLevel. It draws each
// column by itself: numbers by their quantiles in the training part, levels by their shares. It is
// zero for a model of an older version, without quantiles.
func lowShare(f *export.Form) float64 {
	m := &f.Members[0]
	var quantile []func(share float64) float64
	for _, feature := range f.Model.Features {
		if feature.Constant {
			continue
		}
		if feature.Quantiles == nil {
			return 0
		}
		quantile = append(quantile, feature.Quantile)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	u, low := make([]float64, len(m.Inputs)), 0
	for range draws {
		column, at := -1, 0.0
		for i, in := range m.Inputs {
			if c := f.Features[in.Feature].Column; c != column {
				column, at = c, rng.Float64()
			}
			x := 0.0
			if f.Columns[column].Width() == 1 {
				x = quantile[i](at)
			} else {
				if 0 <= at && at < in.Mean {
					x = 1
				}
				at -= in.Mean // the share of the level
			}
			if u[i] = (x - in.Mean) / in.SD; in.Power != nil {
				u[i] = in.Power.Value(u[i])
			}
		}
		if !(slices.Max(levels(m, u)) >= leastLevel) {
			low++
		}
	}
	return float64(low) / draws
}

// levels returns the firing levels [R] of the rules for inputs u.
func levels(m *export.Member, u []float64) []float64 {
	all := m.Levels(u)
	for r := range all {
		if m.LogSpace {
			all[r] = math.Exp(all[r])
		}
	}
	return all
}
