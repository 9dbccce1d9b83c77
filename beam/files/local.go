package files

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// local is the files of this machine.
type local struct{}

func (local) list(_ context.Context, pattern string) ([]Info, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var found []Info
	for _, path := range paths {
		at, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !at.IsDir() {
			found = append(found, Info{path, at.Size()})
		}
	}
	return found, nil
}

func (local) size(_ context.Context, path string) (int64, error) {
	at, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if at.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	return at.Size(), nil
}

func (l local) open(ctx context.Context, path string, offset, length int64) (io.ReadCloser, error) {
	if _, err := l.size(ctx, path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if offset > 0 {
		if _, err := f.Seek(offset, io.SeekStart); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	if length < 0 {
		return f, nil
	}
	return part{io.LimitReader(f, length), f}, nil
}

// part is some bytes of a file.
type part struct {
	io.Reader
	io.Closer
}

func (local) write(ctx context.Context, path string, content func(io.Writer) error) error {
	d, err := safefile.MakeDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	f, err := safefile.Create(path, 0o666)
	if err != nil {
		return err
	}
	defer f.Discard()
	name := func(err error) error { // of the file, not of the temporary one
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			return &fs.PathError{Op: at.Op, Path: path, Err: at.Err}
		}
		return err
	}
	w := bufio.NewWriterSize(faulty{f, name}, 1<<16)
	if err := content(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return name(f.Commit())
}
