package shard

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// content is a file that is read at any offset.
type content interface {
	io.ReaderAt
	io.Closer
}

// openGroups opens a Parquet file to read the row groups of a shard. Those of an object store are copied to a temporary file by one
// request, since a reader of Parquet reads them in many small pieces.
func openGroups(ctx context.Context, s Shard) (content, error) {
	if files.IsLocal(s.File) {
		return os.Open(s.File)
	}
	r, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	spooled, discard, err := safefile.Spool(r, "")
	if err = errors.Join(err, r.Close()); err != nil {
		if discard != nil {
			discard()
		}
		return nil, err
	}
	return &copied{remote{ctx, s.File}, spooled, s.Start, s.End, discard}, nil
}

// copied is a file in an object store of which some bytes were copied.
type copied struct {
	remote
	some       io.ReaderAt // bytes from start to end
	start, end int64
	discard    func()
}

func (c *copied) ReadAt(b []byte, offset int64) (int, error) {
	if c.start <= offset && offset+int64(len(b)) <= c.end {
		return c.some.ReadAt(b, offset-c.start)
	}
	return c.remote.ReadAt(b, offset)
}

// Close removes the copy.
func (c *copied) Close() error {
	c.discard()
	return nil
}
