package optim

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// rowStream is the second word of the PCG seed of the rows: their purpose, in ASCII.
const rowStream = 0x726f7773 // "rows"

// Sampler draws mini-batches from samples in memory. Samples are drawn without replacement within a batch, and each batch
// from all samples. The masks are drawn by a [MaskSource], which has random numbers of its own: for one seed, the rows do not
// depend on the masks.
type Sampler struct {
	data  Data
	masks MaskSource
	rows  *rand.PCG
	order []int // a permutation of the samples; its first B are the current batch
	batch batch
}

// NewSampler returns a sampler of batches of min(batch, N) samples, whose masks come from masks. The data are read at
// each draw, not copied: they must not change. Errors wrap ErrData or ErrOption.
func NewSampler(d Data, batch int, masks MaskSource, seed uint64) (*Sampler, error) {
	if err := checkBatches(d, batch, masks); err != nil {
		return nil, err
	}
	n := len(d.X)
	s := &Sampler{data: d, masks: masks, rows: rand.NewPCG(seed, rowStream), order: make([]int, n), batch: newBatch(d, min(batch, n))}
	for i := range s.order {
		s.order[i] = i
	}
	return s, nil
}

func (s *Sampler) Batch() int { return s.batch.size() }

// Next is described at [Batches]. Its error is nil, and nothing is allocated after the first call.
func (s *Sampler) Next() (x, target, mask, weight []float64, err error) {
	s.shuffle()
	for b := range s.Batch() {
		s.batch.set(b, s.data, s.order[b])
	}
	return s.batch.x, s.batch.target, s.masks.Next(s.Batch()), s.batch.weight, nil
}

