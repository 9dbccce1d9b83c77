package optim

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// SamplerState is all that determines the batches a sampler has yet to draw, besides the data. It keeps every bit
// through JSON.
type SamplerState struct {
	Batch int     `json:"batch"`
	Rules int     `json:"rules"`
	Keep  float64 `json:"keep"`
	Rows  []byte  `json:"rows"`  // the stream of rows, as rand.PCG marshals itself
	Masks []byte  `json:"masks"` // the stream of masks, likewise
	Order []int   `json:"order"` // the permutation of the samples that the next draw starts from
}

// State returns a deep copy of the sampler's state.
func (s *Sampler) State() SamplerState {
	rows, _ := s.rows.MarshalBinary() // a PCG always can
	masks, _ := s.drop.stream.MarshalBinary()
	return SamplerState{
		Batch: s.Batch(), Rules: s.rules, Keep: s.keep,
		Rows: rows, Masks: masks, Order: slices.Clone(s.order),
	}
}

// Restore puts back a state, so that the sampler draws what the one it was taken from would have drawn next. It
// refuses, as ErrState and without changing anything, a state that is malformed or of a sampler with another batch
// size, number of rules, probability or number of samples. Whether the data are the same is for the caller to know.
func (s *Sampler) Restore(st SamplerState) error {
	switch {
	case st.Batch != s.Batch():
		return fmt.Errorf("%w: batch size is %d, this sampler's %d", ErrState, st.Batch, s.Batch())
	case st.Rules != s.rules:
		return fmt.Errorf("%w: %d rules, this sampler has %d", ErrState, st.Rules, s.rules)
	case st.Keep != s.keep:
		return fmt.Errorf("%w: probability of keeping a rule is %g, this sampler's %g", ErrState, st.Keep, s.keep)
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
	var rows, masks rand.PCG
	if err := rows.UnmarshalBinary(st.Rows); err != nil {
		return fmt.Errorf("%w: stream of rows: %w", ErrState, err)
	}
	if err := masks.UnmarshalBinary(st.Masks); err != nil {
		return fmt.Errorf("%w: stream of masks: %w", ErrState, err)
	}
	*s.rows, *s.drop.stream = rows, masks
	copy(s.order, st.Order)
	return nil
}
