package graph

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// TestDroppedRuleHasNoGradient checks that, with one sample and a fixed mask, the gradient
// of a dropped rule is exactly zero and that of a kept one is not.
func TestDroppedRuleHasNoGradient(t *testing.T) { bothEngines(t, testDroppedRuleHasNoGradient) }

func testDroppedRuleHasNoGradient(t *testing.T, engine string) {
	for _, shape := range membership.Names() {
		p := newProblem(t, shape, 4, 3, 1, false, 0).on(engine)
		p.mask[0] = []float64{1, 0, 1, 0}
		n := p.network(t)
		p.evaluate(t, n)
		g := testenv.Must(n.Gradients())
		for r, kept := range p.mask[0] {
			size := 0.0
			for _, param := range append(g.Antecedents, g.Consequents) {
				for _, v := range param[r] {
					size += math.Abs(v)
				}
			}
			if (size != 0) != (kept == 1) {
				t.Errorf("%s: rule %d, kept %v: gradient of size %v", shape, r, kept, size)
			}
		}
	}
}

// trapezoids returns two rules that cover (0,3) and (4,7), and a batch.
func trapezoids(x, target []float64, mask [][]float64) *problem {
	p := &problem{rb: &rules.RuleBase{
		Shape: membership.Trapezoid{},
		Parameters: rules.Parameters{
			Antecedents: [][][]float64{{{0}, {4}}, {{1}, {5}}, {{2}, {6}}, {{3}, {7}}},
			Consequents: [][]float64{{10, 0}, {20, 0}},
		},
		SpreadFloor: 0.1,
	}, mask: mask, target: target}
	for _, v := range x {
		p.x, p.weight = append(p.x, []float64{v}), append(p.weight, 1)
	}
	return p
}

// triangles returns the problem with triangles of the same feet, a shape without a
// kernel of its own.
func (p *problem) triangles() *problem {
	q, rb := *p, *p.rb
	rb.Shape = membership.Triangular{}
	rb.Antecedents = [][][]float64{{{0}, {4}}, {{1.5}, {5.5}}, {{3}, {7}}}
	q.rb = &rb
	return &q
}

// TestKeptRulesAllZero checks that a sample whose kept rules do not fire uses all rules.
func TestKeptRulesAllZero(t *testing.T) { bothEngines(t, testKeptRulesAllZero) }

func testKeptRulesAllZero(t *testing.T, engine string) {
	p := trapezoids([]float64{1.5, 1.5}, []float64{12, 12}, [][]float64{{0, 1}, {1, 0}}).on(engine)
	q := p.triangles()
	for _, p := range []*problem{p, q} {
		n := p.network(t)
		for range 2 {
			data, _, skipped := p.evaluate(t, n)
			if data != 4 || skipped != 0 {
				t.Errorf("%s: loss %v, %d skipped; want 4, none", p.rb.Shape.Name(), data, skipped)
			}
		}
		if g, _ := n.Gradients(); g.Consequents[0][0] != -4 || g.Consequents[1][0] != 0 {
			t.Errorf("%s: gradient of w %v", p.rb.Shape.Name(), g.Consequents)
		}
	}
}

func TestUncoveredSampleIsSkipped(t *testing.T) { bothEngines(t, testUncoveredSampleIsSkipped) }

func testUncoveredSampleIsSkipped(t *testing.T, engine string) {
	p := trapezoids([]float64{1.5, 3.5}, []float64{12, 99}, [][]float64{{1, 1}, {1, 1}}).on(engine)
	testUncovered(t, p)
	testUncovered(t, p.triangles())
}

func testUncovered(t *testing.T, p *problem) {
	p.weight[1] = 1
	n := p.network(t)
	data, _, skipped := p.evaluate(t, n)
	if data != 2 || skipped != 1 {
		t.Errorf("loss %v, %d skipped; want 2, 1", data, skipped)
	}
	g, _ := n.Gradients()
	if g.Consequents[0][0] != -2 || g.Consequents[1][0] != 0 {
		t.Errorf("gradient of w %v", g.Consequents)
	}
	p.weight[1] = 0 // a sample of weight zero does not count as skipped
	if _, _, skipped := p.evaluate(t, n); skipped != 0 {
		t.Errorf("%d skipped of weight zero", skipped)
	}
}

// TestNotFiniteIsSkipped checks that a sample so far away that no logarithm of a firing
// level is finite is skipped, and that the others are not affected.
func TestNotFiniteIsSkipped(t *testing.T) { bothEngines(t, testNotFiniteIsSkipped) }

func testNotFiniteIsSkipped(t *testing.T, engine string) {
	testNotFinite(t, newProblem(t, "gaussian", 3, 2, 4, false, 0.1).on(engine))
	testNotFinite(t, newProblem(t, "gauss2", 3, 2, 4, true, 0.1).on(engine))
}

