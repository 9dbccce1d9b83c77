package membershiptest

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// described checks that name, parameters and optional methods are complete.
func described(f membership.Function) error {
	if f.Name() == "" {
		return fmt.Errorf("no name: Name returns an empty string")
	}
	seen := map[string]bool{}
	for _, p := range f.Params() {
		if p.Name == "" || p.Meaning == "" || seen[p.Name] {
			return fmt.Errorf("parameter %q: needs a unique name and a meaning", p.Name)
		}
		seen[p.Name] = true
	}
	if n := len(f.Place(0, 1)); n != len(f.Params()) || n == 0 {
		return fmt.Errorf("method Place returns %d parameters, Params %d", n, len(f.Params()))
	}
	_, log := f.(membership.LogFunction)
	_, gradients := f.(membership.Gradients)
	if _, ok := f.(membership.LogGradients); ok && !(log && gradients) {
		return fmt.Errorf("method LogGradients requires LogFunction and Gradients")
	}
	return nil
}

// placed checks that a placed function has a grade above 1/2 at its center and a positive
// one five spreads away, and that grades lie in [0, 1] at any distance.
func placed(f membership.Function, d draw) error {
	p := f.Place(d.center, d.spread)
	g := []float64{d.center, d.center - 5*d.spread, d.center + 5*d.spread}
	f.Grades(g, g, p) // in place
	if !(g[0] > 0.5 && g[1] > 0 && g[2] > 0) {
		return fmt.Errorf("grade %v at the center, %v and %v five spreads away (p = %v)", g[0], g[1], g[2], p)
	}
	return within(f, append(slices.Clone(d.x), 1e9, -1e9, 1e300, -1e300), d.p)
}

// within checks that the grades of a function lie in [0, 1].
func within(f membership.Function, x, p []float64) error {
	for i, v := range grades(f, x, p) {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("grade %v at %v (p = %v)", v, x[i], p)
		}
	}
	return nil
}

// grades returns mu(x; p) in a new slice.
func grades(f membership.Function, x, p []float64) []float64 {
	g := make([]float64, len(x))
	f.Grades(g, x, p)
	return g
}

// expressed checks that Expr agrees with Grades, also if Grades overwrites its input.
func expressed(f membership.Function, d draw) error {
	g, over := grades(f, d.x, d.p), slices.Clone(d.x)
	f.Grades(over, over, d.p)
	for i, x := range d.x {
		if over[i] != g[i] {
			return fmt.Errorf("at %v: Grades gives %v in place, %v apart (p = %v)", x, over[i], g[i], d.p)
		}
		if e := membership.Evaluate(f, x, d.p); !(math.Abs(e-g[i]) <= 1e-13) {
			return fmt.Errorf("at %v: Expr gives %v, Grades %v (p = %v)", x, e, g[i], d.p)
		}
	}
	return nil
}

// logarithmAgrees checks that LogGrades is finite and agrees with Grades and LogExpr.
// Logarithms are also compared by their absolute error, the relative error of the grade.
func logarithmAgrees(f membership.Function, d draw) error {
	l, ok := f.(membership.LogFunction)
	if !ok {
		return nil
	}
	x := append(slices.Clone(d.x), 1e9, -1e9, 1e18, -1e18)
	g, z := grades(f, x, d.p), slices.Clone(x)
	l.LogGrades(z, z, d.p) // in place
	for i, x := range x {
		if !(math.Abs(math.Exp(z[i])-g[i]) <= 1e-13) || math.IsInf(z[i], 0) {
			return fmt.Errorf("at %v: LogGrades gives %v with exponential %v, Grades %v (p = %v)", x, z[i], math.Exp(z[i]), g[i], d.p)
		}
		if e := membership.EvaluateLog(l, x, d.p); !(math.Abs(e-z[i]) <= 1e-12*math.Abs(z[i])+1e-15) {
			return fmt.Errorf("at %v: LogExpr gives %v, LogGrades %v (p = %v)", x, e, z[i], d.p)
		}
	}
	return nil
}
