// Package files reads and writes the files of a job, on this machine and in object stores (gs://BUCKET/NAME and
// s3://BUCKET/NAME). It uses the clients that Beam's own file systems use, since those read no ranges, cannot abandon an
// upload, and take names with %, ? and # for URLs. Credentials come from the environment, as for gcloud and aws.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Info is a file and its size in bytes.
type Info struct {
	Path string
	Size int64
}

// List returns the files that match a pattern, sorted by path, without directories. The pattern has *, ? and [...], which
// do not match a slash. A file whose name is the pattern, character by character, is found alone. If no file matches, the
// error wraps fs.ErrNotExist.
func List(ctx context.Context, pattern string) ([]Info, error) {
	s, err := storeOf(pattern)
	if err != nil {
		return nil, err
	}
	if n, err := s.size(ctx, pattern); err == nil {
		return []Info{{pattern, n}}, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, about(pattern, err)
	}
	found, err := s.list(ctx, pattern)
	if err != nil {
		return nil, about(pattern, err)
	}
	if len(found) == 0 {
		return nil, &fs.PathError{Op: "list", Path: pattern, Err: fs.ErrNotExist}
	}
	slices.SortFunc(found, func(a, b Info) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// Size returns the size of a file in bytes.
func Size(ctx context.Context, path string) (int64, error) {
	s, err := storeOf(path)
	if err != nil {
		return 0, err
	}
	n, err := s.size(ctx, path)
	return n, about(path, err)
}

// Open opens a file for reading.
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	return OpenRange(ctx, path, 0, -1)
}

// OpenRange opens length bytes of a file from an offset, or fewer if the file ends before; length -1 reads to the end.
// Object stores send no other bytes; a connection that breaks is opened again where it broke, and a file that was
// replaced meanwhile is an error.
func OpenRange(ctx context.Context, path string, offset, length int64) (io.ReadCloser, error) {
	s, err := storeOf(path)
	if err != nil {
		return nil, err
	}
	if offset < 0 || length < -1 {
		return nil, fmt.Errorf("%s: no range of %d bytes from %d", path, length, offset)
	}
	if length == 0 { // which HTTP cannot ask for
		_, err := s.size(ctx, path)
		return io.NopCloser(strings.NewReader("")), about(path, err)
	}
	r, err := s.open(ctx, path, offset, length)
	if err != nil {
		return nil, about(path, err)
	}
	return r, nil
}

// Write writes a file, and the directories above it. Until all is written and synced the path keeps its old file or
// none: a failed attempt, or one whose process is killed, leaves no file of this name, and the next attempt on this machine
// removes what a killed one wrote. Any number of attempts may run at the same time: the last that ends stays, whole. The
// error of content is returned unchanged.
func Write(ctx context.Context, path string, content func(io.Writer) error) error {
	s, err := storeOf(path)
	if err != nil {
		return err
	}
	return s.write(ctx, path, content)
}

// Join returns the path of a name below a directory on this machine or a prefix in an object store.
func Join(dir string, names ...string) string {
	scheme, rest, ok := strings.Cut(dir, "://")
	if !ok {
		return filepath.Join(append([]string{dir}, names...)...)
	}
	return scheme + "://" + path.Join(append([]string{rest}, names...)...)
}

// Absolute returns a path that processes in other directories understand, too.
func Absolute(path string) (string, error) {
	if !IsLocal(path) {
		return path, nil
	}
	return filepath.Abs(path)
}

// IsLocal reports whether a path is of this machine.
func IsLocal(path string) bool { return !strings.Contains(path, "://") }

// about adds a path to an error that does not name it.
func about(path string, err error) error {
	var named *fs.PathError
	if err == nil || errors.As(err, &named) || strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
