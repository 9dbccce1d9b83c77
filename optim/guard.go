package optim

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

const (
	blowUp         = 1e6 // a data loss so many times that of predicting zero counts as blown up
	blowUpPatience = 10  // consecutive blown-up iterations that end training
)

// guard detects losses that are not finite or too large.
type guard struct {
	limit   float64 // the data loss beyond which an iteration counts as blown up; infinite if predicting zero has no loss
	blownUp int     // consecutive iterations, up to now, whose data loss was beyond it
}

// check refuses, as ErrDiverged, a loss that is not finite, and one that has been blown up for too long. A batch of which
// no sample was used does not count as either blown up or sound.
func (g *guard) check(data, penalty float64, used int) error {
	switch {
	case !numeric.Finite(data + penalty):
		return fmt.Errorf("%w: data loss is %g, penalty %g", ErrDiverged, data, penalty)
	case used <= 0:
		return nil
	case data <= g.limit:
		g.blownUp = 0
		return nil
	}
	g.blownUp++
	if g.blownUp < blowUpPatience {
		return nil
	}
	return fmt.Errorf("%w: data loss is %g, above %g times that of predicting zero in %d consecutive iterations", ErrDiverged, data, blowUp, blowUpPatience)
}
