package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }

func TestWriteRows(t *testing.T) {
	var a, b closing
	n, err := writeRows(&a, 50, 7)
	if err != nil || n != int64(a.Len()) {
		t.Fatalf("%d bytes of %d: %v", n, a.Len(), err)
	}
	if _, err := writeRows(&b, 50, 7); err != nil || a.String() != b.String() {
		t.Error("the same seed gives another table")
	}
	rows, err := csv.NewReader(&a).ReadAll()
	if err != nil || len(rows) != 51 || len(rows[50]) != tableFeatures+1 || rows[0][tableFeatures] != "y" {
		t.Errorf("%d rows: %v", len(rows), err)
	}
}

func TestRowsTable(t *testing.T) {
	var runs []rowsRun
	for _, n := range []int{1000, 10000} {
		for _, name := range []string{"train", "train again", "predict"} {
			runs = append(runs, rowsRun{Command: name, Rows: n, Bytes: int64(170 * n), CPU: float64(n) / 1e5, Peak: 40, Copy: float64(n) / 1e8})
		}
	}
	table := rowsTable(runs)
	if want := "| 1e+04 | 1.7 MB | 100 us | 100 ms | 40 MiB | 100 ms | 40 MiB | 100 ms | 40 MiB |\n"; !strings.HasSuffix(table, want) {
		t.Errorf("the table\n%s lacks %q", table, want)
	}
	dir := t.TempDir()
	if err := drawRows(runs, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rows-time.svg", "rows-memory.svg"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "predict") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