// shuffle moves B randomly chosen samples to the front of the order: the first B steps of a Fisher-Yates shuffle. Its
// result is uniform whatever the order was before. A batch of all samples stays in the order of the data.
func (s *Sampler) shuffle() {
	n, b := len(s.order), s.Batch()
	if b == n {
		return
	}
	r := rand.New(s.rows)
	for i := range b {
		j := i + r.IntN(n-i)
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
}

func (s *Sampler) Sample() Data { return s.data }

// SamplerState determines the batches that a [Sampler] or a [Stream] has yet to draw, besides the data; other [Batches] keep
// theirs in Rows and Order. It keeps every bit through JSON.
type SamplerState struct {
	Batch int `json:"batch"`
	MaskState
	Rows  []byte `json:"rows"`  // the stream of rows, as rand.PCG marshals itself; nil: of a Stream
	Order []int  `json:"order"` // the permutation of the samples that the next draw starts from; nil: of a Stream

	Stream *StreamState `json:"stream,omitempty"` // nil: of a Sampler
}

func (s *Sampler) State() SamplerState {
	rows, _ := s.rows.MarshalBinary() // a PCG always can
	return SamplerState{Batch: s.Batch(), MaskState: s.masks.State(), Rows: rows, Order: slices.Clone(s.order)}
}

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

// Chunks are samples in parts of which one at a time is in memory.
type Chunks interface {
	// Len returns the number of chunks, at least 1.
	Len() int

	// Chunk reads chunk i, from 0 to Len()-1, always the same samples; Data without X if it has none. The Data must not change
	// until the next call.
	Chunk(i int) (Data, error)
}

// Stream draws mini-batches from [Chunks], in passes over all samples: in each pass the chunks come in a random order, and the
// samples of a chunk in a random order, without replacement. A batch may continue in the next chunk, and in the next pass. If
// the samples were assigned to the chunks at random, the order of a pass is random. The masks are drawn as by a [Sampler].
//
// The order is a function of the seed: no random state is kept, see [StreamState]. Next allocates only when it reads a chunk.
type Stream struct {
	sample Data
	chunks Chunks
	masks  MaskSource
	seed   uint64
	at     StreamState // where the next batch begins
	batch  batch

	pass  int    // of order and key; -1: none yet
	order []int  // of the chunks in this pass
	key   uint64 // seeds the orders within the chunks of this pass

	position int   // of the chunk in memory in this pass; -1: none
	chunk    Data  // valid unless position is -1
	rows     []int // its samples in the order of this pass
}

// NewStream returns a stream of batches of the given size. sample has samples of the chunks: their features and targets, and
// the average loss, from which divergence is judged. Errors wrap ErrData or ErrOption.
func NewStream(sample Data, chunks Chunks, batch int, masks MaskSource, seed uint64) (*Stream, error) {
	if err := checkBatches(sample, batch, masks); err != nil {
		return nil, err
	}
	if chunks == nil || chunks.Len() < 1 {
		return nil, fmt.Errorf("%w: no chunks", ErrData)
	}
	return &Stream{
		sample: sample, chunks: chunks, masks: masks, seed: seed, batch: newBatch(sample, batch),
		pass: -1, order: make([]int, chunks.Len()), position: -1,
	}, nil
}

func (s *Stream) Batch() int { return s.batch.size() }

func (s *Stream) Next() (x, target, mask, weight []float64, err error) {
	at := s.at
	for b := range s.Batch() {
		if err := s.reach(&at); err != nil {
			return nil, nil, nil, nil, err
		}
		s.batch.set(b, s.chunk, s.rows[at.Offset])
		at.Offset++
	}
	s.at = at
	return s.batch.x, s.batch.target, s.masks.Next(s.Batch()), s.batch.weight, nil
}

// reach reads the chunk of a place, and moves the place to the next chunk that has samples if there are none left.
func (s *Stream) reach(at *StreamState) error {
	for range 2 * len(s.order) { // the only sample can be in the first chunk of a pass and in the last one of the next
		if err := s.read(at.Pass, at.Position); err != nil {
			return err
		}
		if at.Offset < len(s.rows) {
			return nil
		}
		at.Position, at.Offset = at.Position+1, 0
		if at.Position == len(s.order) {
			at.Pass, at.Position = at.Pass+1, 0
		}
	}
	return fmt.Errorf("%w: all %d chunks are empty", ErrData, len(s.order))
}

// The second words of the PCG seeds of the orders: their purposes, in ASCII.
const (
	passStream  = 0x706173736573 // "passes"; plus the number of the pass
	chunkStream = 0x6368756e6b73 // "chunks"; plus the number of the chunk, with the key of the pass
)

// read reads the chunk at a position of a pass, unless it is in memory, and draws the order of its samples.
func (s *Stream) read(pass, position int) error {
	if pass == s.pass && position == s.position {
		return nil
	}
	s.position, s.chunk = -1, Data{} // releases the memory of the previous chunk
	if pass != s.pass {
		r := rand.New(rand.NewPCG(s.seed, passStream+uint64(pass)))
		shuffle(s.order, r)
		s.pass, s.key = pass, r.Uint64()
	}
	i := s.order[position]
	chunk, err := s.chunks.Chunk(i)
	if err != nil {
		return err
	}
	if err := s.accepts(chunk); err != nil {
		return fmt.Errorf("chunk %d: %w", i, err)
	}
	s.rows = append(s.rows[:0], make([]int, len(chunk.X))...)
	shuffle(s.rows, rand.New(rand.NewPCG(s.key, chunkStream+uint64(i))))
	s.position, s.chunk = position, chunk
	return nil
}

// accepts returns an error, an ErrData, if a chunk cannot belong to the sample.
func (s *Stream) accepts(chunk Data) error {
	if len(chunk.X) == 0 {
		return nil
	}
	if err := chunk.check(); err != nil {
		return err
	}
	for _, size := range []struct {
		of        string
		got, want int
	}{{"features", len(chunk.X[0]), len(s.sample.X[0])}, {"targets", len(chunk.targets(0)), len(s.sample.targets(0))}} {
		if size.got != size.want {
			return fmt.Errorf("%w: %d %s, those of the sample are %d", ErrData, size.got, size.of, size.want)
		}
	}
	return nil
}

// shuffle fills order with a random permutation of 0 to len(order)-1.
func shuffle(order []int, r *rand.Rand) {
	for i := range order {
		order[i] = i
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
}

func (s *Stream) Sample() Data { return s.sample }

// StreamState is the place of a [Stream] in its chunks. With the seed it determines the samples that are still to be drawn.
type StreamState struct {
	Pass     int `json:"pass"`     // passes finished
	Position int `json:"position"` // chunks of this pass that are behind, from 0 to Len()-1
	Offset   int `json:"offset"`   // samples of the present chunk that were drawn
}

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
		return fmt.Errorf("%w: sample %d of chunk %d in pass %d, this stream has %d chunks", ErrState, at.Offset, at.Position, at.Pass,
			len(s.order))
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
