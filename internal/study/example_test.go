package study_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/study"
)

// Two algorithms on five random splits into 70% and 30%: the mean difference of their
// errors, with a 95% interval that accounts for the overlap of the splits.
func ExampleComparePaired() {
	ours, other := []float64{0.49, 0.52, 0.50, 0.48, 0.51}, []float64{0.53, 0.55, 0.55, 0.51, 0.56}
	d := make([]float64, len(ours))
	for i := range d {
		d[i] = other[i] - ours[i]
	}
	p, _ := study.ComparePaired(d, 3.0/7)
	fmt.Printf("%.3f [%.3f, %.3f], p = %.3f\n", p.Mean, p.Low, p.High, p.P)
	// Output: 0.040 [0.018, 0.062], p = 0.007
}
