// Package decompress reads tables that may be compressed.
package decompress

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Bounds on what a compressed table may become: a small file that fills the memory is no table.
const (
	maxExpansion = 500       // times the bytes that were read of it,
	freeBytes    = 16 << 20  // from this many bytes on
	maxWindow    = 128 << 20 // of zstd, as the program zstd has it
)

var errExpands = fmt.Errorf("it expands more than %d times: decompress it, and look at what it is", maxExpansion)

// Reader returns what r holds or, if that begins as a gzip or zstd stream, what was compressed. A stream that is damaged,
// cut off or expands more than 500 times gives an error while it is read; an error of r itself is passed on. Closing does
// not close r.
func Reader(r io.Reader) io.ReadCloser {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(4) // a table may be shorter; an error comes back at the next read
	d := &decompressor{in: counter{Reader: in}}
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		d.kind = "gzip"
		if z, err := gzip.NewReader(&d.in); err != nil {
			d.err = err
		} else {
			d.out, d.close = z, func() { _ = z.Close() }
		}
	case bytes.Equal(magic, []byte("\x28\xb5\x2f\xfd")):
		d.kind = "zstd"
		z, err := zstd.NewReader(&d.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			d.err = err
		} else {
			d.out, d.close = z, z.Close
		}
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
	err   error  // why nothing can be read
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
	case d.err == nil || d.err == io.EOF:
		return n, d.err
	case d.in.err != nil:
		return n, d.in.err
	}
	return n, fmt.Errorf("its %s stream is damaged or cut off: %w", d.kind, d.err)
}

func (d *decompressor) Close() error {
	if d.close != nil {
		d.close()
	}
	return nil
}

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	n   int64
	err error // why no more can be read, short of io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}
