package model

import (
	"bytes"
	"fmt"
	"io"
)

const (
	maxFile   = 1 << 30  // bytes of a model file
	maxBlanks = 64 << 10 // of white space in a row
)

// bounded reads what may be a model file: it gives up where no model goes on.
type bounded struct {
	in           io.Reader
	read, blanks int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p[:min(len(p), maxBlanks)])
	b.read += n
	if text := len(bytes.TrimRight(p[:n], " \t\r\n")); text > 0 {
		b.blanks = n - text
	} else {
		b.blanks += n
	}
	switch {
	case b.read > maxFile:
		return n, fmt.Errorf("more than %d MiB: no model is that large", maxFile>>20)
	case b.blanks > maxBlanks:
		return n, fmt.Errorf("more than %d KiB of white space", maxBlanks>>10)
	}
	return n, err
}
