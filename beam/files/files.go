// Package files reads and writes the files of a job, on this machine and in object stores (gs://BUCKET/NAME and
// s3://BUCKET/NAME).
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Info is a file and its size in bytes.
type Info struct {
	Path string
	Size int64
}

// store is a place of files.
type store interface {
	list(ctx context.Context, pattern string) ([]Info, error)
	size(ctx context.Context, path string) (int64, error)
	open(ctx context.Context, path string, offset, length int64) (io.ReadCloser, error) // length -1: to the end
	write(ctx context.Context, path string, content func(io.Writer) error) error
}

// storeOf returns the place of a path.
func storeOf(path string) (store, error) {
	scheme, _, ok := strings.Cut(path, "://")
	if !ok {
		return local{}, nil
	}
	return nil, fmt.Errorf("%s: unknown scheme %s://: use a path, gs:// or s3://", path, scheme)
}

// List returns the files that match a pattern, sorted by path. The pattern has *, ? and [...], which do not match a
// slash. If no file matches, the error wraps fs.ErrNotExist.
func List(ctx context.Context, pattern string) ([]Info, error) {
	s, err := storeOf(pattern)
	if err != nil {
		return nil, err
	}
	found, err := s.list(ctx, pattern)
	if err != nil {
		return nil, about(pattern, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no file matches: %w", pattern, fs.ErrNotExist)
	}
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
// Object stores send no other bytes.
func OpenRange(ctx context.Context, path string, offset, length int64) (io.ReadCloser, error) {
	s, err := storeOf(path)
	if err != nil {
		return nil, err
	}
	r, err := s.open(ctx, path, offset, length)
	if err != nil {
		return nil, about(path, err)
	}
	return r, nil
}

// Write writes a file, and the directories above it. Until all is written and synced the path keeps its old file or
// none; a failed attempt, or one whose process is killed, leaves no file of this name. Any number of attempts may run at
// the same time: the last that ends stays, whole.
func Write(ctx context.Context, path string, content func(io.Writer) error) error {
	s, err := storeOf(path)
	if err != nil {
		return err
	}
	return s.write(ctx, path, content)
}

// about adds a path to an error that does not name it.
func about(path string, err error) error {
	var named *fs.PathError
	if err == nil || errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
