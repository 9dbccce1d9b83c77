package layers_test

import (
	"fmt"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	_ "go4.org/unsafe/assume-no-moving-gc"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// TestLayersRefuse: a layer without its nodes, or with nodes of other shapes, is an error of Build.
func TestLayersRefuse(t *testing.T) {
	for name, build := range map[string]func(b *layers.Builder, x *gorgonia.Node){
		"no samples": func(b *layers.Builder, _ *gorgonia.Node) {
			layers.Membership(b, membership.Gaussian{}, nil, nil, false)
		},
		"no parameters": func(b *layers.Builder, x *gorgonia.Node) { layers.Membership(b, membership.Gaussian{}, x, nil, false) },
		"no shape":      func(b *layers.Builder, x *gorgonia.Node) { layers.Membership(b, nil, x, []*gorgonia.Node{x, x}, false) },
		"no grades":     func(b *layers.Builder, _ *gorgonia.Node) { layers.Join(b, inference.Product{}, nil, false) },
		"no rules":      func(b *layers.Builder, x *gorgonia.Node) { layers.FiringLevels(b, nil, x, nil, nil, 0) },
		"no outputs":    func(b *layers.Builder, x *gorgonia.Node) { layers.Output(b, x, nil) },
		"other shapes":  func(b *layers.Builder, x *gorgonia.Node) { layers.Output(b, x, b.Input("y", matrix(2, 1, 2))) },
		"no slopes":     func(b *layers.Builder, x *gorgonia.Node) { layers.Consequent(b, x, nil, nil) },
		"no target":     func(b *layers.Builder, x *gorgonia.Node) { layers.Loss(b, loss.Squared{}, x, nil, nil, nil) },
		"no inputs":     func(b *layers.Builder, x *gorgonia.Node) { layers.Head(b, x, layers.Inputs{}, layers.HeadOptions{}) },
		"no value":      func(b *layers.Builder, _ *gorgonia.Node) { b.Input("y", nil) },
	} {
		err := layers.Build(gorgonia.NewGraph(), func(b *layers.Builder) error {
			build(b, b.Input("x", matrix(3, 0, 1, 2)))
			return nil
		})
		testenv.FailsWith(t, err, "", "%s: no error", name)
	}
}

// matrix returns a matrix of the given number of rows.
func matrix(rows int, cells ...float64) *tensor.Dense {
	return tensor.New(tensor.WithShape(rows, len(cells)/rows), tensor.WithBacking(cells))
}

// The grades of three samples in two Gaussian sets about 0 and 2.
func ExampleBuild() {
	g := gorgonia.NewGraph()
	var grades *gorgonia.Node
	err := layers.Build(g, func(b *layers.Builder) error {
		x := b.Input("x", matrix(3, 0, 1, 2)) // [B,M]
		params := []*gorgonia.Node{b.Input("center", matrix(1, 0, 2)), b.Input("sigma", matrix(1, 1, 1))}
		grades = layers.Membership(b, membership.Gaussian{}, x, params, false)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	vm := gorgonia.NewTapeMachine(g)
	defer vm.Close()
	if err := vm.RunAll(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(grades.Shape())
	fmt.Printf("%.2f\n", grades.Value().Data())
	// Output:
	// (1, 3, 2)
	// [1.00 0.14 0.61 0.61 0.14 1.00]
}
