package decompress

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// A frame of 2 GiB in a single segment, whose window is all of it, with the block of its first bytes.
const whole = zstdMagic + "\xe0\x00\x00\x00\x80\x00\x00\x00\x00" + "\x21\x00\x00a,b\n"

// TestWindow checks that a stream with a window that is too large is not called damaged.
func TestWindow(t *testing.T) {
	for size, want := range map[int]string{zstd.MinWindowSize: "", maxWindow: "", 4 * maxWindow: "window of more than 128 MiB"} {
		var b bytes.Buffer
		z := testenv.Must(zstd.NewWriter(&b, zstd.WithWindowSize(size), zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest)))
		testenv.OK(t, testenv.Err(io.Copy(z, struct{ io.Reader }{strings.NewReader(strings.Repeat("a,b\n", 100_000))})))
		testenv.OK(t, z.Close())
		r := Reader(&b)
		text, err := io.ReadAll(r)
		if want == "" && (err != nil || len(text) != 400_000) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("window of %d: %d bytes, %v", size, len(text), err)
		}
		testenv.OK(t, r.Close())
	}
	testenv.FailsWith(t, testenv.Err(io.ReadAll(Reader(strings.NewReader(whole)))), "window of more than 128 MiB", "a single segment")
}
