package prediction

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/decompress"
)

// A compressed output has the text, and the same bytes however the text was cut into writes.
func TestCompressor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for text.Len() < 3<<20 {
		text.WriteString(strings.Repeat(string(rune('0'+rng.IntN(10))), 1+rng.IntN(4)))
		text.WriteByte(",\n"[rng.IntN(2)])
	}
	for _, name := range []string{"t.csv", "t.csv.gz", "T.ZST"} {
		var first []byte
		for _, most := range []int{1 << 22, 100, 70_000} {
			var b bytes.Buffer
			w := compressor(name, &b)
			for rest := text.String(); rest != ""; {
				n := min(len(rest), 1+rng.IntN(most))
				if _, err := io.WriteString(w, rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = b.Bytes()
			}
			if !bytes.Equal(b.Bytes(), first) {
				t.Errorf("%s: writes of up to %d bytes give other bytes", name, most)
			}
		}
		if small := len(first) < text.Len()/2; small != (name != "t.csv") {
			t.Errorf("%s has %d of %d bytes", name, len(first), text.Len())
		}
		r := decompress.Reader(bytes.NewReader(first))
		got, err := io.ReadAll(r)
		if err != nil || string(got) != text.String() {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}
