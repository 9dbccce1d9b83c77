package data

import (
	"context"
	"errors"
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"runtime"
	"strings"
	"testing"
)

// wide returns a table of two rows, whose columns but the last hold cell.
func wide(columns int, cell string) string {
	names := make([]string, columns)
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	cells := strings.Repeat(cell+",", columns-1)
	return strings.Join(names, ",") + "\n" + cells + "1\n" + cells + "2\n"
}

// look reads a table as init does, in two passes.
func look(path string) error {
	s, err := LookAt(table.Input{Name: path}, "")
	if err != nil {
		return err
	}
	_, err = ReadSample(context.Background(), path, table.Options{Target: s.Columns[len(s.Columns)-1].Name})
	return err
}

func TestMostColumns(t *testing.T) {
	var fault *table.Error
	if err := look(writeFile(t, "wide.csv", wide(table.MaxColumns, "1"))); err != nil {
		t.Errorf("%d columns: %v", table.MaxColumns, err)
	}
	err := look(writeFile(t, "wide.csv", wide(table.MaxColumns+1, "1")))
	if !errors.As(err, &fault) || fault.Line != 1 || !strings.Contains(fault.Message, "more than 100000 columns") {
		t.Errorf("%d columns: %v", table.MaxColumns+1, err)
	}
}

// TestMemoryPerColumn allocates some kilobytes for a column: a block of few rows is small, and a row is split once for all faults in it.
func TestMemoryPerColumn(t *testing.T) {
	const columns, most = 4000, 12 << 10
	for _, cell := range []string{"1.5", "x", `"x"`} {
		path := writeFile(t, "wide.csv", wide(columns, cell))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := look(path); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / columns; each > most {
			t.Errorf("cells %s: %d bytes for a column of two rows, want %d at most", cell, each, most)
		}
	}
}

func BenchmarkWide(b *testing.B) {
	for _, columns := range []int{1000, 10_000, 100_000} {
		for _, cell := range []string{"1.5", "x"} {
			b.Run(fmt.Sprintf("%s/%d", cell, columns), func(b *testing.B) {
				path := writeFile(b, "wide.csv", wide(columns, cell))
				b.ReportAllocs()
				for b.Loop() {
					if err := look(path); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*columns), "ns/column")
			})
		}
	}
}