func testNotFinite(t *testing.T, p *problem) {
	p.x[1][0] = 1e200
	n := p.network(t)
	data, _, skipped := p.evaluate(t, n)
	want, _, plainSkipped := p.rb.Loss(p.x, p.target, p.mask, p.weight, nil, p.penalties...)
	if math.Abs(data-want) > 1e-12 || skipped != 1 || plainSkipped != 1 {
		t.Errorf("loss %v with %d skipped, plain %v with %d", data, skipped, want, plainSkipped)
	}
	g, _ := n.Gradients()
	for _, row := range append(g.Antecedents[1], g.Consequents...) {
		for _, v := range row {
			if !numeric.Finite(v) {
				t.Fatalf("gradient %v", g)
			}
		}
	}
	for i := range p.x {
		p.x[i][0] = 1e200
	}
	if data, _, skipped := p.evaluate(t, n); data != 0 || skipped != 4 {
		t.Errorf("all samples far away: loss %v, %d skipped", data, skipped)
	}
}

// TestKeptLogsAllInfinite is TestKeptRulesAllZero in log space.
func TestKeptLogsAllInfinite(t *testing.T) { bothEngines(t, testKeptLogsAllInfinite) }

func testKeptLogsAllInfinite(t *testing.T, engine string) {
	p := newProblem(t, "gaussian", 2, 1, 2, false, 0).on(engine)
	p.rb.Antecedents[0][0][0] = 1e170 // rule 0: log firing level -Inf everywhere
	p.mask = [][]float64{{1, 0}, {1, 1}}
	data, _, skipped := p.evaluate(t, p.network(t))
	want, _, _ := p.rb.Loss(p.x, p.target, p.mask, p.weight, nil)
	if math.Abs(data-want) > 1e-12 || skipped != 0 {
		t.Errorf("loss %v, %d skipped; plain %v", data, skipped, want)
	}
}

// TestPredict checks that the forward-only graph over the same tensors agrees with the
// plain forward pass, for any N, before and after a change of the parameters.
func TestPredict(t *testing.T) {
	testenv.SkipRace(t)
	bothEngines(t, testPredict)
}

func testPredict(t *testing.T, engine string) {
	for _, shape := range membership.Names() {
		for _, N := range []int{0, 1, 255, 256, 257, 700} {
			p := newProblem(t, shape, 5, 3, max(N, 1), false, 0).on(engine)
			p.x = p.x[:N]
			n := testenv.Must(New(p.rb, Options{Engine: engine, Batch: 2}))
			for range 2 {
				y, covered, err := n.Predict(p.x)
				testenv.OK(t, err)
				want, wantCovered, _ := n.RuleBase().Forward(p.x, nil)
				for i := range want {
					if math.Abs(y[i]-want[i]) > 1e-10*max(1, math.Abs(want[i])) || covered[i] != wantCovered[i] {
						t.Fatalf("%s, N=%d: sample %d: %v (%v), plain %v (%v)", shape, N, i, y[i], covered[i], want[i], wantCovered[i])
					}
				}
				n.Params()[0].Value().Data().([]float64)[0] += 0.1
				n.Project()
			}
			testenv.OK(t, n.Close())
		}
	}
}

func TestPredictUncovered(t *testing.T) { bothEngines(t, testPredictUncovered) }

func testPredictUncovered(t *testing.T, engine string) {
	p := trapezoids([]float64{1.5}, []float64{0}, [][]float64{{1, 1}}).on(engine)
	y, covered, err := p.network(t).Predict([][]float64{{3.5}, {1.5}, {-1e300}})
	if err != nil || !slices.Equal(y, []float64{0, 10, 0}) || !slices.Equal(covered, []bool{false, true, false}) {
		t.Errorf("%v %v %v", y, covered, err)
	}
}

// TestRunsLeaveParametersAlone checks that runs change neither parameters nor rulebase,
// although Gorgonia may overwrite inputs of an operation.
func TestRunsLeaveParametersAlone(t *testing.T) { bothEngines(t, testRunsLeaveParametersAlone) }

func testRunsLeaveParametersAlone(t *testing.T, engine string) {
	for _, shape := range membership.Names() {
		for _, B := range []int{1, 5} {
			p := newProblem(t, shape, 3, 2, B, true, 0.1).on(engine)
			n := p.network(t)
			p.evaluate(t, n)
			testenv.OK(t, testenv.Err(n.Predict(p.x)))
			testenv.Equal(t, n.RuleBase(), p.rb, "%s, B=%d: the rulebase changed", shape, B)
		}
	}
}

// TestNodesDoNotGrowWithFeatures checks that the graphs of M=8 and M=64 have equally many
// nodes, up to a logarithmic number for shapes that can be zero.
func TestNodesDoNotGrowWithFeatures(t *testing.T) {
	for _, shape := range membership.Names() {
		small, large := newProblem(t, shape, 2, 8, 1, false, 0).on(autodiff).network(t),
			newProblem(t, shape, 2, 64, 1, false, 0).on(autodiff).network(t)
		before, after := len(small.net.graph.AllNodes()), len(large.net.graph.AllNodes())
		if after > before+80 {
			t.Errorf("%s: %d nodes at M=8, %d at M=64", shape, before, after)
		}
	}
}

func TestNetworksRunConcurrently(t *testing.T) { bothEngines(t, testNetworksRunConcurrently) }

