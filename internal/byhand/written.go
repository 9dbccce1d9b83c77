package byhand

import "slices"

// WrittenSlope is a slope of a formula as rules.yaml has it.
type WrittenSlope struct {
	Column  string // in backticks if need be
	Decimal string // 0 if the formula has no such slope
}

// Written returns the constant of a formula and the slopes of columns or inputs as rules.yaml has them: the formula is the
// constant plus decimal*column for each, see [Rulebook.WriteYAML].
func (f Formula) Written(columns []string) (constant string, slopes []WrittenSlope) {
	for _, name := range columns {
		s := WrittenSlope{quoteName(name), "0"}
		if i := slices.IndexFunc(f.Slopes, func(s Slope) bool { return s.Column == name }); i >= 0 {
			s.Decimal = decimal(f.Slopes[i].Value)
		}
		slopes = append(slopes, s)
	}
	return decimal(f.Intercept), slopes
}
