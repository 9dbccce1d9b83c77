package loss_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/loss"
)

// A model with two outputs predicts 1 and 2 where the targets are 4 and 2.
func Example() {
	l, err := loss.Lookup("squared")
	if err != nil {
		fmt.Println(err)
		return
	}
	y, t, gradient := []float64{1, 2}, []float64{4, 2}, make([]float64, 2)
	all := loss.Joint(l, nil)
	all.Gradient(gradient, y, t)
	sum := all.Value(y, t)
	fmt.Println("loss", sum, "gradient", gradient)
	fmt.Printf("%s %.3f\n", l.Metric().Name, l.Metric().Of(sum, 2))
	// Output:
	// loss 4.5 gradient [-3 0]
	// RMSE 2.121
}
