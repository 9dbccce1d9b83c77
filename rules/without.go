package rules

import (
	"fmt"
	"slices"
)

// Confine sets what RuleBase.Without and Signs do not allow to the nearest values that they allow: functions become flat, slopes zero or of
// the sign of their column, and curves monotone. Parts that are kept change, too.
func Confine(rb *RuleBase) {
	M := rb.Features()
	for r, parts := range rb.Without {
		for m, p := range parts {
			if p&KeepIf != 0 {
				rb.Flatten(r, m)
			}
			for c := 0; c < rb.OutputCount() && p&KeepThen != 0; c++ {
				rb.Consequents[r][c*(M+1)+1+m] = 0
			}
		}
	}
	ProjectSigns(rb)
}

// lacks reports whether one of the parts of rule r (from 0) must not mention feature m.
func (rb *RuleBase) lacks(r, m int, parts Keep) bool {
	return rb.Without != nil && rb.Without[r][m]&parts != 0
}

// together reports whether rules i and j can be merged: their parts may mention the same features.
func (rb *RuleBase) together(i, j int) bool {
	return rb.Without == nil || slices.Equal(rb.Without[i], rb.Without[j])
}

// checkWithout checks the sizes of Without, and that no part mentions a feature that it must not.
func checkWithout(rb *RuleBase) error {
	if rb.Without == nil {
		return nil
	}
	M := rb.Features()
	if got, want := len(rb.Without), rb.Rules(); got != want {
		return fmt.Errorf("without: %d rows; there are %d rules", got, want)
	}
	for r, parts := range rb.Without {
		if len(parts) != M {
			return fmt.Errorf("without[r=%d]: %d features; there are %d", r, len(parts), M)
		}
		for m, p := range parts {
			if p < 0 || p > KeepAll {
				return fmt.Errorf("without[r=%d,m=%d] = %d: must lie between 0 and %d", r, m, int(p), int(KeepAll))
			}
			if p&KeepIf != 0 && !rb.IsFlat(r, m) {
				return fmt.Errorf("without[r=%d,m=%d]: the IF part mentions the feature", r, m)
			}
			for c := 0; c < rb.OutputCount() && p&KeepThen != 0; c++ {
				if w := rb.Consequents[r][c*(M+1)+1+m]; w != 0 {
					return fmt.Errorf("without[r=%d,m=%d]: output %d has the slope %v", r, m, c, w)
				}
			}
		}
	}
	return nil
}

// Monotone sets values to the nearest ones, by squares, that do not fall, sign 1, or do not rise, sign -1, by pooling adjacent violators
// (Ayer et al., Annals of Mathematical Statistics 26, 1955). Values that satisfy this keep their bits.
func Monotone(values []float64, sign int) {
	var level, weight []float64
	for _, v := range values {
		level, weight = append(level, v), append(weight, 1)
		for n := len(level); n > 1 && float64(sign)*(level[n-1]-level[n-2]) < 0; n = len(level) {
			sum := weight[n-2] + weight[n-1]
			mean := (float64(level[n-2]*weight[n-2]) + float64(level[n-1]*weight[n-1])) / sum
			level, weight = append(level[:n-2], mean), append(weight[:n-2], sum)
		}
	}
	values = values[:0]
	for k, v := range level {
		for range int(weight[k]) {
			values = append(values, v)
		}
	}
}

// EachBound calls do with each stretch of the columns of Curves that a sign of output c bounds: from the knot at the place from to that
// before the place to.
func (rb *RuleBase) EachBound(c int, do func(from, to, sign int)) {
	if rb.Signs == nil {
		return
	}
	at := 0
	for m, k := range rb.Knots {
		if sign := rb.Signs[c*(rb.Features()+1)+1+m]; sign != 0 && len(k) > 0 {
			do(at, at+len(k), sign)
		}
		at += len(k)
	}
}
