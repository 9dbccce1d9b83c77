package model

import (
	"bytes"
	"fmt"
	"io"
)

const (
	maxFile   = 1 << 30  // bytes of a model file
	maxBlanks = 64 << 10 // of consecutive white space
)

// bounded is a reader that fails when its input exceeds the limits of a model file.
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
		return n, fmt.Errorf("more than %d MiB: too large for a model file", maxFile>>20)
	case b.blanks > maxBlanks:
		return n, fmt.Errorf("more than %d KiB of white space", maxBlanks>>10)
	}
	return n, err
}
