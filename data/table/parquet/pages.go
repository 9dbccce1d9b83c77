package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Limits of a page.
const (
	maxHeader    = 1 << 18  // bytes of its header, with statistics
	maxPage      = 1 << 30  // bytes of its content
	maxExpansion = 500      // largest ratio of decompressed to compressed bytes,
	freeBytes    = 16 << 20 // beyond this many decompressed bytes
)

// pages reads the pages of a column chunk one after the other.
type pages struct {
	in    io.ReaderAt
	size  int64 // of the file
	at    int64 // offset of the next page
	end   int64 // of the chunk
	codec format.CompressionCodec

	content []byte // of the current page, decompressed
	shared  *scratch
}

// scratch is what the columns of a file use one after the other.
type scratch struct {
	window []byte // holds headers
	body   []byte // holds compressed pages
	inflate
}

// open begins a chunk.
func (p *pages) open(m *format.ColumnMetaData) error {
	p.at, p.codec = m.DataPageOffset, m.Codec
	if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < p.at { // some writers leave it out, and DataPageOffset is that of the dictionary
		p.at = m.DictionaryPageOffset
	}
	if p.at < int64(len(magic)) || m.TotalCompressedSize < 0 || m.TotalCompressedSize > p.size-p.at {
		return damaged("its %d bytes at byte %d are not in the file of %d bytes", m.TotalCompressedSize, p.at, p.size)
	}
	p.end = p.at + m.TotalCompressedSize
	return nil
}

// next reads the header and the content of the next page, decompressed, of which the first levels bytes are levels; the content is valid
// until the call after. io.EOF after the last page.
func (p *pages) next() (h format.PageHeader, content []byte, levels int, err error) {
	if p.at >= p.end {
		return h, nil, 0, io.EOF
	}
	start := p.at
	if h, err = p.header(); err != nil {
		return h, nil, 0, err
	}
	size, full := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if size < 0 || size > p.end-p.at || full < 0 || full > maxPage {
		return h, nil, 0, damaged("the page at byte %d states a size of %d bytes, decompressed %d", start, size, full)
	}
	if full > freeBytes && full > maxExpansion*size {
		return h, nil, 0, damaged("the page at byte %d expands more than %d times", start, maxExpansion)
	}
	codec := p.codec
	if v2 := &h.DataPageHeaderV2; h.Type == format.DataPageV2 {
		n := int64(v2.V.DefinitionLevelsByteLength)
		if !v2.Valid || n < 0 || n > min(size, full) || v2.V.RepetitionLevelsByteLength != 0 {
			return h, nil, 0, damaged("the page at byte %d states %d bytes of levels", start, n)
		}
		levels = int(n)
		if v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
			codec = format.Uncompressed
		}
	}
	if err := p.load(h, codec, levels); err != nil {
		return h, nil, 0, fmt.Errorf("the page at byte %d: %w", start, err)
	}
	return h, p.content, levels, nil
}

// load reads the content of the page at p.at, and moves behind it.
func (p *pages) load(h format.PageHeader, codec format.CompressionCodec, levels int) error {
	plain := codec == format.Uncompressed
	into := &p.shared.body
	if plain {
		into = &p.content
	}
	*into = resize(*into, int(h.CompressedPageSize))
	body := *into
	if err := readFull(p.in, body, p.at); err != nil {
		return err
	}
	p.at += int64(len(body))
	if h.CRC != 0 && uint32(h.CRC) != crc32.ChecksumIEEE(body) {
		return damaged("its checksum is wrong")
	}
	size, n := int(h.UncompressedPageSize), len(body)
	if !plain {
		p.content = resize(p.content, size)
		n = copy(p.content[:levels], body)
		if levels < len(body) { // there are values
			var err error
			if n, err = p.shared.decompress(codec, p.content[levels:], body[levels:]); err != nil {
				return damaged("%v", err)
			}
			n += levels
		}
	}
	if n != size {
		return damaged("it has %d bytes and states %d", n, size)
	}
	return nil
}

// header reads the header of a page and moves behind it.
func (p *pages) header() (h format.PageHeader, err error) {
	for want := maxHeader >> 9; ; want *= 8 {
		n := int(min(int64(want), p.end-p.at))
		p.shared.window = resize(p.shared.window, n)
		if err := readFull(p.in, p.shared.window, p.at); err != nil {
			return h, err
		}
		length, short, err := extent(p.shared.window)
		if short && (n < want || want == maxHeader) {
			return h, damaged("the header of the page at byte %d is cut off, or has more than %d KiB (statistics of long cells)", p.at,
				maxHeader>>10)
		}
		if short {
			continue
		}
		if err == nil {
			err = thrift.Unmarshal(&thrift.CompactProtocol{}, p.shared.window[:length], &h)
		}
		if err != nil {
			return h, damaged("the header of the page at byte %d: %v", p.at, err)
		}
		p.at += int64(length)
		return h, nil
	}
}

// resize returns a slice of n elements of any value, b itself if it has room.
func resize[T any](b []T, n int) []T {
	if n > cap(b) {
		return make([]T, n, n+min(n/4, math.MaxInt32))
	}
	return b[:n]
}

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
			if z.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
				zstd.WithDecoderMaxMemory(maxPage)); err != nil {
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
