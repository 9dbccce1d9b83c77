package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
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
		if d.Fingerprint() != want.Fingerprint() {
			t.Errorf("%q: another fingerprint", test.Cursor)
		}
		as, err := ReadAs(writeFile(t, "t.csv", test.Cursor), want.Schema, table.Options{Weight: "w"})
		if err != nil || !reflect.DeepEqual(as.X, want.X) || !reflect.DeepEqual(as.Y, want.Y) || !reflect.DeepEqual(as.Commas, test.commas) {
			t.Errorf("%q by the schema: %v", test.Cursor, err)
		}
		b, r, err := readBatches(iotest.OneByteReader(strings.NewReader(test.Cursor)), want.Schema, table.ReaderOptions{})
		if err != nil || !reflect.DeepEqual(b.X, want.X) {
			t.Errorf("%q by a Reader: %v %v", test.Cursor, b.X, err)
		}
		if commas, err := r.Marks().Commas(); err != nil || !reflect.DeepEqual(commas, without(test.commas[:len(test.commas)-1:len(test.commas)-1], "y")) && len(test.commas) > 1 {
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
			if x[0] != want[i] {
				t.Errorf("%s: %v, want %v", cells, x[0], want[i])
			}
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
	want := `t.csv:40002:1: column "a": numbers with a point ("1.5") and with a comma ("1,5"): write one decimal mark and no thousands separators`
	if _, err := r.Marks().Commas(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Points that may separate thousands do so where other columns have decimal commas.
func TestGroupedPoints(t *testing.T) {
	for _, first := range []string{"999", "5678", "0"} {
		_, err := read(strings.NewReader("a;y\n"+first+";1,5\n1.234;2\n"), "t.csv", table.Options{Target: "y"})
		want := `t.csv:3:1: column "a": "1.234" has a thousands separator or a decimal point: write it without a separator, or with the decimal mark of the table`
		if err == nil || err.Error() != want {
			t.Errorf("after %s: error %v, want %s", first, err, want)
		}
	}
	for _, content := range []string{"a;y\n999;1.5\n1.234;2\n", "a;y\n0.123;1,5\n1.234;2\n", "a;y\n999.125;1\n1.234;2\n"} {
		if d, err := read(strings.NewReader(content), "t.csv", table.Options{Target: "y"}); err != nil || d.X[1][0] != 1.234 {
			t.Errorf("%q: %v", content, err)
		}
	}
}
