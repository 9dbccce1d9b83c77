package membershiptest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
)

// gradientsAgree checks that the closed form agrees with central differences, within
// their estimated error, and is zero at a kink.
func gradientsAgree(f membership.Function, d draw) error {
	c, ok := f.(membership.Gradients)
	if !ok {
		return nil
	}
	var kinks []float64
	if k, ok := f.(membership.Kinked); ok {
		kinks = k.Kinks(d.p)
	}
	got := matrix(len(d.p), len(d.x))
	c.Gradients(got, d.x, d.p)
	for i, x := range d.x {
		for j, param := range f.Params() {
			kink := slices.Contains(kinks, x)
			if kink && got[j][i] == 0 || d.closeTo(f, x) {
				continue
			}
			unit := d.unit(param.Kind)
			want, within, smooth := difference(gradesAt(f, x), d.p, j, unit)
			if kink && !smooth {
				return fmt.Errorf("%s: d/d%s = %v at the kink %v, want 0 (p = %v)", f.Name(), param.Name, got[j][i], x, d.p)
			}
			if within += 1e-7 / unit; smooth && !(math.Abs(got[j][i]-want) <= within) {
				return disagreement(f, d, x, j, within)
			}
		}
	}
	return nil
}

// logGradientsAgree checks that the derivative of log mu times mu is that of mu.
func logGradientsAgree(f membership.Function, d draw) error {
	l, ok := f.(membership.LogGradients)
	if !ok {
		return nil
	}
	mu := grades(f, d.x, d.p)
	got, want := matrix(len(d.p), len(d.x)), matrix(len(d.p), len(d.x))
	l.LogGradients(got, d.x, d.p)
	f.(membership.Gradients).Gradients(want, d.x, d.p)
	for j := range d.p {
		for i, x := range d.x {
			if g, w := mu[i]*got[j][i], want[j][i]; !(math.Abs(g-w) <= 1e-12*math.Abs(w)+1e-300) {
				return disagreement(f, d, x, j, 1e-7/d.unit(f.Params()[j].Kind))
			}
		}
	}
	return nil
}

// disagreement returns the error of a wrong derivative by parameter j at x: three lines with the
// parameter, what each method gives, and which one stands alone, further than within from the others.
func disagreement(f membership.Function, d draw, x float64, j int, within float64) error {
	at := func(gradients func(dst [][]float64, x, p []float64)) float64 {
		dst := matrix(len(d.p), 1)
		gradients(dst, []float64{x}, d.p)
		return dst[j][0]
	}
	unit := d.unit(f.Params()[j].Kind)
	ofGrades, _, _ := difference(gradesAt(f, x), d.p, j, unit)
	ofExpr, _, _ := difference(func(p []float64) float64 { return membership.Evaluate(f, x, p) }, d.p, j, unit)
	methods := []string{"Gradients", "differences of Grades", "differences of Expr"}
	values := []float64{at(f.(membership.Gradients).Gradients), ofGrades, ofExpr}
	if l, ok := f.(membership.LogGradients); ok {
		methods, values = append(methods, "LogGradients times the grade"), append(values, gradesAt(f, x)(d.p)*at(l.LogGradients))
	}
	verdict := "no method stands alone"
	if alone := numeric.Outvoted(len(values), func(i, k int) bool { return math.Abs(values[i]-values[k]) <= 2*within }); len(alone) == 1 {
		verdict = methods[alone[0]] + " stands alone"
	}
	for i, v := range values {
		methods[i] = fmt.Sprintf("%s %.10g", methods[i], v)
	}
	return fmt.Errorf("%s: wrong d/d%s at %v (p = %v)\n%s\n%s", f.Name(), f.Params()[j].Name, x, d.p, strings.Join(methods, ", "), verdict)
}

// gradesAt returns the grade of x as a function of the parameters.
func gradesAt(f membership.Function, x float64) func(p []float64) float64 {
	return func(p []float64) float64 { return grades(f, []float64{x}, p)[0] }
}

// matrix returns zeros, [rows][columns].
func matrix(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for j := range m {
		m[j] = make([]float64, columns)
	}
	return m
}

// difference returns the derivative of mu by parameter j from central differences,
// extrapolated from two steps, and a bound of its error. smooth is false if there
// is a kink within the steps (the derivatives on either side then differ by as
// much at half the step) or the steps are too coarse for the slope.
func difference(mu func(p []float64) float64, p []float64, j int, unit float64) (value, within float64, smooth bool) {
	central := func(h float64) (slope, gap float64) {
		at := func(h float64) float64 {
			q := slices.Clone(p)
			q[j] += h
			return mu(q)
		}
		down, middle, up := at(-h), at(0), at(h)
		return (up - down) / (2 * h), math.Abs(up-2*middle+down) / h
	}
	d1, gap1 := central(1e-4 * unit)
	d2, gap2 := central(0.5e-4 * unit)
	smooth = gap2 < 0.6*gap1+0.5e-7/unit && math.Abs(d1) < steepest/unit
	return (4*d2 - d1) / 3, 2 * math.Abs(d1-d2), smooth
}

// steepest is a slope, in grades per unit, that changes the grade by 0.05 in one
// step of the differences.
const steepest = 500

// gaussianHalf is the distance, in spreads, from the center of a Gaussian to grade 1/2.
var gaussianHalf = math.Sqrt(2 * math.Ln2)

