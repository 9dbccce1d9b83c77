package penalty_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/penalty"
)

// Two rules over one feature have the slopes 2 and 4.
func Example() {
	slopes := []float64{2, 4}
	gradient := make([]float64, len(slopes))
	for _, p := range []penalty.OfMatrix{penalty.Slopes{Lambda: 0.5}, penalty.Slopes{Lambda: 0.5, ToMean: true}} {
		p.Gradient(gradient, slopes, 2)
		fmt.Println(p.Name(), p.Value(slopes, 2), gradient)
	}
	// Output:
	// slopes 5 [1 2]
	// slopes to mean 0.5 [-0.5 0.5]
}
