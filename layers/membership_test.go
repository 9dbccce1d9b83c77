package layers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	// Gorgonia needs this to start on current Go releases.
	_ "go4.org/unsafe/assume-no-moving-gc"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// TestExpressionsAsNodes compares each shape's expressions, as nodes, with its plain
// formulas: values and derivatives, at random points, at and near the positions among its
// parameters, and far away. At one rounding step from a kink, where rounding decides the
// side, values and derivatives need only be finite.
func TestExpressionsAsNodes(t *testing.T) {
	testenv.SkipRace(t)
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 30 {
			p := randomParameters(shape, rng, i)
			x, edges := []float64{-1e6, -40, 40, 1e6}, []float64{}
			for j, param := range shape.Params() {
				if param.Kind == membership.Position {
					x = append(x, p[j], p[j]-1e-8, p[j]+1e-8)
					edges = append(edges, math.Nextafter(p[j], 100), math.Nextafter(p[j], -100))
				}
			}
			if k, ok := shape.(membership.Kinked); ok {
				edges = append(edges, k.Kinks(p)...)
			}
			for range 10 {
				x = append(x, 3*rng.NormFloat64())
			}
			if err := agree(shape, x, p); err != nil {
				t.Errorf("%s%.6g: %v", name, p, err)
			}
			if err := finite(shape, edges, p); err != nil {
				t.Errorf("%s%.6g: %v", name, p, err)
			}
		}
	}
}

// randomParameters returns a placement for i = 0, else random values by the kinds of the
// parameters, including steep ones.
func randomParameters(shape membership.Function, rng *rand.Rand, i int) []float64 {
	p := shape.Place(0.5, 0.75)
	if i == 0 {
		return p
	}
	cells := make([][]float64, len(p))
	for j, param := range shape.Params() {
		switch param.Kind {
		case membership.Position:
			p[j] = 2 * rng.NormFloat64()
		case membership.Spread:
			p[j] = math.Exp(2 * rng.NormFloat64())
		case membership.Slope:
			p[j] = 20 * rng.NormFloat64()
		case membership.Exponent:
			p[j] = membership.MinExponent + 3*rng.ExpFloat64()
		}
		cells[j] = p[j : j+1]
	}
	if s, ok := shape.(membership.Projector); ok {
		s.Project(cells)
	}
	return p
}

// agree compares the nodes of Expr with Grades and Gradients, those of LogExpr
// with LogGrades and the gradients of its exponential.
func agree(shape membership.Function, x, p []float64) error {
	want, gradients := make([]float64, len(x)), make([][]float64, len(p))
	for j := range gradients {
		gradients[j] = make([]float64, len(x))
	}
	shape.Grades(want, x, p)
	shape.(membership.Gradients).Gradients(gradients, x, p)

	got, byP, err := run(shape.Expr, x, p)
	if err != nil {
		return err
	}
	if err := same("Expr", shape, x, got, want, byP, gradients); err != nil {
		return err
	}
	l, ok := shape.(membership.LogFunction)
	if !ok {
		return nil
	}
	if got, byP, err = run(l.LogExpr, x, p); err != nil {
		return err
	}
	for i := range x {
		got[i] = math.Exp(got[i])
		for j := range p {
			byP[j][i] *= got[i]
		}
	}
	return same("LogExpr", shape, x, got, want, byP, gradients)
}

func same(of string, shape membership.Function, x, got, want []float64, byP, gradients [][]float64) error {
	for i := range x {
		if !(math.Abs(got[i]-want[i]) <= 1e-12) {
			return fmt.Errorf("%s at %v: node %v, plain %v", of, x[i], got[i], want[i])
		}
		for j, param := range shape.Params() {
			if w := gradients[j][i]; !(math.Abs(byP[j][i]-w) <= 1e-9*max(1, math.Abs(w))) {
				return fmt.Errorf("%s at %v: derivative by %s %v, closed form %v", of, x[i], param.Name, byP[j][i], w)
			}
		}
	}
	return nil
}

// finite returns an error if a value or derivative on nodes is not a number.
func finite(shape membership.Function, x, p []float64) error {
	if len(x) == 0 {
		return nil
	}
	exprs := []expression{shape.Expr}
	if l, ok := shape.(membership.LogFunction); ok {
		exprs = append(exprs, l.LogExpr)
	}
	for _, expr := range exprs {
		values, byP, err := run(expr, x, p)
		if err != nil {
			return err
		}
		for _, row := range append(byP, values) {
			for i, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("%v at %v", v, x[i])
				}
			}
		}
	}
	return nil
}

type expression func(membership.Builder, membership.Term, []membership.Term) membership.Term

// run evaluates an expression on nodes, and its derivatives by the parameters,
// point by point.
func run(expr expression, x, p []float64) (values []float64, byP [][]float64, err error) {
	g := gorgonia.NewGraph()
	input := func(name string, v []float64) node {
		t := tensor.New(tensor.WithShape(1, len(x)), tensor.WithBacking(v))
		return gorgonia.NewMatrix(g, tensor.Float64, gorgonia.WithShape(1, len(x)), gorgonia.WithName(name), gorgonia.WithValue(t))
	}
	var params gorgonia.Nodes
	var terms []membership.Term
	for j, v := range p {
		column := make([]float64, len(x))
		for i := range column {
			column[i] = v
		}
		params = append(params, input(fmt.Sprint("p", j), column))
		terms = append(terms, params[j])
	}
	var b Builder
	out := expr(&b, input("x", append([]float64(nil), x...)), terms).(node)
	sum := b.sum(out)
	if b.Err() != nil {
		return nil, nil, b.Err()
	}
	grads, err := gorgonia.Grad(sum, params...)
	if err != nil {
		return nil, nil, err
	}
	reads := make([]gorgonia.Value, len(grads)+1)
	for i, n := range append(gorgonia.Nodes{out}, grads...) {
		gorgonia.Read(n, &reads[i])
	}
	vm := gorgonia.NewTapeMachine(g)
	defer vm.Close()
	if err := vm.RunAll(); err != nil {
		return nil, nil, err
	}
	for i, r := range reads {
		v := append([]float64(nil), r.Data().([]float64)...)
		if i == 0 {
			values = v
		} else {
			byP = append(byP, v)
		}
	}
	return values, byP, nil
}
