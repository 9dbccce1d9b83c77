package rules

import (
	"fmt"
	"slices"
)

// ProjectSigns sets the slopes that RuleBase.Signs does not allow to zero, the nearest value
// that it allows.
func ProjectSigns(rb *RuleBase) {
	if rb.Signs == nil {
		return
	}
	for _, w := range rb.Consequents {
		for i, sign := range rb.Signs {
			w[i] = Signed(w[i], sign)
		}
	}
}

// Signed returns the number nearest to v with the given sign: 1, not negative; -1, not
// positive; 0, any.
func Signed(v float64, sign int) float64 {
	switch {
	case sign > 0:
		return max(v, 0)
	case sign < 0:
		return min(v, 0)
	}
	return v
}

// withoutSigns returns the knots [M] without those of features whose slope has a sign in any
// output.
func withoutSigns(rb *RuleBase, knots [][]float64) [][]float64 {
	free := slices.Clone(knots)
	for i, sign := range rb.Signs {
		if sign != 0 {
			free[i%(rb.Features()+1)-1] = nil
		}
	}
	return free
}

// checkSigns checks the sizes of Signs, and that all consequents satisfy them.
func checkSigns(rb *RuleBase) error {
	if rb.Signs == nil {
		return nil
	}
	M := rb.Features()
	if got, want := len(rb.Signs), rb.OutputCount()*(M+1); got != want {
		return fmt.Errorf("signs: %d; there are %d consequents of a rule", got, want)
	}
	for i, sign := range rb.Signs {
		m := i%(M+1) - 1
		switch {
		case sign < -1 || sign > 1:
			return fmt.Errorf("signs[%d] = %d: must be -1, 0 or 1", i, sign)
		case sign != 0 && m < 0:
			return fmt.Errorf("signs[%d] = %d: is of a bias, which has no bound", i, sign)
		case sign != 0 && rb.Knots != nil && len(rb.Knots[m]) > 0:
			return fmt.Errorf("signs[%d] = %d: the feature has a curve, which has no bound", i, sign)
		}
		for r, w := range rb.Consequents {
			if Signed(w[i], sign) != w[i] {
				return fmt.Errorf("w[r=%d,m=%d] = %v: signs[%d] is %d", r, i, w[i], i, sign)
			}
		}
	}
	return nil
}