// covers checks functions over intervals of several widths, bounded and open.
func covers(f membership.Function, d draw) error {
	s, ok := f.(membership.Between)
	if !ok {
		return nil
	}
	inf := math.Inf(1)
	for _, width := range []float64{0.01, 0.5, 4.1, 20} { // in spreads
		high := d.center + width*d.spread
		for _, i := range [][2]float64{{d.center, high}, {-inf, high}, {d.center, inf}, {-inf, inf}} {
			p := s.Between(i[0], i[1], d.spread)
			err := inside(f, p)
			for _, check := range []func(membership.Function, draw, [2]float64, []float64) error{wellPlaced, flanked, open, still} {
				if err == nil {
					err = check(f, d, i, p)
				}
			}
			if err != nil {
				return fmt.Errorf("between %v and %v, spread %v, p = %v: %w", i[0], i[1], d.spread, p, err)
			}
		}
	}
	return nil
}

// wellPlaced checks that the parameters are finite and that grades lie in [0, 1].
func wellPlaced(f membership.Function, d draw, _ [2]float64, p []float64) error {
	if len(p) != len(f.Params()) {
		return fmt.Errorf("%d parameters; Params describes %d", len(p), len(f.Params()))
	}
	for j, param := range f.Params() {
		if math.IsNaN(p[j]) || math.IsInf(p[j], 0) || param.Kind == membership.Spread && p[j] <= 0 {
			return fmt.Errorf("%s = %v", param.Name, p[j])
		}
	}
	return within(f, d.x, p)
}

// flanked checks the flank at each bounded border: near zero far outside and, unless the
// interval is narrow, grade and slope at the border and the grade in the middle.
func flanked(f membership.Function, d draw, interval [2]float64, p []float64) error {
	low, high := interval[0], interval[1]
	for side, outwards := range []float64{-1, 1} {
		at, h := interval[side], 1e-3*d.spread
		if math.IsInf(at, 0) {
			continue
		}
		g := grades(f, []float64{at, at - h, at + h, at + outwards*20*d.spread, at - outwards*gaussianHalf*d.spread}, p)
		slope, want := -outwards*(g[2]-g[1])/(2*h), gaussianHalf/2/d.spread
		switch {
		case !(g[3] <= 1e-9):
			return fmt.Errorf("grade %v twenty spreads outside", g[3])
		case high-low < 4*d.spread:
		case !(math.Abs(g[0]-0.5) <= 0.01):
			return fmt.Errorf("grade %v at the border %v", g[0], at)
		case !(math.Abs(slope-want) <= 0.05*want):
			return fmt.Errorf("slope %v at the border %v, want %v", slope, at, want)
		case !(g[4] >= 0.85):
			return fmt.Errorf("grade %v within, next to the border %v", g[4], at)
		}
	}
	return nil
}

// open checks that the grade is one, to the bit, at a great distance on an open side.
func open(f membership.Function, _ draw, interval [2]float64, p []float64) error {
	for _, at := range interval {
		if math.IsInf(at, 0) {
			if x := math.Copysign(1e6, at); grades(f, []float64{x}, p)[0] != 1 {
				return fmt.Errorf("grade %v at %v, on an open side", grades(f, []float64{x}, p)[0], x)
			}
		}
	}
	return nil
}

// still checks that training cannot close an open side: all gradients are finite, those
// of distant positions zero; between two open sides all are zero.
func still(f membership.Function, d draw, interval [2]float64, p []float64) error {
	both := math.IsInf(interval[0], 0) && math.IsInf(interval[1], 0)
	var ways []func(dst [][]float64, x, p []float64)
	if s, ok := f.(membership.Gradients); ok {
		ways = append(ways, s.Gradients)
	}
	if s, ok := f.(membership.LogGradients); ok {
		ways = append(ways, s.LogGradients)
	}
	for _, gradients := range ways {
		dst := matrix(len(p), len(d.x))
		gradients(dst, d.x, p)
		for j, param := range f.Params() {
			fixed := both || param.Kind == membership.Position && math.Abs(p[j]) > 1e100
			if i := slices.IndexFunc(dst[j], func(v float64) bool {
				return math.IsNaN(v) || math.IsInf(v, 0) || fixed && v != 0
			}); i >= 0 {
				return fmt.Errorf("d/d%s = %v at %v", param.Name, dst[j][i], d.x[i])
			}
		}
	}
	return nil
}

// bordered checks that functions on both sides of a border add up to one and may share its
// parameters, whatever their other borders are.
func bordered(f membership.Function, d draw) error {
	s, ok := f.(membership.Bordered)
	if !ok {
		return nil
	}
	params, inf := f.Params(), math.Inf(1)
	lower, upper := s.Borders()
	all := slices.Sorted(slices.Values(slices.Concat(lower, upper)))
	for j := range params {
		if len(lower) != len(upper) || len(all) != len(params) || all[j] != j {
			return fmt.Errorf("borders %v and %v do not divide the %d parameters", lower, upper, len(params))
		}
	}
	t := d.center
	below, above := s.Between(-inf, t, d.spread), s.Between(t, inf, d.spread)
	g, h := grades(f, d.x, below), grades(f, d.x, above)
	for i, x := range d.x {
		if !(math.Abs(g[i]+h[i]-1) <= 1e-12) {
			return fmt.Errorf("at %v: grades %v below and %v above the border %v", x, g[i], h[i], t)
		}
	}
	narrow := s.Between(t-0.1*d.spread, t, d.spread)
	for i, j := range upper {
		name := params[j].Name
		switch k := lower[i]; {
		case params[j].Kind != params[k].Kind:
			return fmt.Errorf("%s corresponds to %s, of another kind", name, params[k].Name)
		case below[j] != above[k]:
			return fmt.Errorf("%s = %v below the border %v, %s = %v above it", name, below[j], t, params[k].Name, above[k])
		case below[j] != narrow[j]:
			return fmt.Errorf("%s = %v depends on the other border, with an open one it is %v", name, narrow[j], below[j])
		}
	}
	return nil
}
