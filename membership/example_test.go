package membership_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/membership"
)

// The grades of a Gaussian membership function about 20 °C, one spread away and two.
func Example() {
	shape, err := membership.Lookup("gaussian")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := shape.Place(20, 5)
	for i, param := range shape.Params() {
		fmt.Printf("%s (%s): %v\n", param.Name, param.Meaning, p[i])
	}
	grades := []float64{20, 25, 30}
	shape.Grades(grades, grades, p)
	fmt.Printf("%.3f\n", grades)
	// Output:
	// c (center): 20
	// sigma (standard deviation): 5
	// [1.000 0.607 0.135]
}
