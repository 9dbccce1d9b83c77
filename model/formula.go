package model

// Formula returns the formula of a THEN part with consequent w [M+1] in the units of the
// data, y = intercept + sum_m slopes_m x_m over the inputs x [M] of the rules.
func (p Preprocessing) Formula(w []float64) (intercept float64, slopes []float64) {
	unit := p.Target.Scaling()
	intercept = p.Target.Mean + float64(unit*w[0])
	for m, f := range p.Inputs() {
		slope := unit * w[m+1] / f.SD
		intercept -= float64(slope * f.Mean)
		slopes = append(slopes, slope)
	}
	return intercept, slopes
}

// consequent is the inverse of Formula.
func (p Preprocessing) consequent(intercept float64, slopes []float64) []float64 {
	unit := p.Target.Scaling()
	w := make([]float64, 1, len(slopes)+1)
	w[0] = intercept - p.Target.Mean
	for m, f := range p.Inputs() {
		w[0] += float64(slopes[m] * f.Mean)
		w = append(w, slopes[m]*f.SD/unit)
	}
	w[0] /= unit
	return w
}
