package optim

// snapshotEvery is the least number of iterations between two snapshots.
const snapshotEvery = 50

// best holds the parameters that training falls back to: those of the lowest figure, which is that of a validation, the loss that a
// LossSolver observed, or the error of training; before there is one, those of the last good snapshot.
type best struct {
	iteration int         // after which the parameters had these values
	values    [][]float64 // a copy
	measured  bool        // whether there was a figure
	figure    float64     // the lowest
}

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

// snapshot keeps good parameters without a figure, if there was no figure and the last snapshot is old enough.
func (b *best) snapshot(iteration int, values [][]float64) {
	if !b.measured && iteration-b.iteration >= snapshotEvery {
		b.keep(iteration, values)
	}
}

// offer keeps parameters of the lowest figure so far.
func (b *best) offer(figure float64, iteration int, values [][]float64) {
	if !b.measured || figure < b.figure {
		b.measured, b.figure = true, figure
		b.keep(iteration, values)
	}
}

// restore copies what is kept into the parameters.
func (b *best) restore(values [][]float64) {
	for i, v := range b.values {
		copy(values[i], v)
	}
}
