//go:build !js

package decompress

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// gzipReader returns a reader of a gzip stream, and a function that closes it.
func gzipReader(r io.Reader) (io.Reader, func(), error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	return z, func() { _ = z.Close() }, nil
}

// zstdReader returns a reader of a zstd stream that begins with head, and a function that closes it.
func zstdReader(r io.Reader, head []byte) (io.Reader, func(), error) {
	var h zstd.Header
	if h.Decode(head) == nil && (h.WindowSize > maxWindow || h.SingleSegment && h.FrameContentSize > maxWindow) {
		return nil, nil, errWindow
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}
