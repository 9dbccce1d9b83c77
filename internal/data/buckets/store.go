// Package buckets stores the rows of a table that may be larger than memory, divided into
// buckets, each of which is read as a whole.
//
// A [Store] holds its rows in memory, encoded column by column, up to a limit. Beyond it
// all rows are in one scratch file, which has no name, so that nothing is left when the
// process ends, however it ends. What Read and Sum return does not depend on the limit.
package buckets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"sync"
	"sync/atomic"
)

const (
	chunkBytes = 32 << 10 // of the rows of a chunk before they are encoded
	openBytes  = 32 << 20 // of the rows of all buckets that are not encoded yet, at most
	gatherMost = 64 << 20 // of the chunks that are gathered in memory before they are written, once there is a file
)

// Options configures a [Store].
type Options struct {
	Columns int    // values of a row, at least 1
	Buckets int    // at least 1
	Memory  int64  // bytes that the store may hold; a row of each bucket and a block of chunks are held in any case
	Dir     string // existing directory of the scratch file, which is created only beyond Memory
}

// Store is a table divided into buckets. One goroutine calls Add and at last Finish; then
// any number may call Rows, Read, Sum, OnDisk and Bytes.
type Store struct {
	options Options
	rows    int         // of a full chunk
	open    [][]float64 // [bucket] rows that are not encoded yet, row-major
	counts  []int       // [bucket] rows
	encoder encoder
	chunk   []byte    // that is being encoded
	hash    hash.Hash // of all chunks
	sum     string
	bytes   int64 // of all chunks
	memory  memory
	err     error // the first of the scratch file

	mu     sync.Mutex // of file, between Add and Close
	file   *file      // nil: all chunks are in memory
	closed atomic.Bool
}

// New returns an empty store.
func New(o Options) (*Store, error) {
	if o.Columns < 1 || o.Buckets < 1 {
		return nil, fmt.Errorf("%d columns in %d buckets: want at least one of each", o.Columns, o.Buckets)
	}
	s := &Store{
		options: o, hash: sha256.New(),
		rows: max(1, min(chunkBytes, openBytes/o.Buckets)/(8*o.Columns)),
		open: make([][]float64, o.Buckets), counts: make([]int, o.Buckets),
	}
	all, each := make([]float64, o.Buckets*s.rows*o.Columns), s.rows*o.Columns
	for b := range s.open {
		s.open[b] = all[b*each : b*each : (b+1)*each]
	}
	s.encoder = newEncoder(s.rows)
	s.chunk = make([]byte, 0, mostEncoded(s.rows, o.Columns))
	s.memory = memory{size: max(blockBytes, cap(s.chunk)), chunks: make([][][]byte, o.Buckets), index: int64(o.Buckets) * sliceBytes}
	return s, nil
}

// Add copies a row of Columns values, which may be NaN, into a bucket. After an error,
// which is about the scratch file, further calls return it as well.
func (s *Store) Add(bucket int, row []float64) error {
	if len(row) != s.options.Columns {
		return fmt.Errorf("a row of %d values for %d columns", len(row), s.options.Columns)
	}
	open := append(s.open[bucket], row...)
	s.open[bucket] = open
	s.counts[bucket]++
	if len(open) == cap(open) {
		s.encode(bucket)
	}
	return s.err
}

// Finish ends the adding of rows.
func (s *Store) Finish() error {
	for b, open := range s.open {
		if len(open) > 0 {
			s.encode(b)
		}
	}
	if s.file != nil {
		s.write()
		s.memory = memory{}
	}
	s.sum = hex.EncodeToString(s.hash.Sum(nil))
	s.open, s.chunk, s.encoder = nil, nil, encoder{}
	return s.err
}

// encode moves the open rows of a bucket to the chunks in memory, and these to the scratch
// file if they would exceed the limit.
func (s *Store) encode(bucket int) {
	if s.closed.Load() && s.err == nil {
		s.err = fs.ErrClosed
	}
	s.chunk = s.encoder.encode(s.chunk[:0], s.options.Columns, s.open[bucket])
	s.open[bucket] = s.open[bucket][:0]
	s.hash.Write([]byte{byte(bucket), byte(bucket >> 8), byte(bucket >> 16), byte(bucket >> 24)})
	s.hash.Write(s.chunk)
	s.bytes += int64(len(s.chunk))
	if !s.memory.fits(len(s.chunk), s.room()) {
		s.write()
	}
	s.memory.add(bucket, s.chunk)
}

// room returns how many bytes the chunks in memory may take.
func (s *Store) room() int64 {
	if s.file == nil {
		return s.options.Memory - s.fixed()
	}
	return min(gatherMost, s.options.Memory-s.fixed()-s.file.held())
}

// held returns the bytes that the store holds.
func (s *Store) held() int64 {
	held := s.fixed() + s.memory.held()
	if s.file != nil {
		held += s.file.held()
	}
	return held
}

// fixed returns the bytes that the store holds besides chunks and their places.
func (s *Store) fixed() int64 {
	const perBucket = 24 + 8 // open, counts
	return int64(8*s.options.Buckets*s.rows*s.options.Columns + s.encoder.held() + cap(s.chunk) + perBucket*s.options.Buckets)
}

// write moves all chunks in memory to the scratch file, which it creates if there is none.
// After an error it only empties the memory.
func (s *Store) write() {
	if s.err == nil {
		s.err = s.create()
	}
	if s.err == nil {
		s.err = s.file.write(s.memory.chunks)
	}
	s.memory.empty(s.room())
}

// create creates the scratch file if there is none.
func (s *Store) create() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed.Load():
		return fs.ErrClosed
	case s.file == nil:
		s.file, err = create(s.options.Dir, s.options.Buckets)
	}
	return err
}

// Rows returns the number of rows in a bucket.
func (s *Store) Rows(bucket int) int { return s.counts[bucket] }

// Sum returns a hash of all rows and their buckets, in order of Add. It is set by Finish.
func (s *Store) Sum() string { return s.sum }

// OnDisk reports whether the rows are in the scratch file.
func (s *Store) OnDisk() bool { return s.file != nil }

// Bytes returns how many bytes the encoded rows take in memory or in the scratch file.
func (s *Store) Bytes() int64 { return s.bytes }

// Close removes the scratch file. Any goroutine may call it at any time: calls of Add,
// Finish and Read then soon return an error that wraps [fs.ErrClosed].
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed.Store(true)
	if s.file != nil {
		s.file.discard()
	}
	return nil
}
