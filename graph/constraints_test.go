package graph

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// stepped returns the rules after steps of a solver, which is large enough for every parameter
// to leave its domain.
func (p *problem) stepped(t *testing.T, solver string, o Options) *rules.RuleBase {
	t.Helper()
	o.Engine, o.Batch, o.Penalties = p.engine, len(p.x), p.penalties
	n := testenv.Must(New(p.rb, o))
	defer n.Close()
	p.steps(t, n, testenv.Must(optim.New(testenv.Must(optim.Lookup(solver, optim.Values{optim.LearningRate: 0.5})))), 4)
	rb := n.RuleBase()
	testenv.OK(t, rb.Validate())
	return rb
}

// steps makes steps of a solver on the batch.
func (p *problem) steps(t *testing.T, n *Network, s optim.Solver, steps int) {
	t.Helper()
	for range steps {
		data, penalty, _ := p.evaluate(t, n)
		if s, ok := s.(optim.LossSolver); ok {
			s.Observe(data + penalty)
		}
		testenv.OK(t, s.Step(n.Params()))
		n.Project()
	}
}

// kept keeps the IF part of rule 0, the THEN part of rule 1 and both of rule 2.
func (p *problem) kept() *problem {
	p.rb.Keep = []rules.Keep{rules.KeepIf, rules.KeepThen, rules.KeepAll, 0}
	return p
}

// compare calls same for each parameter before and after, with its mark.
func compare(marks, before, after rules.Parameters, same func(what string, kept bool, before, after float64)) {
	each := func(what string, marks, before, after [][]float64) {
		for r, row := range marks {
			for m, mark := range row {
				same(fmt.Sprintf("%s[%d,%d]", what, r, m), mark == 1, before[r][m], after[r][m])
			}
		}
	}
	for j := range marks.Antecedents {
		each(fmt.Sprint("antecedent ", j), marks.Antecedents[j], before.Antecedents[j], after.Antecedents[j])
	}
	each("w", marks.Consequents, before.Consequents, after.Consequents)
	each("curve", marks.Curves, before.Curves, after.Curves)
}

// TestKept: no solver changes a kept parameter, or a copy that is tied to it, in any bit, nor
// does the floor of spreads; all others move.
func TestKept(t *testing.T) { bothEngines(t, testKept) }

func testKept(t *testing.T, engine string) {
	for _, shape := range []string{"gaussian", "trapezoid", "sigmoid"} {
		for _, solver := range optim.Solvers() {
			for _, o := range []Options{{}, {LogSpreads: true}} {
				p := newProblem(t, shape, 4, 2, 9, true, 0.05).on(engine).tied().kept()
				rules.AddCurves(p.rb, [][]float64{nil, {-1, 0, 1}}, true)
				if shape == "gaussian" {
					p.rb.SpreadFloor = 10 // above all spreads
					for r := range 2 {
						p.rb.Keep[2*r+1] |= rules.KeepIf
					}
				}
				before := p.rb.Clone()
				after := p.stepped(t, solver, o)
				moved := 0
				compare(*rules.Kept(p.rb), before.Parameters, after.Parameters, func(what string, kept bool, a, b float64) {
					if kept && a != b {
						t.Errorf("%s, %s, %s: %v became %v", shape, solver, what, a, b)
					}
					if !kept && a != b {
						moved++
					}
				})
				if moved < 6 {
					t.Errorf("%s, %s: only %d parameters moved", shape, solver, moved)
				}
			}
		}
	}
}

// TestKeptGradient: the gradients of kept parameters are zero, also after HoldZeroSlopes, and
// the others are those without.
func TestKeptGradient(t *testing.T) { bothEngines(t, testKeptGradient) }

func testKeptGradient(t *testing.T, engine string) {
	for _, curves := range []bool{false, true} {
		p := newProblem(t, "sigmoid", 4, 2, 9, true, 0.05).on(engine).tied()
		rules.AddCurves(p.rb, [][]float64{{-1, 0, 1}, nil}, curves)
		free := p.network(t)
		p.evaluate(t, free)
		want := testenv.Must(free.Gradients())
		p.kept()
		n := p.network(t)
		p.rb.Consequents[3][1] = 0
		held := p.network(t)
		held.HoldZeroSlopes()
		p.evaluate(t, n)
		p.evaluate(t, held)
		compare(*rules.Kept(p.rb), want, testenv.Must(n.Gradients()), func(what string, kept bool, a, b float64) {
			if kept && b != 0 || !kept && a != b {
				t.Errorf("gradient by %s is %v, kept: %v, without keep %v", what, b, kept, a)
			}
		})
		compare(*rules.Kept(p.rb), want, testenv.Must(held.Gradients()), func(what string, kept bool, _, b float64) {
			if kept != (b == 0) && what != "w[3,1]" {
				t.Errorf("gradient by %s is %v, kept: %v, with zero slopes held", what, b, kept)
			}
		})
	}
}

// TestSigns: after each step of any solver, slopes have the signs of their columns, and others
// none.
func TestSigns(t *testing.T) { bothEngines(t, testSigns) }

