package inference

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// LogTSK is the defuzzification by logarithms (G. Du, Z. Wang, C. Li, P. X. Liu, A TSK-type
// convolutional recurrent fuzzy network for predicting driving fatigue, IEEE Transactions on
// Fuzzy Systems, 2021), which the paper of [HTSK] shows to avoid saturation, too:
//
//	w = 1 / |log f| = 1 / -z
//
// Normalised weights do not change when all z are multiplied by a number, as they are when
// features are repeated. At f = 1, where this is infinite, w is limited:
//
//	w = 1 / (leastLog + max(0, -z))    leastLog = 1e-6
//
// so that a rule at whose center a sample lies dominates, rules with f = 1 have equal weights,
// and grades above one, which a shape from a formula may have, count as one.
type LogTSK struct{}

const leastLog = 1e-6

func init() { RegisterDefuzzification(LogTSK{}) }

func (LogTSK) Name() string { return "logtsk" }

// Meaning describes the weight.
func (LogTSK) Meaning(firing string, _ int) string {
	return fmt.Sprintf("one over %v plus the absolute logarithm of %s", leastLog, firing)
}

// LogWeight returns -log(leastLog + max(0, -z)).
func (LogTSK) LogWeight(z float64, _ int) float64 { return -math.Log(leastLog + max(0, -z)) }

// Gradient returns 1 / (leastLog - z) for z < 0, else 0.
func (LogTSK) Gradient(z float64, _ int) float64 {
	if z < 0 {
		return 1 / (leastLog - z)
	}
	return 0
}

func (LogTSK) Expr(b membership.Builder, z membership.Term, _ int) membership.Term {
	return b.Neg(b.Log(b.Add(b.Const(leastLog), b.Relu(b.Neg(z)))))
}
