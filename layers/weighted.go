package layers

import "github.com/tskgraph/tskgraph/inference"

// weightedFiring computes the weights of rules from the firing levels that another kernel
// computes, or the logarithms of both if logs.
type weightedFiring struct {
	firing
	by   inference.Defuzzification
	M    int
	logs bool

	levels  []float64 // firing levels, [B,R]
	byLevel []float64 // gradient by these
}

// weighted returns a kernel of weights, or k itself for [inference.TSK], whose weights are
// the firing levels.
func weighted(k firing, by inference.Defuzzification, B, M, R int, logs bool) firing {
	if by == (inference.TSK{}) {
		return k
	}
	return &weightedFiring{k, by, M, logs, make([]float64, B*R), make([]float64, B*R)}
}

func (k *weightedFiring) forward(w, x, mask []float64, p [][]float64) {
	k.firing.forward(k.levels, x, mask, p)
	copy(w, k.levels)
	inference.Weigh(k.by, w, k.M, k.logs)
}

// backward skips rules without a gradient: half of them under DropRule.
func (k *weightedFiring) backward(g [][]float64, grad, _, x []float64, p [][]float64) {
	for i, d := range grad {
		if d != 0 {
			d *= inference.WeightGradient(k.by, k.levels[i], k.M, k.logs)
		}
		k.byLevel[i] = d
	}
	k.firing.backward(g, k.byLevel, k.levels, x, p)
}
