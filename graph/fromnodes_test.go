package graph

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

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
	gradients, err := want.Gradients()
	if err != nil {
		t.Fatal(err)
	}
	x := [][]float64{p.x[0], p.x[1]}
	y, _, err := want.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(b *layers.Builder, in layers.Inputs, out *Nodes){
		"as they are": func(*layers.Builder, layers.Inputs, *Nodes) {},
		"own loss": func(b *layers.Builder, in layers.Inputs, out *Nodes) {
			out.Loss = layers.Loss(b, loss.Squared{}, out.Prediction, in.Target, in.Weight, out.Covered)
		},
	} {
		n, err := FromNodes(p.rb, want.options, stock(p.rb, change))
		if err != nil {
			t.Fatal(err)
		}
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
		if _, err := FromNodes(p.rb, c.o, c.own); !errors.Is(err, ErrGraph) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
