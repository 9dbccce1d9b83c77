package optim

import "fmt"

// StreamState is the place of a [Stream] in its chunks. With the seed it determines the samples that are still to be drawn.
type StreamState struct {
	Pass     int `json:"pass"`     // passes finished
	Position int `json:"position"` // chunks of this pass that are behind, from 0 to Len()-1
	Offset   int `json:"offset"`   // samples of the present chunk that were drawn
}

// State is described at [Batches].
func (s *Stream) State() SamplerState {
	at := s.at
	return SamplerState{Batch: s.Batch(), MaskState: s.masks.State(), Stream: &at}
}

// Restore is described at [Batches]. It reads the chunk in which the place lies: the error is that of [Chunks] if it cannot
// be read.
func (s *Stream) Restore(st SamplerState) error {
	at := st.Stream
	switch {
	case at == nil || st.Rows != nil || st.Order != nil:
		return fmt.Errorf("%w: it is not that of a stream of chunks", ErrState)
	case st.Batch != s.Batch():
		return fmt.Errorf("%w: batch size is %d, this stream's %d", ErrState, st.Batch, s.Batch())
	case at.Pass < 0 || at.Position < 0 || at.Position >= len(s.order) || at.Offset < 0:
		return fmt.Errorf("%w: sample %d of chunk %d in pass %d, this stream has %d chunks", ErrState, at.Offset, at.Position, at.Pass, len(s.order))
	}
	if err := s.read(at.Pass, at.Position); err != nil {
		return err
	}
	if at.Offset > len(s.rows) {
		return fmt.Errorf("%w: sample %d of chunk %d in pass %d, which has %d samples", ErrState, at.Offset, at.Position, at.Pass, len(s.rows))
	}
	if err := s.masks.Restore(st.MaskState); err != nil {
		return err
	}
	s.at = *at
	return nil
}
