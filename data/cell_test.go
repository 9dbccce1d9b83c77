package data

import (
	"encoding/csv"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// Decimal commas are read column by column, whatever the model was trained on.
func TestDecimalCommas(t *testing.T) {
	const points = "a;b;c;w;y\n1.5;-0.25;u;1;10\n2;3;v;0.5;20.125\n40;1234.5;u;2;-3\n"
	want, err := read(strings.NewReader(points), "t.csv", table.Options{Target: "y", Weight: "w"})
	if err != nil || want.Commas != nil {
		t.Fatal(err, want.Commas)
	}
	for _, test := range []struct {
		Cursor string
		commas []string
	}{
		{strings.ReplaceAll(points, ".", ","), []string{"a", "b", "y", "w"}},
		{strings.NewReplacer(".", ",", ";", "\t").Replace(points), []string{"a", "b", "y", "w"}},
		{strings.Replace(points, "1.5", `" 1,5"`, 1), []string{"a"}},
		{"a;b;c;w;y\n1.5;-,25;u;1,;1,0e1\n2;3;v;,5;20,125\n4e1;1234,5;u;2;-3,0\n", []string{"b", "y", "w"}},
	} {
		d, err := read(strings.NewReader(test.Cursor), "t.csv", table.Options{Target: "y", Weight: "w"})
		if err != nil {
			t.Errorf("%q: %v", test.Cursor, err)
			continue
		}
		if !reflect.DeepEqual(d.X, want.X) || !reflect.DeepEqual(d.Y, want.Y) || !reflect.DeepEqual(d.Weights, want.Weights) {
			t.Errorf("%q: %v %v %v", test.Cursor, d.X, d.Y, d.Weights)
		}
		if !reflect.DeepEqual(d.Commas, test.commas) || !reflect.DeepEqual(d.Subset([]int{0}).Commas, test.commas) {
			t.Errorf("%q: commas in %q, want %q", test.Cursor, d.Commas, test.commas)
		}
		testenv.Equal(t, d.Fingerprint(), want.Fingerprint(), "%q: another fingerprint", test.Cursor)
		as, err := ReadAs(writeFile(t, "t.csv", test.Cursor), want.Schema, table.Options{Weight: "w"})
		if err != nil || !reflect.DeepEqual(as.X, want.X) || !reflect.DeepEqual(as.Y, want.Y) || !reflect.DeepEqual(as.Commas, test.commas) {
			t.Errorf("%q by the schema: %v", test.Cursor, err)
		}
		b, r, err := readBatches(iotest.OneByteReader(strings.NewReader(test.Cursor)), want.Schema, table.ReaderOptions{})
		if err != nil || !reflect.DeepEqual(b.X, want.X) {
			t.Errorf("%q by a Reader: %v %v", test.Cursor, b.X, err)
		}
		if commas, err := r.Marks().Commas(); err != nil || !reflect.DeepEqual(commas,
			without(test.commas[:len(test.commas)-1:len(test.commas)-1], "y")) && len(test.commas) > 1 {
			t.Errorf("%q by a Reader: commas in %q, %v", test.Cursor, commas, err)
		}
	}
}

// Commas that may separate thousands are decimal commas where another cell of the table says so, or where each number
// has one.
func TestGroupedCommas(t *testing.T) {
	for cells, want := range map[string][]float64{
		"1,234 999 0,5":   {1.234, 999, 0.5},
		"1,234 999 1,50":  {1.234, 999, 1.5},
		"1,234 12,500":    {1.234, 12.5},
		"1,234 0":         {1.234, 0},
		"-1,234 999 ,125": {-1.234, 999, 0.125},
	} {
		d, err := read(strings.NewReader("y\ta\n1\t"+strings.ReplaceAll(cells, " ", "\n1\t")), "t.csv", table.Options{Target: "y"})
		if err != nil {
			t.Errorf("%s: %v", cells, err)
			continue
		}
		for i, x := range d.X {
			testenv.Equal(t, x[0], want[i], "%s", cells)
		}
	}
}

// A Reader finds what contradicts in different blocks, and says so at the end.
func TestDecimalMarksOfBlocks(t *testing.T) {
	content := "a\tc\n" + strings.Repeat("1,5\tlow\n", 40_000) + "1.5\tlow\n"
	b, r, err := readBatches(strings.NewReader(content), readerSchema, table.ReaderOptions{})
	if err != nil || len(b.X) != 40_001 {
		t.Fatal(len(b.X), err)
	}
	want := `t.csv:40002:1: column "a": numbers with a point ("1.5") and with a comma ("1,5"): write one decimal mark and no thousands ` +
		`separators`
	testenv.Fails(t, second(r.Marks().Commas()), want)
}

// Points that may separate thousands do so where other columns have decimal commas.
func TestGroupedPoints(t *testing.T) {
	for _, first := range []string{"999", "5678", "0"} {
		_, err := read(strings.NewReader("a;y\n"+first+";1,5\n1.234;2\n"), "t.csv", table.Options{Target: "y"})
		want := `t.csv:3:1: column "a": "1.234" has a thousands separator or a decimal point: write it without a separator, ` +
			`or with the decimal mark of the table`
		testenv.Fails(t, err, want, "after %s", first)
	}
	for _, content := range []string{"a;y\n999;1.5\n1.234;2\n", "a;y\n0.123;1,5\n1.234;2\n", "a;y\n999.125;1\n1.234;2\n"} {
		if d, err := read(strings.NewReader(content), "t.csv", table.Options{Target: "y"}); err != nil || d.X[1][0] != 1.234 {
			t.Errorf("%q: %v", content, err)
		}
	}
}

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
		testenv.Equal(t, table.SafeCell(cell), want, "%q", cell)
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
		testenv.OK(t, err)
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
		testenv.OK(t, err)
		if safe := append([]string(nil), cells...); !table.MakeSafe(safe) && !reflect.DeepEqual(plain.Records, b.Records) {
			t.Fatalf("%q, want %q", b.Records, plain.Records)
		}
	})
}
