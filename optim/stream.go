package optim

import (
	"fmt"
	"math/rand/v2"
)

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

// Batch is described at [Batches].
func (s *Stream) Batch() int { return s.batch.size() }

// Next is described at [Batches].
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

// Sample is described at [Batches].
func (s *Stream) Sample() Data { return s.sample }
