package words

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/rules"
)

// addInference adds how the rules of a rulebase fire and are weighted.
func addInference(d *Description, rb *rules.RuleBase) {
	norm, by := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	if norm != (inference.Product{}) {
		d.TNorm = norm.Name()
	}
	if by != (inference.TSK{}) {
		d.Defuzzification = by.Name()
	}
	d.weights = by.Meaning(norm.Meaning(), rb.Features())
}

// joinLogs writes the logarithm of T(e^f[n], e^g[n]) to f[n].
func joinLogs(t inference.TNorm, f, g []float64) {
	if log, ok := inference.OrProduct(t).(inference.LogTNorm); ok {
		log.JoinLogs(f, g)
		return
	}
	for n := range f {
		level := []float64{math.Exp(f[n])}
		t.Join(level, []float64{math.Exp(g[n])})
		f[n] = math.Log(level[0])
	}
}
