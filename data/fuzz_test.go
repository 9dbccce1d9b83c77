package data

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// Whatever the bytes: no panic, an *Error or a sound Dataset, and a Reader that agrees with Read, whose safe records
// are tables too.
func FuzzReadCSV(f *testing.F) {
	for policy := range uint8(3) {
		f.Add(abalone, policy)
		f.Add("y;a;b\n1;-;-1.0\n2;3;-1\n-;4;5\n", policy+128)
		f.Add("y;a;b;c\n1,5;2;-1,25;1.5\n2;3,4e1;,5;7\n1,234;5;6;0.1\n", policy)
		f.Add("\ufeff\ufeffsep=;\r;a;y;\r1;\"2\";3;\r", policy)
		for task := range uint8(3) {
			f.Add("a,y\n1,u\n2,v\n3,u\n4,v\n5,u\n6, v\n,w\n", policy+3*task)
			f.Add("a;y\n1;01\n2;-0\n3;1.0\n4;0\n5;1\n6;0,0\n7;0\n", policy+3*task)
		}
	}
	f.Fuzz(func(t *testing.T, content string, policy uint8) {
		missing := []string{"error", "drop", "mean"}[policy%3]
		var na table.NA
		if policy > 127 {
			na = table.NA{"*": {"-", "-1"}}
		}
		task := table.Tasks()[policy/3%3]
		d, err := read(strings.NewReader(content), "t.csv", table.Options{Target: "y", Task: task, Missing: missing, NA: na})
		if err != nil {
			if !errors.As(err, new(*table.Error)) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if err := d.Validate(); err != nil || task == "regression" && d.Schema.Classes != nil {
			t.Fatalf("%v, classes %q", err, d.Schema.Classes)
		}
		for i, x := range d.X {
			if len(x) != len(d.Schema.Features()) {
				t.Fatalf("row %d: %v -> %v", i, x, d.Y[i])
			}
			for _, v := range x {
				if math.IsInf(v, 0) || math.IsNaN(v) && missing != "mean" {
					t.Fatalf("row %d: %v", i, x)
				}
			}
		}
		b, all, err := readBatches(iotest.HalfReader(strings.NewReader(content)), d.Schema, table.ReaderOptions{Missing: missing})
		testenv.OK(t, err)
		if commas, err := all.Marks().Commas(); err != nil || strings.Join(commas, "\n") != strings.Join(without(d.Commas, "y"), "\n") {
			t.Fatalf("the Reader finds commas in %q, Read in %q; %v", commas, d.Commas, err)
		}
		safe, r, err := readBatches(strings.NewReader(content), d.Schema, table.ReaderOptions{Missing: missing, SafeCells: true})
		if err != nil || len(safe.Records) != len(b.Records) {
			t.Fatalf("%d safe records of %d, %v", len(safe.Records), len(b.Records), err)
		}
		for _, record := range safe.Records {
			std := csv.NewReader(strings.NewReader(record))
			std.Comma = r.Delimiter()
			cells, err := std.Read()
			if err != nil || len(cells) != len(r.Header()) || table.MakeSafe(cells) {
				t.Fatalf("%q is no safe record: %q, %v", record, cells, err)
			}
		}
		// The Reader does not read the target, and so keeps rows that Read drops for it.
		for i, row := 0, 0; i < len(b.X) && row < d.Len(); i++ {
			if same(b.X[i:i+1], d.X[row:row+1]) {
				row++
			} else if i-row >= d.Missing.Dropped {
				t.Fatalf("row %d: the Reader gives %v, Read %v", d.Rows[row], b.X[i], d.X[row])
			}
		}
	})
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// Whatever the schema: no panic, and a sound one has classes that their own names find.
func FuzzSchema(f *testing.F) {
	for _, s := range []table.Schema{classes().Schema, targets().Schema,
		{Columns: classes().Schema.Columns, Target: "y", Classes: []string{"-1", "0", "10"}}} {
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "01.0")
	}
	f.Add(`{"columns":[{"name":"a","encoding":"numeric"}],"target":"y","classes":["a","a"]}`, "a")
	f.Add(`{"columns":[{"name":"a","encoding":"numeric"}],"target":"y","others":[{"name":"a"},{}]}`, "")
	f.Fuzz(func(t *testing.T, text, cell string) {
		var s table.Schema
		if json.Unmarshal([]byte(text), &s) != nil {
			return
		}
		sound := s.Validate() == nil
		if k, ok := s.Class(cell); ok && (k < 0 || k >= len(s.Classes)) {
			t.Fatalf("%q is class %d of %q", cell, k, s.Classes)
		}
		if !sound {
			return
		}
		for k, class := range s.Classes {
			if got, ok := s.Class(class); !ok || got != k {
				t.Fatalf("%q is class %d, %v, want %d", class, got, ok, k)
			}
		}
	})
}

// parseNumber gives the bits of strconv.
func FuzzParseNumber(f *testing.F) {
	for _, cell := range []string{
		"", "-", ".", "+.", "0", "-0", "-.0", "1.", ".5", "+1.5", "1.5.2", "123456789012345", "0.1", "9007199254740992", "9007199254740991",
		"9007199254740993", "0000000000000000001", "00000000000000000001", "0.0000000000000000001", "1e5", "1.7976931348623159e308", "4.9e-324",
		"1e-400", "0x1p3", "1_0", "Inf", "-nan", "1 ", "1234567890.123456789",
	} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		got, ok := table.ParseNumber(cell)
		want, err := strconv.ParseFloat(cell, 64)
		if plain := strings.Trim(cell, "0123456789.+-eE") == ""; ok != (err == nil && plain) {
			t.Fatalf("%q: %v %v, strconv %v %v", cell, got, ok, want, err)
		}
		if ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: %v, strconv %v", cell, got, want)
		}
	})
}

func TestParseNumberAsStrconv(t *testing.T) {
	number := rapid.StringMatching(`[-+]?[0-9]{0,12}\.?[0-9]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		cell := number.Draw(t, "cell")
		got, ok := table.ParseNumber(cell)
		want, err := strconv.ParseFloat(cell, 64)
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: %v %v, strconv %v %v", cell, got, ok, want, err)
		}
	})
}
