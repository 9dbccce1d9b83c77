package parquet

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// BenchmarkRead reads a table of ten columns of numbers into memory, as CSV and as Parquet: bytes are those of the CSV.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f,g,h,i,y\n")
	for i := range 100_000 {
		x := math.Sqrt(float64(i + 1))
		fmt.Fprintf(&text, "%v,%v,%v,%v,%v,%v,%v,%v,%v,%v\n", x, -x, x/3, x*5, x-1, x+1, 1/x, x*x*x, i, x/7)
	}
	dir := b.TempDir()
	csv, packed := filepath.Join(dir, "t.csv"), filepath.Join(dir, "t.parquet")
	var out bytes.Buffer
	in := data.Input{Name: csv, Reader: strings.NewReader(text.String())}
	if err := data.Convert(&out, data.Writable(packed), in, data.Conversion{Numbers: strings.Split("a,b,c,d,e,f,g,h,i,y", ",")}); err != nil {
		b.Fatal(err)
	}
	for path, content := range map[string][]byte{csv: []byte(text.String()), packed: out.Bytes()} {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Ext(path)[1:], func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := data.Read(path, data.Options{Target: "y"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			in.Reader = strings.NewReader(text.String())
			if err := data.Convert(io.Discard, data.Writable(packed), in, data.Conversion{Numbers: strings.Split("a,b,c,d,e,f,g,h,i,y", ",")}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
