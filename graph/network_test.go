package graph

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// problem is a random rulebase with a mini-batch.
type problem struct {
	rb        *rules.RuleBase
	x, mask   [][]float64
	target    []float64
	weight    []float64
	penalties []penalty.Penalty
	engine    string // empty: auto
}

// bothEngines runs a test on the fused engine and on autodiff.
func bothEngines(t *testing.T, test func(t *testing.T, engine string)) {
	for _, engine := range []string{fused, autodiff} {
		t.Run(engine, func(t *testing.T) { test(t, engine) })
	}
}

// on sets the engine and returns the problem.
func (p *problem) on(engine string) *problem {
	p.engine = engine
	return p
}

func newProblem(t testing.TB, shape string, R, M, B int, drop bool, lambda float64) *problem {
	t.Helper()
	f := testenv.Must(membership.Lookup(shape))
	rng := rand.New(rand.NewPCG(uint64(R*1000+M), uint64(B)))
	c := &rules.Clusters{Targets: make([]float64, R)}
	for r := range R {
		center, spread := make([]float64, M), make([]float64, M)
		for m := range M {
			center[m], spread[m] = rng.NormFloat64(), 0.5+rng.Float64()
		}
		c.Centers, c.Spreads = append(c.Centers, center), append(c.Spreads, spread)
		c.Targets[r] = rng.NormFloat64()
	}
	p := &problem{rb: rules.New(f, c), penalties: []penalty.Penalty{penalty.Slopes{Lambda: lambda}}}
	for _, a := range p.rb.Antecedents { // away from the placement, where parameters may coincide
		for _, row := range a {
			for m := range row {
				row[m] *= 1 + 0.1*rng.NormFloat64()
			}
		}
	}
	p.rb.Project()
	for _, w := range p.rb.Consequents {
		for m := range w {
			w[m] = rng.NormFloat64()
		}
	}
	for range B {
		x, mask := make([]float64, M), make([]float64, R)
		for m := range x {
			x[m] = rng.NormFloat64()
		}
		for r := range mask {
			if !drop || rng.IntN(2) == 0 {
				mask[r] = 1
			}
		}
		if drop && R > 0 {
			mask[rng.IntN(R)] = 1
		}
		p.x, p.mask = append(p.x, x), append(p.mask, mask)
		p.target = append(p.target, rng.NormFloat64())
		p.weight = append(p.weight, 0.5+rng.Float64())
	}
	return p
}

func flat(rows [][]float64) []float64 {
	var v []float64
	for _, row := range rows {
		v = append(v, row...)
	}
	return v
}

func (p *problem) network(t testing.TB) *Network {
	t.Helper()
	return testenv.Must(New(p.rb, Options{Engine: cmp.Or(p.engine, "auto"), Batch: len(p.x), Penalties: p.penalties}))
}

func (p *problem) evaluate(t testing.TB, n *Network) (data, penalty float64, skipped int) {
	t.Helper()
	data, penalty, skipped, err := n.Evaluate(flat(p.x), p.target, flat(p.mask), p.weight)
	testenv.OK(t, err)
	return data, penalty, skipped
}

func (p *problem) plainLoss() float64 {
	data, penalty, _ := p.rb.Loss(p.x, p.target, p.mask, p.weight, nil, p.penalties...)
	return data + penalty
}

// relativeError returns the norm of the difference over the norm of want, or over 1e-6 if
// want is nearly zero.
func relativeError(got, want [][]float64) float64 {
	diff, norm := 0.0, 0.0
	for i := range want {
		for j, w := range want[i] {
			diff += (got[i][j] - w) * (got[i][j] - w)
			norm += w * w
		}
	}
	return math.Sqrt(diff) / max(math.Sqrt(norm), 1e-6)
}

// TestLossIsThatOfTheRules: the loss is that of the plain forward pass, and a second run gives it and the same gradients again.
// Package verify compares the gradients.
func TestLossIsThatOfTheRules(t *testing.T) { bothEngines(t, testLossIsThatOfTheRules) }

func testLossIsThatOfTheRules(t *testing.T, engine string) {
	for _, shape := range membership.Names() {
		for _, s := range []struct{ R, M, B int }{{1, 1, 1}, {1, 1, 3}, {3, 1, 1}, {1, 3, 4}, {5, 7, 8}, {32, 13, 2}} {
			p := newProblem(t, shape, s.R, s.M, s.B, s.B > 1, 0.05).on(engine)
			n := p.network(t)
			var before rules.Parameters
			for k := range 2 {
				data, penalty, skipped := p.evaluate(t, n)
				if want := p.plainLoss(); math.Abs(data+penalty-want) > 1e-12*max(1, want) || skipped != 0 {
					t.Fatalf("%s, %+v: loss %v (skipped %d), plain %v", shape, s, data+penalty, skipped, want)
				}
				if got := testenv.Must(n.Gradients()); k > 0 && !reflect.DeepEqual(got, before) {
					t.Errorf("%s, %+v: gradients %v, before %v", shape, s, got, before)
				} else {
					before = got
				}
			}
		}
	}
}

