package parquet

import (
	"bytes"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// inflate decompresses pages.
type inflate struct {
	gzip   gzip.Reader
	zstd   *zstd.Decoder
	brotli *brotli.Reader
}

// decompress decompresses src to dst and returns the number of bytes; it fails, or returns another number, if dst does not have room
// for exactly these.
func (z *inflate) decompress(codec format.CompressionCodec, dst, src []byte) (n int, err error) {
	switch codec {
	case format.Snappy:
		if n, err = snappy.DecodedLen(src); err == nil && n == len(dst) {
			_, err = snappy.Decode(dst, src)
		}
		return n, err
	case format.Lz4Raw:
		return lz4.UncompressBlock(src, dst)
	case format.Gzip:
		if err := z.gzip.Reset(bytes.NewReader(src)); err != nil {
			return 0, err
		}
		return readAll(&z.gzip, dst)
	case format.Brotli:
		if z.brotli == nil {
			z.brotli = brotli.NewReader(nil)
		}
		if err := z.brotli.Reset(bytes.NewReader(src)); err != nil {
			return 0, err
		}
		return readAll(z.brotli, dst)
	case format.Zstd:
		if z.zstd == nil {
			if z.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPage)); err != nil {
				return 0, err
			}
		}
		all, err := z.zstd.DecodeAll(src, dst[:0:len(dst)])
		return len(all), err
	}
	return 0, fmt.Errorf("its compression %s is not supported: export the file with snappy or zstd", codec)
}

// readAll fills dst and returns its length, or the bytes there are if they are fewer, or one more if there are more.
func readAll(r io.Reader, dst []byte) (int, error) {
	n, err := io.ReadFull(r, dst)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	var more [1]byte
	for range 100 {
		k, err := r.Read(more[:])
		if k > 0 {
			return n + 1, nil
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, io.ErrNoProgress
}
