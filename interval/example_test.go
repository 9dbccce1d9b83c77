package interval_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/interval"
)

// The limits of a probability that may not be one.
func Example() {
	limits := interval.From(0).Below(1)
	fmt.Println("must be", limits)
	fmt.Println(limits.Has(0), limits.Has(0.5), limits.Has(1))
	// Output:
	// must be at least 0 and below 1
	// true true false
}
