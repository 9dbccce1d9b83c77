package buckets

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"runtime"
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
	return &file{storage: storage, dir: dir, discard: sync.OnceFunc(discard), places: make([][]place, buckets), index: int64(buckets) * sliceBytes}, nil
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
