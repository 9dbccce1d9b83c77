package optim

import "slices"

// Interruptible is an [Objective] whose Project takes so long that it ends early, when the context of the training does. [Train] then
// returns to the parameters, and the checkpoint, of the iteration before.
type Interruptible interface {
	Objective
	// Interrupted returns the error of the last Project that ended early; nil if it did not.
	Interrupted() error
}

// before is the state of a training before an iteration.
type before struct {
	checkpoint Checkpoint
	values     [][]float64
}

// iterateUntil iterates once. If the objective ends the iteration early, the state of the training is the one before it.
func iterateUntil(t *trainer, o Interruptible) error {
	b := before{checkpoint: t.checkpoint()}
	for _, v := range t.values {
		b.values = append(b.values, slices.Clone(v))
	}
	err := t.iterate()
	if err == nil || o.Interrupted() == nil {
		return err
	}
	for i, v := range b.values {
		copy(t.values[i], v)
	}
	t.best = best{}
	if err := t.restore(b.checkpoint); err != nil {
		return err
	}
	return o.Interrupted()
}
