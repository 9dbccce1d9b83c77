// Package decompress reads tables that may be compressed.
package decompress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Limits against decompression bombs.
const (
	maxExpansion = 500      // largest ratio of decompressed to compressed bytes,
	freeBytes    = 16 << 20 // beyond this many decompressed bytes
)

// First bytes of streams.
const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// Compressed reports whether Reader decompresses a stream that begins with head, 4 bytes or all there are.
func Compressed(head []byte) bool {
	return bytes.HasPrefix(head, []byte(gzipMagic)) || bytes.HasPrefix(head, []byte(zstdMagic))
}

// maxWindow is the largest window of zstd, the default of the program zstd; maxHeader is the length of the longest header that states it.
const (
	maxWindow = 128 << 20
	maxHeader = 18
)

var (
	errExpands = fmt.Errorf("it expands more than %d times: decompress it and check its content", maxExpansion)
	errWindow  = fmt.Errorf("its zstd stream has a window of more than %d MiB: decompress it, or compress it again without --long and "+
		"--ultra", maxWindow>>20)
	errNoZstd = errors.New("a page cannot decompress zstd: decompress the table, compress it by gzip, or use tskgraph workbench")
)

// Reader returns a reader of r that decompresses gzip and zstd streams, which it recognises by their first bytes. Read
// fails if the stream is damaged, truncated or expands more than 500 times; it returns errors of r unchanged. Close does
// not close r.
func Reader(r io.Reader) io.ReadCloser {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(4) // a table may be shorter; the next read returns the error
	d := &decompressor{in: counter{Reader: in}}
	switch {
	case bytes.HasPrefix(magic, []byte(gzipMagic)):
		d.kind = "gzip"
		d.out, d.close, d.err = gzipReader(&d.in)
	case bytes.Equal(magic, []byte(zstdMagic)):
		d.kind = "zstd"
		head, _ := in.Peek(maxHeader)
		d.out, d.close, d.err = zstdReader(&d.in, head)
	default:
		return io.NopCloser(in)
	}
	return d
}

// decompressor is a compressed table being read.
type decompressor struct {
	kind  string
	in    counter
	out   io.Reader
	close func() // nil: nothing to close
	n     int64  // bytes read from out
	err   error  // of every further Read
}

func (d *decompressor) Read(p []byte) (n int, err error) {
	if d.err == nil {
		n, d.err = d.out.Read(p)
		d.n += int64(n)
		if d.n > freeBytes && d.n > maxExpansion*d.in.n {
			return 0, errExpands
		}
	}
	switch {
	case d.err == nil || d.err == io.EOF || d.err == errNoZstd || d.err == errWindow:
		return n, d.err
	case d.in.err != nil:
		return n, d.in.err
	}
	return n, fmt.Errorf("its %s stream is damaged or cut off (%w): copy the file again", d.kind, d.err)
}

func (d *decompressor) Close() error {
	if d.close != nil {
		d.close()
	}
	return nil
}

// counter counts the bytes read.
type counter struct {
	io.Reader
	n   int64
	err error // of reading, other than io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}
