package membership

// Pi is the Pi-shaped function, MATLAB's pimf with its parameters [a b c d],
// a < b <= c < d: the trapezoid with the same parameters, with S-shaped legs,
//
//	mu(x; p) = S(u),  u = trapezoid(x; p)
//
//	S(u) = 2 u^2            u <= 1/2
//	       1 - 2 (1-u)^2    u > 1/2
//
// It has no kinks: at the feet, the shoulders and the middle of the legs only the
// second derivative jumps. It is zero outside (a, d) and one on [b, c].
type Pi struct{}

func init() { Register(Pi{}) }

func (Pi) Name() string { return "pi" }

// Params returns a, b, c and d, the trapezoid's.
func (Pi) Params() []Param { return Trapezoid{}.Params() }

// Place returns the parameters of a [Trapezoid]: shoulders half a spread and feet
// ten spreads away from center, so that initially every point is covered.
func (Pi) Place(center, spread float64) []float64 { return Trapezoid{}.Place(center, spread) }

// Between returns legs whose middles are low and high: twice as long as those of a
// [Trapezoid], since they are twice as steep in the middle.
func (Pi) Between(low, high, spread float64) []float64 {
	h := 2 * flankSpread(low, high, spread) / halfWidth
	return legsAt(low, high, min(h, (high-low)/2))
}

func (Pi) Grades(dst, x, p []float64) {
	Trapezoid{}.Grades(dst, x, p)
	for i, u := range dst {
		if u <= 0.5 {
			dst[i] = 2 * u * u
		} else {
			dst[i] = 1 - float64(2*(1-u)*(1-u))
		}
	}
}

// Gradients computes the trapezoid's derivatives times
//
//	dS/du = 4u          u <= 1/2
//	        4 (1-u)     u > 1/2
func (Pi) Gradients(dst [][]float64, x, p []float64) {
	Trapezoid{}.Gradients(dst, x, p)
	var u [block]float64
	for from := 0; from < len(x); from += block {
		part := x[from:min(from+block, len(x))]
		Trapezoid{}.Grades(u[:len(part)], part, p)
		for i, v := range u[:len(part)] {
			u[i] = 4 * min(v, 1-v)
		}
		for _, d := range dst {
			for i := range part {
				d[from+i] *= u[i]
			}
		}
	}
}

// Expr returns the formula as 2 u^2 - 4 relu(u-1/2)^2. The second term is zero on the
// lower half of a leg, so that small grades keep their precision.
func (Pi) Expr(t Builder, x Term, p []Term) Term {
	u := Trapezoid{}.Expr(t, x, p)
	above := t.Relu(t.Sub(u, t.Const(0.5)))
	return t.Sub(t.Mul(t.Const(2), t.Square(u)), t.Mul(t.Const(4), t.Square(above)))
}

// Project orders the parameters as those of a [Trapezoid].
func (Pi) Project(p [][]float64) { Trapezoid{}.Project(p) }
