package loss

import "github.com/tskgraph/tskgraph/interval"

// Quantile is the pinball loss of several quantiles of one target (Koenker and Bassett,
// Econometrica 46(1), 1978). Output c is the quantile of level q_c:
//
//	L(y, t) = sum_c q_c e_c + max(0, -e_c)        e_c = t_c - y_c
//
// All t_c are the target. An error above the quantile costs q_c times its size, one below it
// 1 - q_c times. Its link sorts the outputs, which never increases the loss. Its metric is
// the mean over samples and levels.
type Quantile struct {
	Levels []float64 // [C], in (0, 1), ascending
}

func init() {
	Register(Quantile{}, Param{
		Name: "quantiles", Limits: interval.Above(0).Below(1), List: true, Default: []float64{0.05, 0.5, 0.95},
		Doc: "levels of the quantiles that train.loss quantile predicts, ascending, such as [0.05, 0.5, 0.95]",
		Set: func(_ Loss, v []float64) Loss { return Quantile{Levels: v} },
	})
}

func (Quantile) Name() string { return "quantile" }

func (q Quantile) Value(y, t []float64) float64 {
	sum := 0.0
	for c, level := range q.Levels {
		if e := t[c] - y[c]; e < 0 {
			sum += float64((level - 1) * e)
		} else {
			sum += float64(level * e)
		}
	}
	return sum
}

// Gradient computes 1 - q_c of outputs above the target and -q_c of the others; 0 of those
// equal to it.
func (q Quantile) Gradient(dst, y, t []float64) {
	for c, level := range q.Levels {
		switch e := t[c] - y[c]; {
		case e < 0:
			dst[c] = 1 - level
		case e > 0:
			dst[c] = -level
		default:
			dst[c] = e // 0, or NaN
		}
	}
}

// Kinks returns t.
func (Quantile) Kinks(t float64) []float64 { return []float64{t} }

func (q Quantile) Expr(b Builder, y, t Term, _ int) Term {
	e := b.Sub(t, y)
	return b.Add(b.Mul(b.Row(q.Levels, y), e), b.Relu(b.Neg(e)))
}

// Link returns the link that sorts.
func (Quantile) Link() Link { return ordered }

// Metric returns the mean pinball loss, sum / (C weight).
func (q Quantile) Metric() Metric {
	C := float64(len(q.Levels))
	return Metric{"mean pinball loss", true, func(sum, weight float64) float64 { return sum / weight / C }}
}
