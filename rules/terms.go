package rules

// Terms returns the mean number of terms in the THEN part of a rule: of slopes that are
// not zero.
func (rb *RuleBase) Terms() float64 {
	terms := 0
	for _, w := range rb.Consequents {
		for _, slope := range w[1:] {
			if slope != 0 {
				terms++
			}
		}
	}
	return float64(terms) / float64(rb.Rules())
}
