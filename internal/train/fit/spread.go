package fit

import (
	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/rules"
)

// spreadQuantiles adds to the bias of each output the quantile of its level of the residuals of
// the samples that fire a rule most. A rule with less than one sample beyond a quantile has that of all samples.
// The consequents of all outputs are equal before. x is [N][M] or [N][2M], y [N C], weights [N] (nil: all one).
func spreadQuantiles(rb *rules.RuleBase, x [][]float64, y, weights, levels []float64) {
	C, width, first := len(levels), rb.Features()+1, rb.Output(0)
	all, own := residuals{}, make([]residuals, rb.Rules())
	var which []int
	for n, f := range rb.FiringLevels(x, nil) {
		if which = rules.Strongest(f, which[:0]); len(which) == 0 {
			continue
		}
		r := which[0]
		e, w := y[n*C]-first.Consequent(r, x[n]), weighted.At(weights, n)
		all.add(e, w)
		own[r].add(e, w)
	}
	all.sort()
	for r, w := range rb.Consequents {
		own[r].sort()
		for c, level := range levels {
			from := own[r]
			if float64(len(from.e))*min(level, 1-level) < 1 {
				from = all
			}
			w[c*width] += from.quantile(level)
		}
	}
}

// residuals are weighted residuals.
type residuals struct{ e, w []float64 }

func (s *residuals) add(e, w float64) { s.e, s.w = append(s.e, e), append(s.w, w) }

func (s *residuals) sort() { stat.SortWeighted(s.e, s.w) }

func (s *residuals) quantile(level float64) float64 {
	if len(s.e) == 0 {
		return 0
	}
	return stat.Quantile(level, stat.Empirical, s.e, s.w)
}
