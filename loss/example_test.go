package loss_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/loss"
)

// A model predicts 1 and 2 where the targets are 4 and 2.
func Example() {
	l := loss.Squared{}
	sum := l.Value(1, 4) + l.Value(2, 2)
	fmt.Println("loss", sum, "gradient", l.Gradient(1, 4), l.Gradient(2, 2))
	fmt.Printf("%s %.3f\n", l.Metric().Name, l.Metric().Of(sum, 2))
	// Output:
	// loss 4.5 gradient -3 0
	// RMSE 2.121
}
