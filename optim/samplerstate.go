package optim

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// SamplerState determines the batches that a [Sampler] or a [Stream] has yet to draw, besides the data; other [Batches] keep
// theirs in Rows and Order. It keeps every bit through JSON.
type SamplerState struct {
	Batch int `json:"batch"`
	MaskState
	Rows  []byte `json:"rows"`  // the stream of rows, as rand.PCG marshals itself; nil: of a Stream
	Order []int  `json:"order"` // the permutation of the samples that the next draw starts from; nil: of a Stream

	Stream *StreamState `json:"stream,omitempty"` // nil: of a Sampler
}

// State is described at [Batches].
func (s *Sampler) State() SamplerState {
	rows, _ := s.rows.MarshalBinary() // a PCG always can
	return SamplerState{Batch: s.Batch(), MaskState: s.masks.State(), Rows: rows, Order: slices.Clone(s.order)}
}

// Restore is described at [Batches].
func (s *Sampler) Restore(st SamplerState) error {
	switch {
	case st.Stream != nil:
		return fmt.Errorf("%w: it is that of a stream of chunks", ErrState)
	case st.Batch != s.Batch():
		return fmt.Errorf("%w: batch size is %d, this sampler's %d", ErrState, st.Batch, s.Batch())
	case len(st.Order) != len(s.order):
		return fmt.Errorf("%w: %d samples, this sampler has %d", ErrState, len(st.Order), len(s.order))
	}
	seen := make([]bool, len(st.Order))
	for i, j := range st.Order {
		if j < 0 || j >= len(seen) || seen[j] {
			return fmt.Errorf("%w: order is no permutation: %d at position %d", ErrState, j, i)
		}
		seen[j] = true
	}
	var rows rand.PCG
	if err := rows.UnmarshalBinary(st.Rows); err != nil {
		return fmt.Errorf("%w: stream of rows: %w", ErrState, err)
	}
	if err := s.masks.Restore(st.MaskState); err != nil {
		return err
	}
	*s.rows = rows
	copy(s.order, st.Order)
	return nil
}