func testSigns(t *testing.T, engine string) {
	for _, solver := range optim.Solvers() {
		p := newProblem(t, "gaussian", 4, 3, 9, true, 0.05).on(engine)
		p.rb.Signs = []int{0, 1, -1, 0}
		rules.ProjectSigns(p.rb)
		free, wrong := 0, 0
		for _, w := range p.stepped(t, solver, Options{}).Consequents {
			if w[1] < 0 || w[2] > 0 {
				t.Errorf("%s: %v", solver, w)
			}
			if w[3] < 0 {
				free++
			}
		}
		p.rb.Signs = nil
		for _, w := range p.stepped(t, solver, Options{}).Consequents {
			if w[1] < 0 || w[2] > 0 {
				wrong++
			}
		}
		if free == 0 || wrong == 0 {
			t.Errorf("%s: %d slopes are free, %d rules would have wrong signs: nothing is tested", solver, free, wrong)
		}
	}
}

// TestSignsOfOutputs: each output has signs of its own.
func TestSignsOfOutputs(t *testing.T) { bothEngines(t, testSignsOfOutputs) }

func testSignsOfOutputs(t *testing.T, engine string) {
	p := newProblem(t, "gaussian", 4, 2, 9, true, 0.05).on(engine)
	p.setOutputs(2, "none")
	p.rb.Signs = []int{0, 1, 0, 0, 0, -1}
	for _, w := range p.rb.Consequents {
		w[1], w[5] = 0, 0
	}
	signs := map[bool]int{}
	for _, w := range p.stepped(t, "sgd", Options{}).Consequents {
		if w[1] < 0 || w[5] > 0 {
			t.Errorf("%v", w)
		}
		signs[w[2] < 0]++
		signs[w[4] < 0]++
	}
	if len(signs) < 2 {
		t.Error("free slopes have one sign")
	}
}

// TestBoundCurves: after each step, curves of features with a sign do not fall or do not rise, of each output, shared or own.
func TestBoundCurves(t *testing.T) { bothEngines(t, testBoundCurves) }

func testBoundCurves(t *testing.T, engine string) {
	for _, own := range []bool{false, true} {
		p := newProblem(t, "gaussian", 4, 2, 9, true, 0.05).on(engine)
		p.setOutputs(2, "none")
		rules.AddCurves(p.rb, [][]float64{{-1, 0, 1}, {-1, 0, 1, 2}}, own)
		p.rb.Signs = []int{0, 0, 1, 0, -1, 0}
		for _, w := range p.rb.Consequents {
			w[2], w[4] = 0, 0
		}
		bound := p.stepped(t, "sgd", Options{})
		testenv.OK(t, bound.Validate())
		p.rb.Signs = nil
		free := p.stepped(t, "sgd", Options{})
		changed := 0
		for i, values := range bound.Curves {
			sign, from, to := 1, 3, 7
			if i >= len(bound.Curves)/2 {
				sign, from, to = -1, 0, 3
			}
			for q := from + 1; q < to; q++ {
				if float64(sign)*(values[q]-values[q-1]) < 0 {
					t.Errorf("own %t: curve %d is %v", own, i, values)
				}
				if float64(sign)*(free.Curves[i][q]-free.Curves[i][q-1]) < 0 {
					changed++
				}
			}
		}
		if changed == 0 {
			t.Errorf("own %t: curves without signs are monotone: nothing is tested", own)
		}
	}
}

// TestWithoutGradient: what parts must not mention has no gradient, and stays as it is with every solver.
func TestWithoutGradient(t *testing.T) { bothEngines(t, testWithoutGradient) }

func testWithoutGradient(t *testing.T, engine string) {
	for _, solver := range optim.Solvers() {
		p := newProblem(t, "gaussian", 4, 2, 9, true, 0.05).on(engine)
		p.rb.Without = [][]rules.Keep{{0, rules.KeepIf}, {rules.KeepThen, 0}, {rules.KeepAll, 0}, {0, 0}}
		rules.Confine(p.rb)
		n := p.network(t)
		p.evaluate(t, n)
		marks, g := rules.Kept(p.rb), testenv.Must(n.Gradients())
		compare(*marks, g, g, func(what string, kept bool, v, _ float64) {
			if kept && v != 0 {
				t.Errorf("gradient by %s is %v", what, v)
			}
		})
		if g.Consequents[3][1] == 0 {
			t.Errorf("%s: a free slope has no gradient", solver)
		}
		testenv.OK(t, p.stepped(t, solver, Options{}).Validate())
	}
}

// TestConstraintsRefuseBatchNorm: the normalisation, multiplied into consequents, would change
// what is kept or bounded.
func TestConstraintsRefuseBatchNorm(t *testing.T) {
	for name, change := range map[string]func(rb *rules.RuleBase){
		"":      func(rb *rules.RuleBase) { rb.Keep = []rules.Keep{rules.KeepIf, 0} },
		"keep":  func(rb *rules.RuleBase) { rb.Keep = []rules.Keep{0, rules.KeepThen} },
		"signs": func(rb *rules.RuleBase) { rb.Signs = []int{0, 1}; rules.ProjectSigns(rb) },
	} {
		p := newProblem(t, "gaussian", 2, 1, 4, false, 0)
		change(p.rb)
		_, err := New(p.rb, Options{Engine: autodiff, Batch: 4, BatchNorm: &Moments{Mean: []float64{0}, Variance: []float64{1}}})
		if errors.Is(err, ErrGraph) != (name != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
