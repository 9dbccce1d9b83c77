package verify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// paper follows the paper's equations, sample by sample, for its two shapes.
// Numbers in brackets are the paper's; sums over n are over the mini-batch.
//
//	f_r = prod_m mu_{r,m}                                             (2)
//	y = sum_r f_r y_r / sum_r f_r                                     (3)
//	L = 1/2 sum_n (y_n - y)^2 + lambda/2 sum_r sum_m>0 w_{r,m}^2      (7)
//
//	dL/dw_{r,m} = sum_n (y - y_n) f_r / sum_i f_i x_{n,m}
//	              + lambda I(m) w_{r,m}                         (11), (18)
//
// with x_{n,0} = 1 and I(m) = 0 for m = 0, else 1 (12). All derivatives by a
// parameter p of mu_{r,m} begin with the same factor,
//
//	F = (y - y_n) (y_r sum_i f_i - sum_i f_i y_i) / (sum_i f_i)^2
//
// and continue, for a Gaussian, (9) and (10),
//
//	dL/dc     = sum_n F f_r (x - c)/sigma^2
//	dL/dsigma = sum_n F f_r (x - c)^2/sigma^3
//
// for a trapezoid, with sums over x in (a, b), (14) and (15), or in (c, d), (16)
// and (17),
//
//	dL/da = sum_n F f_r/mu (x - b)/(b - a)^2
//	dL/db = sum_n F f_r (-1)/(b - a)
//	dL/dc = sum_n F f_r 1/(d - c)
//	dL/dd = sum_n F f_r/mu (x - c)/(d - c)^2
//
// Beyond the paper: weights multiply a sample's part of the loss; f_r/mu is the product of
// the other grades; the derivative by a parameter that rules share is the sum over the
// rules; the derivative by y of another loss replaces (y - y_n), and that of another
// penalty of the slopes replaces lambda w_{r,m}; derivatives v_r of penalties by the rule
// outputs are added to (y - y_n) f_r / sum_i f_i in (11); derivatives u_r of penalties by
// the normalised firing levels are added to (y - y_n) y_r; with several outputs, the
// equations of the antecedents have the sum over the outputs of (y - y_n) y_r:
//
//	F = (((y - y_n) y_r + u_r) sum_i f_i - sum_i f_i ((y - y_n) y_i + u_i)) / (sum_i f_i)^2
//
// A value of a curve is a coefficient as w_{r,m} is, with the tent of its knot in place of
// x_{n,m}, see [layers.Curves]; the derivative by one that rules share is the sum over the
// rules.
type paper struct{}

func (paper) name() string { return "paper" }

// applies reports whether the shape is the Gaussian or the trapezoid, the t-norm the product
// and the defuzzification TSK.
func (paper) applies(rb *rules.RuleBase) bool {
	return equationsOf(rb.Shape) != nil && inference.OrProduct(rb.TNorm) == inference.Product{} &&
		inference.OrTSK(rb.Defuzzification) == inference.TSK{}
}

// run sums the equations over the batch.
func (paper) run(p *problem) (*solution, error) {
	rb, views, eq := p.RuleBase, outputs(p.RuleBase), equationsOf(p.RuleBase.Shape)
	R, M := rb.Rules(), rb.Features()
	g, y, covered := p.zeros(), make([]float64, len(p.X)*len(views)), make([]bool, len(p.X))
	firing, levels := make([][]float64, len(p.X)), make([][]float64, len(p.X))
	for n, x := range p.X {
		f := eq.firing(rb, rb.IfPart(x), p.Mask[n])
		if sum(f) <= rules.MinFiring { // of the kept rules: use all
			f = eq.firing(rb, rb.IfPart(x), slices.Repeat([]float64{1}, R))
		}
		firing[n], levels[n] = f, make([]float64, R)
		if covered[n] = sum(f) > rules.MinFiring; !covered[n] {
			continue
		}
		for r := range f {
			levels[n][r] = f[r] / sum(f)
			for c, one := range views {
				p.of(n, y)[c] += f[r] * one.Consequent(r, x) / sum(f) // (1), (3)
			}
		}
	}
	u, v := p.byRules(y, covered, levels)
	for n, x := range p.X {
		if !covered[n] {
			continue
		}
		f, sumF := firing[n], sum(firing[n])
		e := p.byPrediction(n, p.of(n, y))
		by, sumFBy := slices.Clone(u[n]), 0.0 // sum_c e_c y_{r,c} + u_r
		for r := range by {
			for c, one := range views {
				by[r] += e[c] * one.Consequent(r, x)
			}
			sumFBy += f[r] * by[r]
		}
		for r := range R {
			if f[r] == 0 {
				continue // dropped, or a factor of zero in every equation
			}
			F := (by[r]*sumF - sumFBy) / sumF / sumF
			for m := range M {
				eq.add(g, rb, r, m, rb.IfPart(x), F, f[r])
			}
			for c := range views {
				addCoefficients(g.Output(c), rb, r, rb.ThenPart(x), e[c]*f[r]/sumF+v[c][n][r])
			}
		}
	}
	for r, row := range p.byConsequents() {
		for i, d := range row {
			if i%(M+1) > 0 { // I(m), (12)
				g.Consequents[r][i] += d
			}
		}
	}
	addRows(g.Curves, p.byCurves())
	addTied(g, rb)
	return &solution{Prediction: y, Loss: p.loss(y, covered, levels), Gradient: g}, nil
}

