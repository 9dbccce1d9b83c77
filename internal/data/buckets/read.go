package buckets

import (
	"fmt"
	"hash/crc32"
	"io/fs"
	"slices"
	"sync"
)

// readBytes is how much is read from the scratch file at a time, unless a chunk is larger.
const readBytes = 256 << 10

// buffers are the buffers of Read, which do not count as held by the store.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// buffer holds what one Read needs.
type buffer struct {
	chunks []byte
	ints   []int32
}

// Read returns the rows of a bucket, row-major [Rows*Columns], in order of Add. It reuses
// into if that is large enough. Any number of goroutines may call it after Finish. An
// error is about the scratch file and wraps [ErrDamaged] if a checksum differs.
func (s *Store) Read(bucket int, into []float64) ([]float64, error) {
	if s.closed.Load() {
		return nil, fs.ErrClosed
	}
	if s.err != nil {
		return nil, s.err
	}
	into = slices.Grow(into[:0], s.counts[bucket]*s.options.Columns)
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	if s.file != nil {
		return s.file.read(bucket, s.options.Columns, into, b)
	}
	for _, chunk := range s.memory.chunks[bucket] {
		into = b.decode(into, s.options.Columns, chunk)
	}
	return into, nil
}

// read appends the rows of a bucket.
func (f *file) read(bucket, columns int, into []float64, b *buffer) ([]float64, error) {
	for places := f.places[bucket]; len(places) > 0; {
		n, size := run(places)
		b.chunks = slices.Grow(b.chunks[:0], size)[:size]
		if _, err := f.ReadAt(b.chunks, places[0].at); err != nil {
			return nil, fileError(f.dir, err)
		}
		rest := b.chunks
		for _, p := range places[:n] {
			chunk := rest[:p.size]
			if crc32.Checksum(chunk, castagnoli) != p.sum {
				return nil, fileError(f.dir, fmt.Errorf("byte %d: %w", p.at, ErrDamaged))
			}
			into, rest = b.decode(into, columns, chunk), rest[p.size:]
		}
		places = places[n:]
	}
	return into, nil
}

// run returns how many of the first places adjoin each other and are read at a time, and
// their size.
func run(places []place) (n, size int) {
	for n < len(places) && places[n].at == places[0].at+int64(size) && (n == 0 || size+int(places[n].size) <= readBytes) {
		size += int(places[n].size)
		n++
	}
	return n, size
}
