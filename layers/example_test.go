package layers_test

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	// Gorgonia needs this to start on current Go releases.
	_ "go4.org/unsafe/assume-no-moving-gc"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
)

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
