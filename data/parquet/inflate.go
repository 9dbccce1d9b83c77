package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
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
		return lz4Block(dst, src)
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

// lz4Block decompresses a block of LZ4 to dst and returns its length: sequences of literals, each with a match of bytes before it, of which
// the last has none. It is written here since the module with LZ4 is a download of 40 MB.
func lz4Block(dst, src []byte) (n int, err error) {
	length := func(nibble byte) int { // of literals, or of a match beyond the least; 15 says that bytes follow, of which the last is below 255
		total, more := int(nibble), nibble == 15
		for more && len(src) > 0 {
			total, more, src = total+int(src[0]), src[0] == 255, src[1:]
		}
		return total
	}
	for len(src) > 0 {
		token := src[0]
		src = src[1:]
		literals := length(token >> 4)
		if literals > len(src) || literals > len(dst)-n {
			return 0, errLZ4
		}
		n += copy(dst[n:], src[:literals])
		if src = src[literals:]; len(src) == 0 {
			return n, nil
		}
		if len(src) < 2 {
			return 0, errLZ4
		}
		const leastMatch = 4
		offset := int(src[0]) | int(src[1])<<8
		src = src[2:]
		match := leastMatch + length(token&15)
		if offset == 0 || offset > n || match > len(dst)-n {
			return 0, errLZ4
		}
		for from, end := n-offset, n+match; n < end; { // a match may overlap itself
			n += copy(dst[n:end], dst[from:n])
		}
	}
	return 0, errLZ4
}

var errLZ4 = errors.New("an LZ4 block is damaged")

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
