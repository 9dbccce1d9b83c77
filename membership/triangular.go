package membership

// Triangular is the triangle, MATLAB's trimf with its parameters [a b c],
// a < b < c:
//
//	            (x-a)/(b-a)   a < x <= b
//	mu(x; p) =  (c-x)/(c-b)   b < x < c
//	            0             elsewhere
//
// It has kinks at a, b and c; derivatives there are zero.
type Triangular struct{}

func init() { Register(Triangular{}) }

func (Triangular) Name() string { return "triangular" }

func (Triangular) Params() []Param {
	return []Param{
		{Name: "a", Meaning: "left foot"},
		{Name: "b", Meaning: "peak"},
		{Name: "c", Meaning: "right foot"},
	}
}

// Place returns the peak at center and feet ten spreads away, long legs as for the
// [Trapezoid], so that initially every point is covered.
func (Triangular) Place(center, spread float64) []float64 {
	return []float64{center - float64(10*spread), center, center + float64(10*spread)}
}

func (Triangular) Grades(dst, x, p []float64) {
	a, b, c := p[0], p[1], p[2]
	left, right := b-a, c-b
	for i, v := range x {
		dst[i] = max(0, min((v-a)/left, (c-v)/right)) // one at b, branch-free
	}
}

// Gradients computes, on the left leg,
//
//	dmu/da = (x-b)/(b-a)^2    dmu/db = -(x-a)/(b-a)^2
//
// on the right leg
//
//	dmu/db = (c-x)/(c-b)^2    dmu/dc = (x-b)/(c-b)^2
//
// and zero elsewhere, kinks included.
func (Triangular) Gradients(dst [][]float64, x, p []float64) {
	a, b, c := p[0], p[1], p[2]
	left, right := 1/(b-a)/(b-a), 1/(c-b)/(c-b)
	byA, byB, byC := dst[0][:len(x)], dst[1][:len(x)], dst[2][:len(x)]
	for i, v := range x {
		l, r := within(left, v, a, b), within(right, v, b, c)
		byA[i], byB[i], byC[i] = (v-b)*l, float64((a-v)*l)+float64((c-v)*r), (v-b)*r
	}
}

// Expr returns the formula as relu(1 - relu((b-x)/(b-a)) - relu((x-b)/(c-b))), the
// trapezoid with coinciding shoulders.
func (Triangular) Expr(t Builder, x Term, p []Term) Term {
	a, b, c := p[0], p[1], p[2]
	return Trapezoid{}.Expr(t, x, []Term{a, b, b, c})
}

// Kinks returns a, b and c.
func (Triangular) Kinks(p []float64) []float64 { return p[:3:3] }

// Project sorts the three parameters of each function and widens legs narrower than 1e-9
// by increasing b and c.
func (Triangular) Project(p [][]float64) {
	a, b, c := p[0], p[1], p[2]
	for i := range a {
		lo, hi := min(a[i], b[i]), max(a[i], b[i])
		mid := max(lo, min(hi, c[i]))
		a[i], c[i] = min(lo, c[i]), max(hi, c[i])
		b[i] = max(mid, legEnd(a[i]))
		c[i] = max(c[i], legEnd(b[i]))
	}
}
