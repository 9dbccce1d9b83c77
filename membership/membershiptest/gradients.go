package membershiptest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/majority"
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
			if slices.Contains(kinks, x) {
				if got[j][i] != 0 {
					return fmt.Errorf("%s: d/d%s = %v at the kink %v, want 0 (p = %v)", f.Name(), param.Name, got[j][i], x, d.p)
				}
				continue
			}
			if d.closeTo(f, x) {
				continue
			}
			unit := d.unit(param.Kind)
			want, within, smooth := difference(gradesAt(f, x), d.p, j, unit)
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
	if alone := majority.Outvoted(len(values), func(i, k int) bool { return math.Abs(values[i]-values[k]) <= 2*within }); len(alone) == 1 {
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