// stock returns the layers of the engine autodiff for Gaussian rules, changed.
func stock(rb *rules.RuleBase, change func(b *layers.Builder, in layers.Inputs, out *Nodes)) Layers {
	return func(b *layers.Builder, in layers.Inputs) Nodes {
		firing := layers.Join(b, inference.Product{}, layers.Membership(b, rb.Shape, in.X, in.Antecedents, true), true)
		var out Nodes
		out.Levels, out.Covered = layers.Normalise(b, layers.LogDropRule(b, firing, in.Mask), rules.MinFiring)
		out.Outputs = []*gorgonia.Node{layers.Consequent(b, in.Z, in.Slope, in.Bias)}
		out.Prediction = layers.Output(b, out.Levels, out.Outputs[0])
		change(b, in, &out)
		return out
	}
}

// TestFromNodes: with the layers of the engine autodiff, the gradients, penalties and predictions are those of New, whether
// the loss is an option or a node.
func TestFromNodes(t *testing.T) {
	p := newProblem(t, "gaussian", 4, 3, 6, true, 0).on(autodiff)
	want := p.network(t)
	data, penalised, _ := p.evaluate(t, want)
	gradients := testenv.Must(want.Gradients())
	x := [][]float64{p.x[0], p.x[1]}
	y, _, err := want.Predict(x)
	testenv.OK(t, err)
	for name, change := range map[string]func(b *layers.Builder, in layers.Inputs, out *Nodes){
		"as they are": func(*layers.Builder, layers.Inputs, *Nodes) {},
		"own loss": func(b *layers.Builder, in layers.Inputs, out *Nodes) {
			out.Loss = layers.Loss(b, loss.Squared{}, out.Prediction, in.Target, in.Weight, out.Covered)
		},
	} {
		n := testenv.Must(FromNodes(p.rb, want.options, stock(p.rb, change)))
		gotData, gotPenalty, _ := p.evaluate(t, n)
		got, err := n.Gradients()
		if gotData != data || gotPenalty != penalised || err != nil || !reflect.DeepEqual(got, gradients) {
			t.Errorf("%s: loss %v and %v, want %v and %v; gradients %v, %v", name, gotData, gotPenalty, data, penalised, got, err)
		}
		if again, _, err := n.Predict(x); err != nil || !reflect.DeepEqual(again, y) {
			t.Errorf("%s: predictions %v, %v, want %v", name, again, err, y)
		}
	}
}

// TestFromNodesRefuses checks the errors of options that own layers do not have, of missing nodes and wrong shapes, and of
// layers that fail.
func TestFromNodesRefuses(t *testing.T) {
	p := newProblem(t, "gaussian", 2, 2, 2, false, 0)
	with := func(change func(b *layers.Builder, in layers.Inputs, out *Nodes)) Layers { return stock(p.rb, change) }
	same := with(func(*layers.Builder, layers.Inputs, *Nodes) {})
	uniform := []penalty.Penalty{penalty.Uniform{Lambda: 1}}
	for want, c := range map[string]struct {
		o   Options
		own Layers
	}{
		"layers are nil":               {},
		`engine autodiff, not "fused"`: {Options{Engine: "fused"}, same},
		"no Rule Dropout":              {Options{RuleDropout: 0.5}, same},
		"return no Prediction":         {Options{}, with(func(_ *layers.Builder, _ layers.Inputs, o *Nodes) { o.Prediction = nil })},
		"Covered of the shape (64, 2)": {Options{}, with(func(_ *layers.Builder, _ layers.Inputs, o *Nodes) { o.Covered = o.Levels })},
		"no Levels, which a penalty": {
			Options{Penalties: uniform}, with(func(_ *layers.Builder, _ layers.Inputs, o *Nodes) { o.Levels = nil }),
		},
		"layer own layers":    {Options{}, with(func(b *layers.Builder, in layers.Inputs, _ *Nodes) { b.Add(in.X, in.Bias) })},
		"no own layers today": {Options{}, func(*layers.Builder, layers.Inputs) Nodes { panic("no own layers today") }},
		`two inputs are named "x"`: {
			Options{}, with(func(b *layers.Builder, _ layers.Inputs, _ *Nodes) { b.Input("x", newTensor([]float64{1}, 1)) }),
		},
		"graph: gradients": {Options{}, with(func(_ *layers.Builder, in layers.Inputs, o *Nodes) { o.Prediction = in.Target })},
	} {
		testenv.FailsIs(t, testenv.Err(FromNodes(p.rb, c.o, c.own)), ErrGraph, want)
	}
}
