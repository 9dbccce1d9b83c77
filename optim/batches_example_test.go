package optim_test

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/optim"
)

// inOrder draws batches of B samples in their order, pass after pass, without masks. What it keeps between draws is the place
// of the next sample.
type inOrder struct {
	optim.Data
	B, next           int
	x, target, weight []float64
}

func (b *inOrder) Batch() int         { return b.B }
func (b *inOrder) Sample() optim.Data { return b.Data }

func (b *inOrder) Next() (x, target, mask, weight []float64, err error) {
	b.x, b.target, b.weight = b.x[:0], b.target[:0], b.weight[:0]
	for range b.B {
		b.x, b.target, b.weight = append(b.x, b.X[b.next]...), append(b.target, b.Y[b.next]), append(b.weight, 1)
		b.next = (b.next + 1) % len(b.X)
	}
	return b.x, b.target, nil, b.weight, nil
}

func (b *inOrder) State() optim.SamplerState {
	return optim.SamplerState{Batch: b.B, Order: []int{b.next}}
}

func (b *inOrder) Restore(s optim.SamplerState) error {
	if len(s.Order) != 1 || s.Order[0] < 0 || s.Order[0] >= len(b.X) || s.Batch != b.B {
		return optim.ErrState
	}
	b.next = s.Order[0]
	return nil
}

// Train on batches of one's own: here in the order of the samples. Training that is interrupted continues with the same bits.
func ExampleBatches() {
	var d optim.Data
	for i := range 100 {
		x := float64(i)/50 - 1
		d.X, d.Y = append(d.X, []float64{x}), append(d.Y, 2*x-1)
	}
	var saved optim.Checkpoint
	train := func(l *line, o optim.Options) error {
		solver, err := optim.New(&optim.SGD{LearningRate: 0.01})
		if err != nil {
			return err
		}
		_, err = optim.Train(context.Background(), l, solver, &inOrder{Data: d, B: 30}, o)
		return err
	}
	whole, first, rest := newLine(1), newLine(1), newLine(1)
	fmt.Println(train(whole, optim.Options{Iterations: 50}))
	drawn := 0
	fmt.Println(train(first, optim.Options{
		Iterations: 20, Due: func() bool { drawn++; return drawn == 20 }, Save: func(c optim.Checkpoint) { saved = c },
	}))
	copy(rest.slope.value.Float64s(), first.slope.value.Float64s())
	copy(rest.intercept.value.Float64s(), first.intercept.value.Float64s())
	fmt.Println(train(rest, optim.Options{Iterations: 50, From: &saved}))
	fmt.Println(sameBits(rest.theta(), whole.theta()))
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// true
}
