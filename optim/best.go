package optim

// snapshotEvery is the least number of iterations between two snapshots of a training without validation.
const snapshotEvery = 50

// best holds the parameters that training falls back to: those of the lowest validation RMSE; without a validation, those of
// the lowest loss that a LossSolver observed; before either, those of the last good snapshot.
type best struct {
	iteration  int         // after which the parameters had these values
	values     [][]float64 // a copy
	validated  bool        // whether there was a validation
	validation float64     // the lowest validation RMSE
	observed   bool        // whether a LossSolver observed a loss, and there is no validation
	loss       float64     // the lowest loss that it observed
}

// measured reports whether the parameters were chosen by a validation or a loss.
func (b *best) measured() bool { return b.validated || b.observed }

// keep copies the parameters. It allocates only the first time.
func (b *best) keep(iteration int, values [][]float64) {
	b.iteration = iteration
	if b.values == nil {
		b.values = make([][]float64, len(values))
	}
	for i, v := range values {
		b.values[i] = append(b.values[i][:0], v...)
	}
}

// offer keeps good parameters that were not measured, if none are measured and the last snapshot is old enough.
func (b *best) offer(iteration int, values [][]float64) {
	if !b.measured() && iteration-b.iteration >= snapshotEvery {
		b.keep(iteration, values)
	}
}

// offerLoss keeps parameters of the lowest loss so far.
func (b *best) offerLoss(loss float64, iteration int, values [][]float64) {
	if !b.observed || loss < b.loss {
		b.observed, b.loss = true, loss
		b.keep(iteration, values)
	}
}

// offerValidation keeps parameters of the lowest validation RMSE so far.
func (b *best) offerValidation(rmse float64, iteration int, values [][]float64) {
	if !b.validated || rmse < b.validation {
		b.validated, b.validation = true, rmse
		b.keep(iteration, values)
	}
}

// restore copies what is kept into the parameters.
func (b *best) restore(values [][]float64) {
	for i, v := range b.values {
		copy(values[i], v)
	}
}
