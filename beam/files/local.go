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

	"github.com/tskgraph/tskgraph/internal/safefile"
)

// local is the files of this machine.
type local struct{}

func (local) list(_ context.Context, pattern string) ([]Info, error) {
	if at, err := os.Stat(pattern); err == nil { // a name with characters of patterns
		if at.IsDir() {
			return nil, &fs.PathError{Op: "list", Path: pattern, Err: errors.New("is a directory: add /*")}
		}
		return []Info{{pattern, at.Size()}}, nil
	}
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
	return at.Size(), nil
}

func (local) open(_ context.Context, path string, offset, length int64) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if at, err := f.Stat(); err == nil && at.IsDir() {
		return nil, errors.Join(&fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}, f.Close())
	}
	if _, err := f.Seek(offset, io.SeekStart); offset > 0 && err != nil {
		return nil, errors.Join(err, f.Close())
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
	defer d.Close()
	f, err := safefile.Create(path, 0o666)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := content(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), context.Cause(ctx)); err != nil {
		return err
	}
	return f.Commit()
}
