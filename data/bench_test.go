package data

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
)

// drawn is a table of n rows of nine features and a target, some 70 bytes a row.
func drawn(n int) string {
	var b strings.Builder
	b.WriteString("f1,f2,f3,f4,f5,f6,f7,f8,f9,y\n")
	for i := range n {
		v := float64(i*7919%10007) / 10007
		fmt.Fprintf(&b, "%.2f,%.2f,%.5f,%.3f,%.3f,%.4f,%.2f,%d,%.4f,%.3f\n", 2e4*v, 5e3*(1-v), v, 99*v*v, 1e6*v, 300*v, 5e3*v, i%350, 40*v, 20*v)
	}
	return b.String()
}

func BenchmarkReadCSV(b *testing.B) {
	run := func(b *testing.B, path, target string) {
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(info.Size())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Read(path, table.Options{Target: target}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("drawn", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(drawn(50_000)), 0o600); err != nil {
			b.Fatal(err)
		}
		run(b, path, "y")
	})
	b.Run("protein", func(b *testing.B) { run(b, filepath.Join(realdata.Dir(b), "protein.csv"), "rmsd") })
}
