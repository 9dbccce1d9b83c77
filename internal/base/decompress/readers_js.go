package decompress

import (
	"compress/gzip"
	"io"
)

// gzipReader returns a reader of a gzip stream, and a function that closes it. The standard library's is slower than the one elsewhere,
// and in the program of a page already.
func gzipReader(r io.Reader) (io.Reader, func(), error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	return z, func() { _ = z.Close() }, nil
}

// zstdReader returns an error: the program of a page has no decoder for zstd.
func zstdReader(io.Reader, []byte) (io.Reader, func(), error) {
	return nil, nil, errNoZstd
}
