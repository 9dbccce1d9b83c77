package data

import (
	"context"
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkIngest ingests a table of numbers, in memory and to a scratch file.
func BenchmarkIngest(b *testing.B) {
	const rows, columns = 100_000, 21
	rng := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for m := range columns - 1 {
		fmt.Fprintf(&text, "x%d,", m)
	}
	text.WriteString("y\n")
	for range rows {
		for range columns - 1 {
			fmt.Fprintf(&text, "%.5f,", rng.Float64())
		}
		fmt.Fprintf(&text, "%.4f\n", rng.NormFloat64())
	}
	path := filepath.Join(b.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, memory := range []int64{1 << 30, 1 << 20} {
		b.Run(fmt.Sprintf("memory=%dMiB", memory>>20), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			o := table.Options{Target: "y", Memory: memory, Scratch: b.TempDir()}
			for b.Loop() {
				g, err := loadingBy(o, table.Input{Name: path}).ingest(context.Background(), assignment{}, o)
				if err != nil {
					b.Fatal(err)
				}
				if err := g.store.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
