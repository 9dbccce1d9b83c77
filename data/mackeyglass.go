package data

// mackeyGlass predicts the chaotic Mackey-Glass time series six steps ahead: inputs x(t-18), x(t-12), x(t-6) and
// x(t), target x(t+6), for t = 118..1117, 1,000 pairs. Customary split: the first half is for training, the second
// for test, as neighbours in time are nearly equal and a random split would leak.
//
//	dx/dt = 0.2 x(t-17) / (1 + x(t-17)^10) - 0.1 x(t),   x(0) = 1.2,   x(t) = 0 for t < 0
//
// M. C. Mackey and L. Glass, "Oscillation and chaos in physiological control systems", Science 197 (1977) 287-289;
// the task is that of J.-S. R. Jang, "ANFIS: adaptive-network-based fuzzy inference system", IEEE Transactions on
// Systems, Man, and Cybernetics 23 (1993) 665-685, example 3.
var mackeyGlass = builtin{
	name:   "mackey-glass",
	doc:    "a chaotic time series, predicted six steps ahead from four earlier values",
	target: "x(t+6)",
	split:  Split{Kind: splitChronological, Train: 0.5},
	generate: func() ([]string, [][]float64, []float64) {
		const first, pairs = 118, 1000
		series := mackeyGlassSeries(first + pairs + 6)
		x := matrix(pairs, 4)
		y := make([]float64, pairs)
		for i := range pairs {
			t := first + i
			for m, lag := range []int{18, 12, 6, 0} {
				x[i][m] = series[t-lag]
			}
			y[i] = series[t+6]
		}
		return []string{"x(t-18)", "x(t-12)", "x(t-6)", "x(t)"}, x, y
	},
}

// mackeyGlassSeries returns x(0), x(1), ..., x(n-1): fourth-order Runge-Kutta with step 0.1. The delayed value in
// the middle of a step is that of the cubic through the values and slopes at both ends of the earlier step; before
// t = 17 it is zero.
func mackeyGlassSeries(n int) []float64 {
	const (
		perUnit = 10 // steps
		h       = 1.0 / perUnit
		delay   = 17 * perUnit
	)
	slope := func(x, delayed float64) float64 {
		x2 := delayed * delayed
		x4 := x2 * x2
		return 0.2*delayed/(1+float64(x4*x4*x2)) - float64(0.1*x)
	}
	steps := n * perUnit
	x := make([]float64, steps+1)
	half := make([]float64, steps) // x in the middle of each step
	x[0] = 1.2
	for i := range steps {
		var start, middle, end float64 // x(t-17) over the step
		if j := i - delay; j >= 0 {
			start, middle, end = x[j], half[j], x[j+1]
		}
		k1 := slope(x[i], start)
		k2 := slope(x[i]+float64(h/2*k1), middle)
		k3 := slope(x[i]+float64(h/2*k2), middle)
		k4 := slope(x[i]+float64(h*k3), end)
		x[i+1] = x[i] + float64(h/6*(k1+float64(2*k2)+float64(2*k3)+k4))
		half[i] = float64((x[i]+x[i+1])/2) + float64(h/8*(k1-slope(x[i+1], end)))
	}
	series := make([]float64, n)
	for t := range series {
		series[t] = x[t*perUnit]
	}
	return series
}
