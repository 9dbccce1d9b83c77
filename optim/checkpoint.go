package optim

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Checkpoint is the state of a training between two iterations. Together with the present values of the parameters, which
// the objective's owner saves, it determines everything that follows. It keeps every bit through JSON.
type Checkpoint struct {
	Iteration int          `json:"iteration"`        // iterations made
	Skipped   int          `json:"skipped"`          // samples skipped in them
	BlownUp   int          `json:"blown_up"`         // consecutive iterations, up to now, whose data loss had blown up
	Figure    *float64     `json:"figure,omitempty"` // the lowest, of validation, a LossSolver's loss or the error of training; nil: none yet
	Best      int          `json:"best"`             // the iteration after which the parameters were as in Kept
	Kept      [][]float64  `json:"kept"`             // the best parameters so far, or else the last good ones
	Solver    State        `json:"solver"`
	Sampler   SamplerState `json:"sampler"`
}

// checkpoint returns the state of the training as a deep copy.
func (t *trainer) checkpoint() Checkpoint {
	c := Checkpoint{
		Iteration: t.iteration, Skipped: t.skipped, BlownUp: t.guard.blownUp,
		Best: t.best.iteration, Solver: t.solver.State(), Sampler: t.batches.State(),
	}
	if t.best.measured {
		figure := t.best.figure
		c.Figure = &figure
	}
	for _, v := range t.best.values {
		c.Kept = append(c.Kept, slices.Clone(v))
	}
	return c
}

// restore sets the state of a training that has just begun. It refuses, as ErrState, a checkpoint that cannot be of this
// training.
func (t *trainer) restore(c Checkpoint) error {
	if err := t.accepts(c); err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	if err := t.solver.Restore(c.Solver); err != nil {
		return err
	}
	if err := t.batches.Restore(c.Sampler); err != nil {
		return err
	}
	t.iteration, t.skipped, t.guard.blownUp = c.Iteration, c.Skipped, c.BlownUp
	if c.Figure != nil {
		t.best.measured, t.best.figure = true, *c.Figure
	}
	t.best.keep(c.Best, c.Kept)
	return nil
}

// accepts returns an error if c cannot be a checkpoint of this training.
func (t *trainer) accepts(c Checkpoint) error {
	_, observes := t.solver.(LossSolver)
	measures := observes || t.opts.Validate != nil || t.opts.Training != nil
	switch {
	case c.Iteration < 0 || c.Iteration > t.opts.Iterations:
		return fmt.Errorf("iteration %d of %d", c.Iteration, t.opts.Iterations)
	case c.Best < 0 || c.Best > c.Iteration:
		return fmt.Errorf("the best iteration is %d, of %d made", c.Best, c.Iteration)
	case c.Skipped < 0 || c.BlownUp < 0 || c.BlownUp >= blowUpPatience:
		return fmt.Errorf("%d samples skipped, %d iterations blown up", c.Skipped, c.BlownUp)
	case c.Solver.Step > c.Iteration:
		return fmt.Errorf("%d steps in %d iterations", c.Solver.Step, c.Iteration)
	case c.Figure != nil && (!measures || !numeric.Finite(*c.Figure)):
		return fmt.Errorf("the lowest figure is %g, in a training that measures one: %t", *c.Figure, measures)
	}
	if err := sameSizes(c.Kept, t.values); err != nil {
		return fmt.Errorf("parameters that were kept: %w of this training", err)
	}
	if i, j, ok := firstNotFinite(c.Kept); ok {
		return fmt.Errorf("parameter %d that was kept is %g at element %d", i, c.Kept[i][j], j)
	}
	if c.Solver.Step == 0 {
		return nil // the solver has no moments yet, or will refuse them
	}
	for name, moment := range c.Solver.Moments {
		if err := sameSizes(moment, t.values); err != nil {
			return fmt.Errorf("moment %q: %w of this training", name, err)
		}
	}
	return nil
}

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
	return fmt.Errorf("%w: data loss is %g, above %g times that of predicting zero in %d consecutive iterations", ErrDiverged, data,
		blowUp, blowUpPatience)
}
