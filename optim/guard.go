package optim

import "fmt"

const (
	blowUp         = 1e6 // a data loss so many times that of predicting zero counts as blown up
	blowUpPatience = 10  // consecutive blown-up iterations that end training
)

// checkLoss refuses, as ErrDiverged, a loss that is not finite, and one that has been blown up for too long. A batch of
// which no sample was used tells nothing about blowing up.
func (t *trainer) checkLoss(data, penalty float64, used int) error {
	switch {
	case !finite(data + penalty):
		return fmt.Errorf("%w: data loss is %g, penalty %g", ErrDiverged, data, penalty)
	case used <= 0:
		return nil
	case data <= t.limit:
		t.blownUp = 0
		return nil
	}
	t.blownUp++
	if t.blownUp < blowUpPatience {
		return nil
	}
	return fmt.Errorf("%w: data loss is %g, above %g times that of predicting zero in %d consecutive iterations", ErrDiverged, data, blowUp, blowUpPatience)
}

// checkValues refuses, as ErrDiverged, parameters that are not finite.
func (t *trainer) checkValues() error {
	if i, j, found := firstNotFinite(t.values); found {
		return fmt.Errorf("%w: %s is %g at element %d", ErrDiverged, label(i, t.model[i]), t.values[i][j], j)
	}
	return nil
}