func testNetworksRunConcurrently(t *testing.T, engine string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := newProblem(t, "gaussian", 3, 2, 4, true, 0.1).on(engine)
			n := p.network(t)
			for range 5 {
				if data, penalty, _ := p.evaluate(t, n); math.Abs(data+penalty-p.plainLoss()) > 1e-12 {
					t.Errorf("loss %v", data+penalty)
				}
			}
		})
	}
	wg.Wait()
}

// TestEngines checks that auto is the fused engine if the shape has derivatives.
func TestEngines(t *testing.T) {
	written, err := membership.Formula{Name: "mine", Expr: "exp(-abs(x-c))",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}}}.Shape()
	testenv.OK(t, err)
	// A shape with a logarithm but only the derivative of its grade.
	half := struct {
		membership.Function
		membership.LogFunction
		membership.Gradients
	}{membership.Cauchy{}, membership.Cauchy{}, membership.Cauchy{}}
	for want, shapes := range map[string][]membership.Function{fused: {membership.Gaussian{}, membership.Pi{}}, autodiff: {written, half}} {
		for _, shape := range shapes {
			testenv.Equal(t, testenv.Must(Engine("auto", shape, inference.Product{})), want, "%s: auto", shape.Name())
			if _, err := Engine(fused, shape, inference.Product{}); (err == nil) != (want == fused) {
				t.Errorf("%s, fused: %v", shape.Name(), err)
			}
			testenv.Equal(t, testenv.Must(Engine(autodiff, shape, inference.Product{})), autodiff, "%s, autodiff", shape.Name())
			testenv.Equal(t, testenv.Must(Engine("auto", shape, inference.Minimum{})), want, "%s with the minimum: auto", shape.Name())
		}
	}
}

// nameless is neither a loss of one output nor of all.
type nameless struct{ loss.Loss }

func TestRefusals(t *testing.T) {
	p := newProblem(t, "gaussian", 2, 2, 2, false, 0)
	for want, o := range map[string]Options{
		"unknown engine":      {Engine: "steam", Batch: 1},
		"batch size":          {Batch: -1},
		"slopes: weight":      {Engine: "auto", Batch: 1, Penalties: []penalty.Penalty{penalty.Slopes{Lambda: math.NaN()}}},
		"penalty 1 is":        {Engine: "auto", Batch: 1, Penalties: []penalty.Penalty{penalty.Slopes{}, nil}},
		"slopes: impl":        {Engine: "auto", Batch: 1, Penalties: []penalty.Penalty{struct{ penalty.Penalty }{penalty.Slopes{}}}},
		"loss squared":        {Engine: "auto", Batch: 1, Loss: nameless{loss.Squared{}}},
		"no Rule Dropout and": {Engine: "fused", Batch: 2, RuleDropout: 0.5},
		"dropout 1.5":         {Engine: "autodiff", Batch: 2, RuleDropout: 1.5},
		"and no batch norm":   {Engine: "fused", Batch: 2, BatchNorm: &Moments{make([]float64, 2), make([]float64, 2)}},
		"3 means and 2":       {Engine: "autodiff", Batch: 2, BatchNorm: &Moments{make([]float64, 3), make([]float64, 2)}},
	} {
		testenv.FailsIs(t, testenv.Err(New(p.rb, o)), ErrGraph, want)
	}
	n := p.network(t)
	testenv.FailsIs(t, testenv.Err(n.Gradients()), ErrGraph, "", "gradients before Evaluate")
	testenv.FailsIs(t, testenv.Err(n.Evaluate(flat(p.x)[1:], p.target, flat(p.mask), p.weight)), ErrGraph, "", "a short batch")
	testenv.FailsIs(t, testenv.Err(n.Predict([][]float64{{1}})), ErrGraph, "", "a short sample")
	p.rb.Antecedents[1][0][0] = -1
	testenv.FailsIs(t, testenv.Err(New(p.rb, Options{Engine: "auto", Batch: 1})), rules.ErrInvalid, "", "an invalid rulebase")
}

// TestDOT checks that the layers are in the order of the network and each is connected to
// the next.
func TestDOT(t *testing.T) { bothEngines(t, testDOT) }

func testDOT(t *testing.T, engine string) {
	for _, shape := range membership.Names() {
		var b strings.Builder
		testenv.OK(t, newProblem(t, shape, 3, 4, 2, false, 0.1).on(engine).network(t).WriteDOT(&b))
		at := 0
		for _, layer := range []string{"membership: " + shape, "product", "DropRule", "normalisation", "consequents", "weighted sum", "loss"} {
			i := strings.Index(b.String()[at:], layer)
			if i < 0 {
				t.Errorf("%s: layer %q is missing or out of order", shape, layer)
			}
			at += max(i, 0)
		}
		for _, input := range []string{`"x"`, `"mask"`, `"target"`, `"weight"`, `"bias"`, `"slope"`} {
			if !strings.Contains(b.String(), "label="+input) {
				t.Errorf("%s: input %s is missing", shape, input)
			}
		}
	}
}
