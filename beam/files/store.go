package files

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

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
	switch {
	case path == "":
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case !ok:
		return local{}, nil
	case scheme == "gs":
		return google()
	case scheme == "s3":
		return amazon()
	}
	return nil, fmt.Errorf("%s: unknown scheme %s://: use gs://, s3:// or a path of this machine", path, scheme)
}

// object is the name of an object in a bucket.
type object struct{ scheme, bucket, key string }

// objectOf splits a path such as gs://BUCKET/KEY. Any character stands for itself.
func objectOf(path string) (object, error) {
	scheme, rest, _ := strings.Cut(path, "://")
	bucket, key, ok := strings.Cut(rest, "/")
	if bucket == "" || !ok || key == "" {
		return object{}, fmt.Errorf("%s: want %s://BUCKET/NAME", path, scheme)
	}
	return object{scheme, bucket, key}, nil
}

func (o object) String() string { return o.scheme + "://" + o.bucket + "/" + o.key }

// prefix returns what all names that match a pattern begin with.
func prefix(pattern string) string {
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// matches reports whether a key is a file that matches a pattern: keys that end with a slash stand for directories.
func matches(pattern, key string) (bool, error) {
	if strings.HasSuffix(key, "/") {
		return false, nil
	}
	return path.Match(pattern, key)
}
