package optim

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// State is all that a solver keeps from one step to the next. It keeps every bit through JSON.
type State struct {
	Solver  string                 `json:"solver"`  // name of the solver
	Step    int                    `json:"step"`    // updates made so far; k of the next one is Step+1
	Moments map[string][][]float64 `json:"moments"` // by name ("m", "v"), then by parameter; no parameters at Step 0

	StepSize float64   `json:"step_size,omitempty"` // of anfis
	Losses   []float64 `json:"losses,omitempty"`    // of anfis, those observed since it last changed its step size
}

// sameSizes returns an error if the sizes of two lists of parameters differ.
func sameSizes(got, want [][]float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d parameters against the %d", len(got), len(want))
	}
	for i := range got {
		if len(got[i]) != len(want[i]) {
			return fmt.Errorf("parameter %d has %d elements against the %d", i, len(got[i]), len(want[i]))
		}
	}
	return nil
}

// firstNotFinite finds the first element that is NaN or infinite.
func firstNotFinite(values [][]float64) (i, j int, found bool) {
	for i, row := range values {
		if kernel.Within(row, math.Inf(1)) {
			continue
		}
		for j, v := range row {
			if !numeric.Finite(v) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
