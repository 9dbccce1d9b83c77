package rules

// OddGrade is a membership grade outside [0, 1], or one that is no number: a
// fault of a shape's formula.
type OddGrade struct {
	Rule, Feature int     // from 0
	X             float64 // the feature's value, in scaled units
	Grade         float64
}

// OddGrades counts the grades outside [0, 1] on the samples x [N][M] and returns
// the first.
func (rb *RuleBase) OddGrades(x [][]float64) (first OddGrade, count int) {
	column, grades := make([]float64, len(x)), make([]float64, len(x))
	p := make([]float64, len(rb.Antecedents))
	for m := range rb.Features() {
		for n, row := range x {
			column[n] = row[m]
		}
		for r := range rb.Rules() {
			rb.Shape.Grades(grades, column, rb.Function(p, r, m))
			for n, g := range grades {
				if g >= 0 && g <= 1 {
					continue
				}
				if count == 0 {
					first = OddGrade{r, m, column[n], g}
				}
				count++
			}
		}
	}
	return first, count
}
