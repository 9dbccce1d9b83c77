//go:build !js

package decompress

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow is the largest window of zstd, the default of the program zstd.
const maxWindow = 128 << 20

// gzipReader returns a reader of a gzip stream, and a function that closes it.
func gzipReader(r io.Reader) (io.Reader, func(), error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	return z, func() { _ = z.Close() }, nil
}

// zstdReader returns a reader of a zstd stream, and a function that closes it.
func zstdReader(r io.Reader) (io.Reader, func(), error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}
