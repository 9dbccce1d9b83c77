package data

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// Whatever the bytes: no panic, an *Error or a sound Dataset, and a Reader that agrees with ReadCSV.
func FuzzReadCSV(f *testing.F) {
	for _, table := range []string{
		"", "a,y\n", "a,y\n1,2\n3,4\n", "a;y\r\n1,5;2\r\n", "\xef\xbb\xbfa\ty\n1\t2\n", "a,y\r1,2\r", "\xff\xfea\x00",
		"a,y\n\"1\",\"2\n", "a,y\n1\"\",2\n", "c,a,y\nu,1,2\nv,?,3\n ,1e309,4\n", "a,a,y\n", "a,,y\n", "a,y\n0x1p3,1_000\n", abalone,
	} {
		f.Add(table, uint8(0))
		f.Add(table, uint8(1))
		f.Add(table, uint8(2))
	}
	f.Fuzz(func(t *testing.T, table string, policy uint8) {
		missing := []string{"error", "drop", "mean"}[policy%3]
		d, err := read(strings.NewReader(table), "t.csv", Options{Target: "y", Missing: missing})
		if err != nil {
			if !errors.As(err, new(*Error)) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for i, x := range d.X {
			if len(x) != len(d.Schema.Features()) || !finite(d.Y[i]) {
				t.Fatalf("row %d: %v -> %v", i, x, d.Y[i])
			}
			for _, v := range x {
				if math.IsInf(v, 0) || math.IsNaN(v) && missing != "mean" {
					t.Fatalf("row %d: %v", i, x)
				}
			}
		}
		r, err := NewReader(strings.NewReader(table), "t.csv", d.Schema, ReaderOptions{Missing: missing})
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, len(d.X[0]))
		for row := 0; ; {
			if _, err := r.Next(x); err == io.EOF {
				return
			} else if err != nil {
				t.Fatal(err)
			}
			for row < d.Len() && d.Rows[row] < r.Row() {
				row++
			}
			if row < d.Len() && d.Rows[row] == r.Row() && !same([][]float64{x}, d.X[row:row+1]) {
				t.Fatalf("row %d: the Reader gives %v, ReadCSV %v", r.Row(), x, d.X[row])
			}
		}
	})
}
