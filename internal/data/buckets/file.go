package buckets

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// ErrDamaged is wrapped by the error about a chunk that differs from what was written.
var ErrDamaged = errors.New("the data read differ from the data written")

// scratch creates a scratch file, see [safefile.Scratch]. Tests replace it.
var scratch = func(dir string) (storage, func(), error) { return safefile.Scratch(dir) }

// storage is an open scratch file.
type storage interface {
	io.Writer
	io.ReaderAt
}

// file is the scratch file.
type file struct {
	storage
	dir     string
	discard func() // closes and removes the file; after the first call it does nothing
	end     int64
	places  [][]place // [bucket] in order of Add
	index   int64     // bytes of places
}

// place is where a chunk is in the file.
type place struct {
	at   int64
	size uint32
	sum  uint32 // CRC-32C
}

const placeBytes = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func create(dir string, buckets int) (*file, error) {
	storage, discard, err := scratch(dir)
	if err != nil {
		return nil, fileError(dir, err)
	}
	return &file{storage: storage, dir: dir, discard: sync.OnceFunc(discard), places: make([][]place, buckets),
		index: int64(buckets) * sliceBytes}, nil
}

// held returns the bytes of the index in memory.
func (f *file) held() int64 { return f.index }

// write appends the chunks of each bucket, so that those of a bucket are in few places.
func (f *file) write(chunks [][][]byte) error {
	for b := range chunks {
		before := cap(f.places[b])
		for _, c := range chunks[b] {
			if _, err := f.Write(c); err != nil {
				return fileError(f.dir, err)
			}
			f.places[b] = append(f.places[b], place{f.end, uint32(len(c)), crc32.Checksum(c, castagnoli)})
			f.end += int64(len(c))
		}
		f.index += int64(cap(f.places[b])-before) * placeBytes
	}
	return nil
}

// fileError returns an error about the scratch file with what to do.
func fileError(dir string, err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err // the name means nothing to the user
	}
	remedy := "name another directory with --scratch"
	if full(err) {
		remedy = "make room, or " + remedy
	}
	return fmt.Errorf("scratch file in %s: %w: %s", dir, err, remedy)
}

// full reports whether a disk or a quota is exhausted.
func full(err error) bool {
	const windowsDiskFull = syscall.Errno(112)
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) ||
		runtime.GOOS == "windows" && errors.Is(err, windowsDiskFull)
}

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

// blockBytes is the size of a block of chunks, unless a chunk is larger.
const blockBytes = 256 << 10

// memory holds encoded chunks in blocks of one size, which are reused.
type memory struct {
	size   int      // of a block
	blocks [][]byte // the used ones; the last one has room left
	unused [][]byte
	chunks [][][]byte // [bucket] in order of Add; parts of blocks
	index  int64      // bytes of chunks
}

const sliceBytes = 24 // of the header of a slice

// held returns the bytes of blocks and index.
func (m *memory) held() int64 {
	return int64(len(m.blocks)+len(m.unused))*int64(m.size) + m.index
}

// fits reports whether a chunk of n bytes fits into the room for held.
func (m *memory) fits(n int, room int64) bool {
	last := len(m.blocks) - 1
	return last >= 0 && cap(m.blocks[last])-len(m.blocks[last]) >= n || len(m.unused) > 0 || m.held()+int64(m.size) <= room
}

// add copies a chunk of a bucket.
func (m *memory) add(bucket int, chunk []byte) {
	last := len(m.blocks) - 1
	if last < 0 || cap(m.blocks[last])-len(m.blocks[last]) < len(chunk) {
		m.blocks = append(m.blocks, m.block())
		last++
	}
	block := m.blocks[last]
	start := len(block)
	block = append(block, chunk...)
	m.blocks[last] = block
	before := cap(m.chunks[bucket])
	m.chunks[bucket] = append(m.chunks[bucket], block[start:len(block):len(block)])
	m.index += int64(cap(m.chunks[bucket])-before) * sliceBytes
}

// block returns an empty block.
func (m *memory) block() []byte {
	last := len(m.unused) - 1
	if last < 0 {
		return make([]byte, 0, m.size)
	}
	b := m.unused[last]
	m.unused = m.unused[:last]
	return b[:0]
}

// empty drops all chunks, and keeps blocks for reuse as far as there is room for held.
func (m *memory) empty(room int64) {
	m.unused = append(m.unused, m.blocks...)
	m.blocks = nil
	for b, chunks := range m.chunks {
		clear(chunks)
		m.chunks[b] = chunks[:0]
	}
	keep := min(len(m.unused), max(1, int((room-m.index)/int64(m.size))))
	m.unused = append([][]byte(nil), m.unused[:keep]...)
}