// addCoefficients adds a sample's part of the derivatives by the coefficients of y_r, given
// dL/dy_r: (11), (18).
func addCoefficients(g rules.Parameters, rb *rules.RuleBase, r int, z []float64, byOutput float64) {
	g.Consequents[r][0] += byOutput // x_{n,0} = 1
	for m, v := range z {
		g.Consequents[r][m+1] += byOutput * v
	}
	if rb.Curves == nil {
		return
	}
	for q, b := range tents(rb.Knots, z) {
		g.Curve(r)[q] += byOutput * b
	}
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// tents returns the tents b_q(z) [Q] of a sample z [M], see [layers.Curves].
func tents(knots [][]float64, z []float64) []float64 {
	var all []float64
	for m, k := range knots {
		for q, top := range k {
			b := 1.0
			if q > 0 {
				b = min(b, (z[m]-k[q-1])/(top-k[q-1]))
			}
			if q < len(k)-1 {
				b = min(b, (k[q+1]-z[m])/(k[q+1]-top))
			}
			all = append(all, max(0, b))
		}
	}
	return all
}

// equations are the equations of one shape.
type equations interface {
	// firing returns f_r(x) of the kept rules and zero for the others, up to a common
	// factor, which cancels in all equations.
	firing(rb *rules.RuleBase, x, keep []float64) []float64
	// add adds a sample's part of dL/dp, for all p of mu_{r,m}, to g.
	add(g rules.Parameters, rb *rules.RuleBase, r, m int, x []float64, F, f float64)
}

func equationsOf(shape membership.Function) equations {
	switch shape.Name() {
	case "gaussian":
		return paperGaussian{}
	case "trapezoid":
		return paperTrapezoid{}
	}
	return nil
}

type paperGaussian struct{}

// firing is (8) in (2), divided by the largest f_r of the kept rules.
func (paperGaussian) firing(rb *rules.RuleBase, x, keep []float64) []float64 {
	c, sigma := rb.Antecedents[0], rb.Antecedents[1]
	exponent, largest := make([]float64, len(keep)), math.Inf(-1)
	for r := range exponent {
		for m, v := range x {
			exponent[r] -= (v - c[r][m]) * (v - c[r][m]) / (2 * sigma[r][m] * sigma[r][m])
		}
		if keep[r] != 0 {
			largest = max(largest, exponent[r])
		}
	}
	f := make([]float64, len(keep))
	for r := range f {
		if keep[r] != 0 {
			f[r] = math.Exp(exponent[r] - largest)
		}
	}
	return f
}

func (paperGaussian) add(g rules.Parameters, rb *rules.RuleBase, r, m int, x []float64, F, f float64) {
	c, sigma := rb.Antecedents[0][r][m], rb.Antecedents[1][r][m]
	g.Antecedents[0][r][m] += F * f * (x[m] - c) / (sigma * sigma)                      // (9)
	g.Antecedents[1][r][m] += F * f * (x[m] - c) * (x[m] - c) / (sigma * sigma * sigma) // (10)
}

type paperTrapezoid struct{}

// grade is (13).
func (paperTrapezoid) grade(rb *rules.RuleBase, r, m int, x float64) float64 {
	a, b, c, d := rb.Antecedents[0][r][m], rb.Antecedents[1][r][m], rb.Antecedents[2][r][m], rb.Antecedents[3][r][m]
	switch {
	case x > a && x < b:
		return (x - a) / (b - a)
	case x >= b && x <= c:
		return 1
	case x > c && x < d:
		return (d - x) / (d - c)
	}
	return 0
}

func (t paperTrapezoid) firing(rb *rules.RuleBase, x, keep []float64) []float64 {
	f := make([]float64, len(keep))
	for r := range f {
		f[r] = keep[r]
		for m, v := range x {
			f[r] *= t.grade(rb, r, m, v) // (2)
		}
	}
	return f
}

func (t paperTrapezoid) add(g rules.Parameters, rb *rules.RuleBase, r, m int, x []float64, F, f float64) {
	a, b, c, d := rb.Antecedents[0][r][m], rb.Antecedents[1][r][m], rb.Antecedents[2][r][m], rb.Antecedents[3][r][m]
	others := 1.0 // f_r/mu
	for k, v := range x {
		if k != m {
			others *= t.grade(rb, r, k, v)
		}
	}
	switch {
	case x[m] > a && x[m] < b:
		g.Antecedents[0][r][m] += F * others * (x[m] - b) / ((b - a) * (b - a)) // (14)
		g.Antecedents[1][r][m] += F * f * -1 / (b - a)                          // (15)
	case x[m] > c && x[m] < d:
		g.Antecedents[2][r][m] += F * f * 1 / (d - c)                           // (16)
		g.Antecedents[3][r][m] += F * others * (x[m] - c) / ((d - c) * (d - c)) // (17)
	}
}
