package plot_test

import (
	"bytes"
	"fmt"

	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/optim"
)

func ExampleLearning() {
	var metrics []optim.Metrics
	for i := 1; i <= 100; i++ {
		metrics = append(metrics, optim.Metrics{Iteration: i, Batch: 1 + 10/float64(i)})
	}
	f, err := plot.Learning(metrics, 0, nil, "strength", "MPa")
	if err != nil {
		panic(err)
	}
	var svg bytes.Buffer
	if err := f.Write(&svg, "svg"); err != nil {
		panic(err)
	}
	fmt.Println(bytes.Contains(svg.Bytes(), []byte(">RMSE of strength [MPa]<")))
	// Output: true
}
