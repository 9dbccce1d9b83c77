package rules

// Penalty is what the loss holds besides the errors, P = P_slopes + P_firing:
//
//	P_slopes = Lambda/2 sum_r sum_m>0 (w_{r,m} - v_m)^2
//	P_firing = Uniform R sum_r (mean_n fbar_r(x_n) - 1/R)^2
//
// The biases are free.
type Penalty struct {
	// Lambda is the weight of P_slopes, at least 0. As in the paper's equation (7)
	// slopes are pulled to v_m = 0; with ToMean they are pulled to their mean over the
	// rules, v_m = 1/R sum_r w_{r,m}, so that rules agree unless the data say otherwise.
	Lambda float64
	ToMean bool

	// Uniform is the weight of P_firing, at least 0: rules should fire equally much,
	// 1/R each in the mean of the normalised firing levels over the batch, with its
	// masks. Sample weights do not count in it.
	Uniform float64
}

// value returns the penalty of a rulebase with normalised firing levels [N][R].
func (p Penalty) value(rb *RuleBase, levels [][]float64) float64 {
	R, M := float64(rb.Rules()), rb.Features()
	sum := 0.0
	for m := 1; m <= M; m++ {
		pull := 0.0
		if p.ToMean {
			for _, w := range rb.Consequents {
				pull += w[m] / R
			}
		}
		for _, w := range rb.Consequents {
			sum += float64(p.Lambda / 2 * (w[m] - pull) * (w[m] - pull))
		}
	}
	if p.Uniform != 0 {
		for r := range rb.Consequents {
			mean := 0.0
			for _, f := range levels {
				mean += f[r] / float64(len(levels))
			}
			sum += float64(p.Uniform * R * (mean - 1/R) * (mean - 1/R))
		}
	}
	return sum
}
