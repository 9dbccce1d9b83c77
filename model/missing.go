package model

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// beyondChance is the difference of means, in standard errors, from which on missing cells of a number say something of a target.
const beyondChance = 3

// dropChance leaves out the indicators of missing numbers, see [data.Column], that say nothing of the targets of the training part: where
// the means of each target, or the shares of each class, over the samples with and without the number differ by chance alone. Cells that
// are missing at random would else cost a slope in each rule.
func (p *Preprocessing) dropChance(train *data.Dataset) {
	at := 0
	for _, c := range p.Schema.Parts() {
		if f := &p.Features[at]; c.Beside() && !f.Constant && !p.Features[at-1].Constant && !telling(train, at) {
			f.Constant, f.SD, f.Quantiles = true, 1, nil
		}
		at += c.Width()
	}
}

// telling reports whether a target differs beyond chance between the samples in which feature m is 1 and the others.
func telling(train *data.Dataset, m int) bool {
	target := func(c, i int) float64 {
		switch y := train.Y[i]; {
		case train.Schema.Classes != nil && y == float64(c):
			return 1
		case train.Schema.Classes != nil:
			return 0
		case c > 0:
			return train.Others[c-1][i]
		default:
			return y
		}
	}
	for c := range len(train.Others) + max(1, len(train.Schema.Classes)) {
		var n, sum [2]float64 // of the samples without and with the feature
		squares := 0.0
		for i, row := range train.X {
			y, w, k := target(c, i)-target(c, 0), numeric.WeightAt(train.Weights, i), int(row[m])
			n[k] += w
			sum[k] += float64(w * y)
			squares += float64(w * y * y)
		}
		all := n[0] + n[1]
		mean := (sum[0] + sum[1]) / all
		variance := max(0, squares/all-float64(mean*mean)) // of both groups: that of a few samples may be zero by chance
		if difference := math.Abs(sum[0]/n[0] - sum[1]/n[1]); difference > beyondChance*math.Sqrt(variance/n[0]+variance/n[1]) {
			return true
		}
	}
	return false
}
