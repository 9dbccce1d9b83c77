package metric

import (
	"cmp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// Curve is a receiver operating characteristic (Fawcett 2006): for every threshold of a score, from above the largest one
// on, the share of the negative samples that reach it, FPR, and of the positive samples, TPR. Both run from 0 to 1.
type Curve struct {
	FPR, TPR []float64
	// AUC is the area under the curve, by the trapezoidal rule, and so the Mann-Whitney statistic: the chance that a positive
	// sample scores higher than a negative one, where a tie counts one half.
	AUC float64
}

// ROC returns the curve of the scores of one class against all others; samples with equal scores are one step of it. y [N]
// are the indices of the true classes, nil weights [N] all one. ok is false if y has no sample of the class, or no other.
func ROC(score, y []float64, class int, weights []float64) (curve Curve, ok bool) {
	order := make([]int, len(score))
	positives, negatives := 0.0, 0.0
	for n := range order {
		order[n] = n
		if int(y[n]) == class {
			positives += weighted.At(weights, n)
		} else {
			negatives += weighted.At(weights, n)
		}
	}
	if positives == 0 || negatives == 0 {
		return Curve{}, false
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(score[j], score[i]), i-j) })
	curve.FPR, curve.TPR = []float64{0}, []float64{0}
	above, below := 0.0, 0.0 // weights of the positive and the negative samples that reach the threshold
	for at := 0; at < len(order); {
		step, aside := 0.0, 0.0 // of the positive and the negative samples with this score
		for s := score[order[at]]; at < len(order) && score[order[at]] == s; at++ {
			n := order[at]
			if int(y[n]) == class {
				step += weighted.At(weights, n)
			} else {
				aside += weighted.At(weights, n)
			}
		}
		curve.AUC += float64(aside * ((above + float64(step/2)) / positives))
		above += step
		below += aside
		curve.TPR, curve.FPR = append(curve.TPR, min(1, above/positives)), append(curve.FPR, min(1, below/negatives))
	}
	curve.AUC = min(1, curve.AUC/negatives) // exactly 1 where whole weights are separated
	return curve, true
}
