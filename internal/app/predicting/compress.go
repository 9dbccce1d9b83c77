package predicting

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// compressor returns a writer to w that compresses as the extension of a name says. Closing it does not close w. The bytes depend
// on what is written only, not on the sizes of the writes.
func compressor(name string, w io.Writer) io.WriteCloser {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return gzip.NewWriter(w)
	case ".zst":
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err == nil { // the options are valid
			return z
		}
	}
	return plain{w}
}

// plain writes text as it is.
type plain struct{ io.Writer }

func (plain) Close() error { return nil }
