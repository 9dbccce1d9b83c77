package membershiptest

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
	"gonum.org/v1/gonum/stat"
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
		if e := membership.Evaluate(f, x, d.p); !(math.Abs(e-g[i]) <= 1e-13) && !d.touches(x) {
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

// projected checks that projecting any finite parameters, with spreads and exponents at
// or above their least values, gives grades in [0, 1], that projecting twice changes
// nothing, and that parameters within the domain do not change.
func projected(f membership.Function, d draw) error {
	s, ok := f.(membership.Projector)
	if !ok {
		return nil
	}
	n := len(d.p)
	for _, p := range [][]float64{d.p, repeated(d.x[:1], n), repeated(d.x, n), repeated([]float64{1e300, -1e300, 0, 1e9}, n)} {
		p = d.floored(f, p)
		once := projection(s, p)
		if twice := projection(s, once); !slices.Equal(once, twice) {
			return fmt.Errorf("%v is projected to %v, again to %v", p, once, twice)
		}
		if err := within(f, d.x, once); err != nil {
			return fmt.Errorf("with projected parameters: %w", err)
		}
	}
	return inside(f, d.p)
}

// floored returns p with every value at or above the least one of its kind.
func (d draw) floored(f membership.Function, p []float64) []float64 {
	q := slices.Clone(p)
	for j, param := range f.Params() {
		q[j] = max(q[j], param.Kind.Least(0.1*d.spread))
	}
	return q
}

// projection returns a projected copy of the parameters.
func projection(s membership.Projector, p []float64) []float64 {
	q := slices.Clone(p)
	s.Project(columns(q))
	return q
}

// repeated returns n values, from the first again after the last.
func repeated(values []float64, n int) []float64 {
	return slices.Repeat(values, n/len(values)+1)[:n]
}

// inside checks that projection does not change p.
func inside(f membership.Function, p []float64) error {
	s, ok := f.(membership.Projector)
	if !ok {
		return nil
	}
	if q := projection(s, p); !slices.Equal(p, q) {
		return fmt.Errorf("%v is in the domain, but projected to %v", p, q)
	}
	return nil
}

// partitioned checks that a partition has as many functions as requested, in the domain
// and in increasing order, and that they cover the open range.
func partitioned(f membership.Function, d draw) error {
	s, ok := f.(membership.Partitioner)
	if !ok {
		return nil
	}
	low, high := d.center-d.spread, d.center+d.spread
	x := make([]float64, 99)
	for i := range x {
		x[i] = low + (high-low)*float64(i+1)/100
	}
	for n := 2; n <= 5; n++ {
		functions := s.Partition(low, high, n)
		if len(functions) != n {
			return fmt.Errorf("%d functions instead of %d", len(functions), n)
		}
		highest, before := make([]float64, len(x)), math.Inf(-1)
		for _, p := range functions {
			if err := inside(f, p); err != nil {
				return err
			}
			g := grades(f, x, p)
			mean := stat.Mean(x, g)
			if !(mean > before) {
				return fmt.Errorf("function %v lies at %v, the one before at %v", p, mean, before)
			}
			before = mean
			for i, v := range g {
				highest[i] = max(highest[i], v)
			}
		}
		if i := slices.IndexFunc(highest, func(v float64) bool { return !(v > 0) }); i >= 0 {
			return fmt.Errorf("no function of %d covers %v, from %v to %v", n, x[i], low, high)
		}
	}
	return nil
}
