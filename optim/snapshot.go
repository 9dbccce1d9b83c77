package optim

// snapshotEvery is the least number of iterations between two snapshots of a training without validation.
const snapshotEvery = 50

// snapshot is a copy of all parameters as they were after an iteration.
type snapshot struct {
	iteration int
	values    [][]float64
}

// take copies the parameters. It allocates only the first time.
func (s *snapshot) take(iteration int, values [][]float64) {
	s.iteration = iteration
	if s.values == nil {
		s.values = make([][]float64, len(values))
	}
	for i, v := range values {
		s.values[i] = append(s.values[i][:0], v...)
	}
}

// putBack copies the snapshot into the parameters.
func (s *snapshot) putBack(values [][]float64) {
	for i, v := range s.values {
		copy(values[i], v)
	}
}

// snapshotIfDue keeps the current parameters, just evaluated, if they are good and the last snapshot is old enough. After the
// first validation, or loss that a LossSolver observed, only a better one replaces what is kept.
func (t *trainer) snapshotIfDue() {
	if !t.validated && !t.observed && t.blownUp == 0 && t.iteration-t.kept.iteration >= snapshotEvery {
		t.kept.take(t.iteration, t.values)
	}
}
