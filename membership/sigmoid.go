package membership

// Sigmoid is a soft interval, the product of two logistic functions, one for each border:
//
//	mu(x; p) = 1/(1 + exp(-(x-low)/rise)) * 1/(1 + exp(-(high-x)/fall))
//
// An open border makes it one-sided, "x is above low" or "x is below high", and these two
// add up to one where low = high and rise = fall: two rules that share a border divide
// the samples softly, as the nodes of a hierarchical mixture do (Hartmann and Nelles,
// HILOMOT). It is smooth and positive everywhere. The only constraints are rise > 0 and
// fall > 0. It is the [PSigmoid] with a1 = 1/rise, c1 = low, a2 = -1/fall and c2 = high.
type Sigmoid struct{}

func init() { Register(Sigmoid{}) }

func (Sigmoid) Name() string { return "sigmoid" }

func (Sigmoid) Params() []Param {
	return []Param{
		{Name: "low", Meaning: "lower border"},
		{Name: "rise", Meaning: "width of the rise at the lower border", Kind: Spread},
		{Name: "high", Meaning: "upper border"},
		{Name: "fall", Meaning: "width of the fall at the upper border", Kind: Spread},
	}
}

// Place returns borders where a Gaussian with this spread has the grade 1/2, as steep as
// it is there. The grade at the center is (16/17)^2.
func (s Sigmoid) Place(center, spread float64) []float64 {
	w := float64(halfWidth * spread)
	return s.Between(center-w, center+w, spread)
}

// Between returns the borders themselves. Their widths do not depend on the distance
// between them, so that functions with a common border may share its parameters.
func (Sigmoid) Between(low, high, spread float64) []float64 {
	width := spread / flankSlope
	return []float64{max(low, -far), width, min(high, far), width}
}

// Borders returns low and rise, high and fall.
func (Sigmoid) Borders() (lower, upper []int) { return []int{0, 1}, []int{2, 3} }

// product returns the parameters of the PSigmoid.
func (Sigmoid) product(p []float64) [4]float64 {
	low, rise, high, fall := p[0], p[1], p[2], p[3]
	return [4]float64{1 / rise, low, -1 / fall, high}
}

// Grades computes the product of sigmoids.
func (s Sigmoid) Grades(dst, x, p []float64) {
	q := s.product(p)
	PSigmoid{}.Grades(dst, x, q[:])
}

// LogGrades computes the logarithm of the product of sigmoids.
func (s Sigmoid) LogGrades(dst, x, p []float64) {
	q := s.product(p)
	PSigmoid{}.LogGrades(dst, x, q[:])
}

// Gradients computes, with f1 and f2 the two factors,
//
//	dmu/dlow  = -mu (1-f1) / rise    dmu/drise = -mu (1-f1) (x-low) / rise^2
//	dmu/dhigh =  mu (1-f2) / fall    dmu/dfall = -mu (1-f2) (high-x) / fall^2
func (s Sigmoid) Gradients(dst [][]float64, x, p []float64) {
	q := s.product(p)
	PSigmoid{}.Gradients([][]float64{dst[1], dst[0], dst[3], dst[2]}, x, q[:])
	s.bySpreads(dst, q)
}

// LogGradients computes Gradients without the factor mu.
func (s Sigmoid) LogGradients(dst [][]float64, x, p []float64) {
	q := s.product(p)
	PSigmoid{}.LogGradients([][]float64{dst[1], dst[0], dst[3], dst[2]}, x, q[:])
	s.bySpreads(dst, q)
}

// bySpreads replaces the derivatives by the slopes a1 = 1/rise and a2 = -1/fall by those
// by rise and fall.
func (Sigmoid) bySpreads(dst [][]float64, q [4]float64) {
	scale(dst[1], -q[0]*q[0])
	scale(dst[3], q[2]*q[2])
}

// Expr returns the product on terms.
func (s Sigmoid) Expr(b Builder, x Term, p []Term) Term {
	u1, u2 := s.arguments(b, x, p)
	return b.Mul(b.Sigmoid(u1), b.Sigmoid(u2))
}

// LogExpr returns the logarithm of the product on terms.
func (s Sigmoid) LogExpr(b Builder, x Term, p []Term) Term {
	u1, u2 := s.arguments(b, x, p)
	return b.Add(logLogisticTerm(b, u1), logLogisticTerm(b, u2))
}

// arguments returns (x-low)/rise and (high-x)/fall on terms.
func (Sigmoid) arguments(b Builder, x Term, p []Term) (u1, u2 Term) {
	low, rise, high, fall := p[0], p[1], p[2], p[3]
	return b.Div(b.Sub(x, low), rise), b.Div(b.Sub(high, x), fall)
}
