package membership

import (
	"math"
	"slices"
)

// Trapezoid is the function of the paper's equation (13), with
// a < b <= c < d:
//
//	            (x-a)/(b-a)   a < x < b
//	mu(x; p) =  1             b <= x <= c
//	            (d-x)/(d-c)   c < x < d
//	            0             elsewhere
//
// It has kinks at a, b, c and d; derivatives there are zero, as in the paper,
// whose sums run over the open intervals (a, b) and (c, d).
type Trapezoid struct{}

// legEnd returns the least end of a leg that starts at foot: 1e-9 away in scaled units,
// or the next float64 if 1e-9 is lost in rounding.
func legEnd(foot float64) float64 {
	if end := foot + 1e-9; end > foot {
		return end
	}
	return math.Nextafter(foot, math.Inf(1))
}

func init() { Register(Trapezoid{}) }

func (Trapezoid) Name() string { return "trapezoid" }

func (Trapezoid) Params() []Param {
	return []Param{
		{Name: "a", Meaning: "left foot"},
		{Name: "b", Meaning: "left shoulder"},
		{Name: "c", Meaning: "right shoulder"},
		{Name: "d", Meaning: "right foot"},
	}
}

// Place returns shoulders half a spread and feet ten spreads away from center. With these
// long legs, initially every point is covered and every parameter gets a gradient from
// enough samples (the paper, section II.G).
func (Trapezoid) Place(center, spread float64) []float64 {
	return []float64{center - float64(10*spread), center - float64(0.5*spread), center + float64(0.5*spread), center + float64(10*spread)}
}

// Between returns legs whose middles are low and high.
func (Trapezoid) Between(low, high, spread float64) []float64 {
	return legsAt(low, high, flankSpread(low, high, spread)/halfWidth)
}

// legsAt returns the parameters of a function whose legs reach the distance h to both
// sides of low and of high.
func legsAt(low, high, h float64) []float64 {
	b := max(low+h, -far)
	return []float64{max(low-h, -2*far), b, max(b, min(high-h, far)), min(high+h, 2*far)}
}

// Partition returns functions over n+3 equally spaced points, each with four consecutive
// ones as parameters, as in the original MBGD-RDA: neighbours overlap on two of the n+2
// sections. At low and high all grades are zero.
func (Trapezoid) Partition(low, high float64, n int) [][]float64 {
	at := make([]float64, n+3)
	for i := range at {
		at[i] = low + float64(float64(i)/float64(n+2)*(high-low))
	}
	at[n+2] = high
	functions := make([][]float64, n)
	for i := range functions {
		functions[i] = slices.Clone(at[i : i+4])
	}
	return functions
}

func (Trapezoid) Grades(dst, x, p []float64) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	left, right := b-a, d-c
	for i, v := range x {
		dst[i] = max(0, min(1, (v-a)/left, (d-v)/right)) // branch-free
	}
}

// Gradients computes, on the left leg,
//
//	dmu/da = (x-b)/(b-a)^2    dmu/db = -(x-a)/(b-a)^2
//
// on the right leg
//
//	dmu/dc = (d-x)/(d-c)^2    dmu/dd = (x-c)/(d-c)^2
//
// and zero elsewhere, kinks included.
func (Trapezoid) Gradients(dst [][]float64, x, p []float64) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	left, right := 1/(b-a)/(b-a), 1/(d-c)/(d-c)
	byA, byB, byC, byD := dst[0][:len(x)], dst[1][:len(x)], dst[2][:len(x)], dst[3][:len(x)]
	for i, v := range x {
		l, r := within(left, v, a, b), within(right, v, c, d)
		byA[i], byB[i] = (v-b)*l, (a-v)*l
		byC[i], byD[i] = (d-v)*r, (v-c)*r
	}
}

// within returns s if lo < v < hi, otherwise zero. It avoids a branch, which would be hard
// to predict with samples on both legs.
func within(s, v, lo, hi float64) float64 {
	var above, below uint64
	if v > lo {
		above = 1
	}
	if v < hi {
		below = 1
	}
	return math.Float64frombits(math.Float64bits(s) & -(above & below))
}

// Expr returns the formula as relu(1 - relu((b-x)/(b-a)) - relu((x-c)/(d-c))), which does
// not subtract large numbers even on steep legs.
func (Trapezoid) Expr(t Builder, x Term, p []Term) Term {
	a, b, c, d := p[0], p[1], p[2], p[3]
	left := t.Relu(t.Div(t.Sub(b, x), t.Sub(b, a)))
	right := t.Relu(t.Div(t.Sub(x, c), t.Sub(d, c)))
	return t.Relu(t.Sub(t.Sub(t.Const(1), left), right))
}

// Kinks returns a, b, c and d.
func (Trapezoid) Kinks(p []float64) []float64 { return p[:4:4] }

// Project sorts the four parameters of each function and widens legs narrower than 1e-9
// by increasing b, c and d.
func (Trapezoid) Project(p [][]float64) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	for i := range a {
		lo1, hi1 := min(a[i], b[i]), max(a[i], b[i])
		lo2, hi2 := min(c[i], d[i]), max(c[i], d[i])
		mid1, mid2 := max(lo1, lo2), min(hi1, hi2)
		a[i] = min(lo1, lo2)
		b[i] = max(min(mid1, mid2), legEnd(a[i]))
		c[i] = max(mid1, mid2, b[i])
		d[i] = max(hi1, hi2, legEnd(c[i]))
	}
}
