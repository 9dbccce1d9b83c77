package inference_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/inference"
)

// From the grades of two rules for two features to the normalised firing levels, with and without the root that HTSK takes.
func Example() {
	f := []float64{0.9, 0.3}                          // grades of the first feature
	inference.Product{}.Join(f, []float64{0.8, 0.02}) // and of the second
	for _, d := range []inference.Defuzzification{inference.TSK{}, inference.HTSK{}} {
		w := []float64{f[0], f[1]}
		inference.Weigh(d, w, 2, false)
		sum := w[0] + w[1]
		fmt.Printf("%s: %.3f %.3f\n", d.Name(), w[0]/sum, w[1]/sum)
	}
	// Output:
	// tsk: 0.992 0.008
	// htsk: 0.916 0.084
}
