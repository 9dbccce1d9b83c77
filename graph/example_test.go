package graph_test

import (
	"context"
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// twoRules are two Gaussian rules about -1 and 1, with constant consequents.
func twoRules() *rules.RuleBase {
	return &rules.RuleBase{
		Shape: membership.Gaussian{}, SpreadFloor: 0.1,
		Parameters: rules.Parameters{
			Antecedents: [][][]float64{{{-1}, {1}}, {{1}, {1}}}, // centers and spreads, by rule
			Consequents: [][]float64{{0, 0}, {0, 0}},            // biases and slopes
		},
	}
}

// fit trains a network on y = |x| and returns the error at 0.5.
func fit(network *graph.Network) (float64, error) {
	var d optim.Data
	for i := range 100 {
		x := float64(i)/25 - 2
		d.X, d.Y = append(d.X, []float64{x}), append(d.Y, math.Abs(x))
	}
	masks, err := optim.NewDropRule(2, 1, 1) // all rules are kept
	if err != nil {
		return 0, err
	}
	batches, err := optim.NewSampler(d, 64, masks, 1)
	if err != nil {
		return 0, err
	}
	solver, err := optim.New(&optim.Adam{LearningRate: 0.05})
	if err != nil {
		return 0, err
	}
	if _, err := optim.Train(context.Background(), network, solver, batches, optim.Options{Iterations: 200}); err != nil {
		return 0, err
	}
	y, _, err := network.Predict([][]float64{{0.5}})
	if err != nil {
		return 0, err
	}
	return math.Abs(y[0] - 0.5), nil
}

func Example() {
	network, err := graph.New(twoRules(), graph.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer network.Close()
	far, err := fit(network)
	fmt.Println(network.Engine(), far < 0.1, err)
	// Output: fused true <nil>
}

// A normalisation that no function of single firing levels gives: the levels above half of the mean, normalised.
func ExampleFromNodes() {
	rb := twoRules()
	network, err := graph.FromNodes(rb, graph.Options{}, func(b *layers.Builder, in layers.Inputs) graph.Nodes {
		grades := layers.Membership(b, rb.Shape, in.X, in.Antecedents, true)
		firing := layers.LogDropRule(b, layers.Join(b, inference.Product{}, grades, true), in.Mask)

		above := b.Relu(b.Sub(firing, b.Mul(b.Const(0.5), b.RowMeans(firing))))
		sum := b.Mul(b.Const(float64(rb.Rules())), b.RowMeans(above))
		levels := b.Div(above, sum).(*gorgonia.Node)

		outputs := layers.Consequent(b, in.Z, in.Slope, in.Bias)
		return graph.Nodes{Prediction: layers.Output(b, levels, outputs), Levels: levels, Outputs: []*gorgonia.Node{outputs}}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer network.Close()
	far, err := fit(network)
	fmt.Println(network.Engine(), far < 0.1, err)
	// Output: autodiff true <nil>
}
