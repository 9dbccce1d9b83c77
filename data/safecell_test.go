package data

import (
	"encoding/csv"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data/table"
	"pgregory.net/rapid"
)

func TestSafeCell(t *testing.T) {
	for cell, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
		"+cmd":               "'+cmd",
		"-2+3":               "'-2+3",
		"@SUM(1+1)*cmd":      "'@SUM(1+1)*cmd",
		"\t=1+1":             "'\t'=1+1",
		"\rx":                "'\rx",
		"＝1+1":               "'＝1+1",
		"x;=1+1":             "x;'=1+1", // two cells where semicolons separate
		"x\n=1+1":            "x\n'=1+1",
		"=\xff":              "'=\xff",
		`x;"=1`:              `x;"'=1`,

		"": "", "a=b": "a=b", "x, =1": "x, =1", "me@home": "me@home", "\xff=": "\xff=",
		"-1.5": "-1.5", "+3": "+3", "-2e-7": "-2e-7", "-5 ": "-5 ", "-1,5": "-1,5", "1,-5": "1,-5",
	} {
		if got := table.SafeCell(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// Whatever the cells: no cell begins a formula, whichever delimiter they are read by, numbers stay, and cells of which
// none begins one stay as they stand.
func TestSafeRecords(t *testing.T) {
	cell := rapid.OneOf(rapid.StringOf(rapid.SampledFrom([]rune("a1=+-@,;\n\" ."))), rapid.SampledFrom([]string{"-1", "+2.5e3", "x"}))
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(cell, 2, 4).Draw(t, "cells")
		var text strings.Builder
		w := csv.NewWriter(&text)
		header := []string{"p", "q", "r", "s"}[:len(cells)]
		_ = w.WriteAll([][]string{append(header, "a", "c"), append(cells, "-1", "low")})
		b, _, err := readBatches(strings.NewReader(text.String()), readerSchema, table.ReaderOptions{SafeCells: true})
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(b.Records[0])).ReadAll()
		if err != nil || len(records) != 1 {
			t.Fatalf("%q: %v", b.Records, err)
		}
		for i, c := range append(cells, "-1", "low") {
			if want := table.SafeCell(c); records[0][i] != want {
				t.Fatalf("cell %q is written %q, want %q", c, records[0][i], want)
			}
		}
		for _, delim := range ",;\t" {
			r := csv.NewReader(strings.NewReader(b.Records[0]))
			r.Comma, r.LazyQuotes, r.FieldsPerRecord = delim, true, -1
			records, err := r.ReadAll()
			if err != nil {
				t.Fatalf("%q: %v", b.Records, err)
			}
			for _, field := range slices.Concat(records...) {
				field, _, _ = strings.Cut(field, `"`) // the end of a cell that was quoted for another delimiter
				if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) && !table.BeginsNumber(field) {
					t.Fatalf("%q, read with %q, holds the formula %q", b.Records[0], delim, field)
				}
			}
		}
		plain, _, err := readBatches(strings.NewReader(text.String()), readerSchema, table.ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if safe := append([]string(nil), cells...); !table.MakeSafe(safe) && !reflect.DeepEqual(plain.Records, b.Records) {
			t.Fatalf("%q, want %q", b.Records, plain.Records)
		}
	})
}
