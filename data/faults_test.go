package data

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// Each table must be refused with exactly this message.
func TestFaults(t *testing.T) {
	y := table.Options{Target: "y"}
	with := func(change func(*table.Options)) table.Options { o := y; change(&o); return o }
	for _, test := range []struct {
		name, Cursor string
		opts         table.Options
		want         string
	}{
		{"empty file", "", y, "t.csv:1: the table is empty: want a header row and data rows"},
		{"blank lines only", "\n\r\n\n", y, "t.csv:1: the table is empty: want a header row and data rows"},
		{"header only", "a,y\n", y, "t.csv: the table has a header but no rows"},
		{"row too short", "a,b,y\n1,2,3\n4,5\n", y, "t.csv:3:4: the row has 2 cells, the header 3: is the row cut off?"},
		{"row too long", "a,y\n1,2\n3,4,5\n", y,
			"t.csv:3:5: the row has 3 cells, the header 2: remove a trailing delimiter, or quote a cell that holds one"},
		{"trailing comma in a row", "a,y\n1,2,\n", y,
			"t.csv:2:5: the row has 3 cells, the header 2: remove a trailing delimiter, or quote a cell that holds one"},
		{"a value without a name", "a,y,\n1,2,\n1,2,x\n", y, `t.csv:3:5: the header has no name for column 3, which holds "x": name it`},
		{"no names", ",,\n1,2,3\n", y, "t.csv:1:1: the header has no name for column 1: the names of the columns come first"},
		{"byte order mark in a name", "\"\ufeffa\",y\n1,2\n", y, `t.csv:1:1: the name "\ufeffa" holds a byte order mark: remove it`},
		{"byte order mark in a cell", "a,y\n1,2\n\ufeff3,4\n", y,
			`t.csv:3:1: column "a": "\ufeff3" is not a plain decimal number: correct it, or list it in data.na if it marks a missing value, ` +
				`or code the column (data.categorical)`},
		{"unknown delimiter", "sep=|\na|y\n1|2\n", y, `t.csv:1:1: the line names the delimiter "|": want comma, semicolon or tab`},
		{"nothing after the delimiter", "sep=;\n", y, "t.csv:1: the table is empty: want a header row and data rows"},
		{"duplicate header", "a,b, a ,y\n1,2,3,4\n", y, `t.csv:1:5: columns 1 and 3 have the same name "a": rename one`},
		{"unclosed quote", "a,y\n1,2\n3,\"4\n5,6\n", y, "t.csv:3:3: a quote that is not closed"},
		{"quote within a cell", "a,y\n1,5\"\n5,6\n", y, "t.csv:2:4: a quote within a cell: quote the whole cell and double the quote"},
		{"text after a quote", "a,y\n1,\"5\"6\n", y, "t.csv:2:6: text after the closing quote of a cell: double the quotes within a cell"},
		{"CR among LF", "a,y\n1,2\r3,4\n", y, "t.csv:2:4: a carriage return without a line feed: save the table with LF or CRLF line ends"},
		{"row of a CR table", "a,y\r1,2\r3,x\r", y,
			`t.csv:3:3: column "y": "x" is not a plain decimal number: correct it, or list it in data.na if it marks a missing value, ` +
				`or set task: classification to predict classes`},
		{"Excel", "PK\x03\x04\x14\x00", y,
			"t.csv:1:1: the file is a ZIP archive, as Excel workbooks (.xlsx) are: save the sheet as CSV in UTF-8"},
		{"old Excel", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", y,
			"t.csv:1:1: the file is an Excel workbook (.xls): save the sheet as CSV in UTF-8"},
		{"Parquet", "PAR1\x15\x04", y, "t.csv:1:1: the file is Parquet: export it as CSV"},
		{"xz", "\xfd7zXZ\x00\x00", y, "t.csv:1:1: the table is compressed by xz: decompress it, or compress it by gzip or zstd"},
		{"bzip2", "BZh91AY&SY\x00", y, "t.csv:1:1: the table is compressed by bzip2: decompress it, or compress it by gzip or zstd"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", y, "t.csv:1:1: the table is UTF-32: save it as UTF-8"},
		{"UTF-16 after a mark", "\ufeff\xff\xfea\x00", y, "t.csv:1:1: the table is UTF-16: save it as UTF-8"},
		{"UTF-16 LE", "\xff\xfea\x00,\x00y\x00\n\x00", y, "t.csv:1:1: the table is UTF-16: save it as UTF-8"},
		{"UTF-16 BE", "\xfe\xff\x00a\x00,\x00y\x00\n", y, "t.csv:1:1: the table is UTF-16: save it as UTF-8"},
		{"UTF-16 without a mark", "a\x00,\x00y\x00\n\x00", y, "t.csv:1:2: a NUL byte: the table is damaged, or UTF-16 (then save it as UTF-8)"},
		{"NUL byte", "a,y\n1,2\n3,\x004\n", y, "t.csv:3:3: a NUL byte: the table is damaged, or UTF-16 (then save it as UTF-8)"},
		{"Latin-1 header", "gr\xf6\xdfe,y\n1,2\n", y, `t.csv:1:1: the name "gr\xf6\xdfe" is not valid UTF-8: save the table as UTF-8`},
		{"Latin-1 level", "a,y\nx\xf6,2\n", y, `t.csv:2:1: column "a": "x\xf6" is not valid UTF-8: save the table as UTF-8`},

		{"decimal comma", "a,y\n\"1,5\",2\n", y,
			`t.csv:2:1: column "a": "1,5" is not a plain decimal number: is the comma a decimal point? Write a point`},
		{"underscore", "a,y\n1,2\n1_000,2\n", y, `t.csv:3:1: column "a": "1_000" has thousands separators: write it without them`},
		{"thousands", "a,y\n\"1,234,567\",2\n", y, `t.csv:2:1: column "a": "1,234,567" has thousands separators: write it without them`},
		{"thousands and a point", "a\ty\n1,234.5\t2\n", y, `t.csv:2:1: column "a": "1,234.5" has thousands separators: write it without them`},
		{"thousands and a comma", "a;y\n1.234,5;2\n", y, `t.csv:2:1: column "a": "1.234,5" has thousands separators: write it without them`},
		{"thousands of points", "a;y\n1.234.567;2\n", y, `t.csv:2:1: column "a": "1.234.567" has thousands separators: write it without them`},
		{"thousands and blanks", "a;y\n-1 234,5;2\n", y, `t.csv:2:1: column "a": "-1 234,5" has thousands separators: write it without them`},
		{"thousands and narrow blanks", "a;y\n12\u202f345;2\n", y,
			`t.csv:2:1: column "a": "12\u202f345" has thousands separators: write it without them`},
		{"thousands and apostrophes", "a;y\n1'234.50;2\n", y,
			`t.csv:2:1: column "a": "1'234.50" has thousands separators: write it without them`},
		{"a quoted group", "a,y\n\"1,234\",2\n", y,
			`t.csv:2:1: column "a": "1,234" has a thousands separator or a decimal comma: write it without a separator, ` +
				`or with the decimal mark of the table`},
		{"groups and small numbers", "a;y\n999;2\n1,234;2\n", y,
			`t.csv:3:1: column "a": "1,234" has a thousands separator or a decimal comma: write it without a separator, ` +
				`or with the decimal mark of the table`},
		{"a comma, then a point", "a;y\n1,5;2\n3;2\n1.234;2\n", y,
			`t.csv:4:1: column "a": numbers with a point ("1.234") and with a comma ("1,5"): write one decimal mark and no thousands separators`},
		{"a point, then a comma", "y;a\n2;1.5\n2;1,234\n", y,
			`t.csv:3:3: column "a": numbers with a point ("1.5") and with a comma ("1,234"): write one decimal mark and no thousands separators`},
		{"decimal marks of the target", "a\ty\n1\t1,5\n2\t2.5\n", y,
			`t.csv:3:3: column "y": numbers with a point ("2.5") and with a comma ("1,5"): write one decimal mark and no thousands separators`},
		{"hexadecimal float", "a,y\n0x1p3,2\n", y, `t.csv:2:1: column "a": "0x1p3" is not a plain decimal number: write it in decimal`},
		{"hexadecimal", "a,y\n0x10,2\n", y,
			`t.csv:2:1: column "a": "0x10" is not a plain decimal number: correct it, or list it in data.na if it marks a missing value, ` +
				`or code the column (data.categorical)`},
		{"overflow", "a,y\n1,2\n1, 1e309\n", y, `t.csv:3:3: column "y": "1e309" is beyond the range of a 64-bit number`},
		{"Inf", "a,y\nInf,2\n", y, `t.csv:2:1: column "a": "Inf" is not finite`},
		{"minus infinity", "a,y\n1,2\n-infinity,2\n", y, `t.csv:3:1: column "a": "-infinity" is not finite`},
		{"text among numbers", "a,y\n1,2\nlow,2\n", y,
			`t.csv:3:1: column "a": "low" is not a plain decimal number: correct it, or ignore the column (data.ignore), ` +
				`or code it (data.categorical)`},
		{"number among texts", "a,y\nlow,2\nhigh,2\n3,2\n", y,
			`t.csv:2:1: column "a": "low" is not a plain decimal number: correct it, or ignore the column (data.ignore), ` +
				`or code it (data.categorical) ("3" in a later row is not a category)`},
		{"text target", "a,y\n1,low\n", y, `t.csv: column "y" has one class only, "low": there is nothing to predict`},
		{"escapes and long cells", "a,y\n\x1b[31m" + strings.Repeat("5", 50) + ",1\n", y, `t.csv:2:1: column "a": "\x1b[31m` +
			strings.Repeat("5", 35) +
			`"... is not a plain decimal number: correct it, or list it in data.na if it marks a missing value, ` +
			`or code the column (data.categorical)`},
		{"in a quoted cell of many lines", "n,a,y\n\"p\n\nq\",x1,2\n\"p\n\n\nq\",7,2\n",
			with(func(o *table.Options) { o.Ignore = []string{"n"} }),
			`t.csv:4:4: column "a": "x1" is not a plain decimal number: correct it, or ignore the column (data.ignore), ` +
				`or code it (data.categorical) ("7" in a later row is not a category)`},

		{"after a cell of many lines", "n,a,y\n\"p\n\nq\",1,2\n\"p\nq\",2,3\nr,?,7\n", with(func(o *table.Options) { o.Ignore = []string{"n"} }),
			`t.csv:7:3: column "a": "?" marks a missing value: give it a value, or set data.missing to own, mean or drop`},
		{"blank", "a,y\n1,2\n,2\n", y, `t.csv:3:1: column "a": the cell is blank: give it a value, or set data.missing to own, mean or drop`},
		{"spaces", "a,y\n  ,2\n", y, `t.csv:2:1: column "a": the cell is blank: give it a value, or set data.missing to own, mean or drop`},
		{"NA", "a,b,y\n1, NA,2\n", y,
			`t.csv:2:3: column "b": "NA" marks a missing value: give it a value, or set data.missing to own, mean or drop`},
		{"NaN target", "a,y\n1,NaN\n", y, `t.csv:2:3: column "y": "NaN" marks a missing value: give it a value, or set data.missing to drop`},
		{"all dropped", "a,y\n,2\n1,?\n", with(func(o *table.Options) { o.Missing = "drop" }),
			"t.csv: each row (2 in all) has a missing cell: no row is left"},
		{"nothing to average", "a,y\n,2\n?,3\n", with(func(o *table.Options) { o.Missing = "mean" }),
			`t.csv: column "a" has no value in any row: ignore it (data.ignore)`},

		{"unknown target", "strength,age\n1,2\n", with(func(o *table.Options) { o.Target = "strenght" }),
			`t.csv:1: data.target: the table has no column "strenght"; did you mean "strength"? (its columns: "strength", "age")`},
		{"target by another case", "a,Y\n1,2\n", y,
			`t.csv:1: data.target: the table has no column "y"; did you mean "Y"? (its columns: "a", "Y")`},
		{"nothing like it", "a,b\n1,2\n", y, `t.csv:1: data.target: the table has no column "y" (its columns: "a", "b")`},
		{"many columns", "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13\n", y,
			`t.csv:1: data.target: the table has no column "y" (its columns: "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", ` +
				`"c11", ... (14 in all))`},
		{"unknown feature", "a,y\n1,2\n", with(func(o *table.Options) { o.Features = []string{"b"} }),
			`t.csv:1: data.features: the table has no column "b" (its columns: "a", "y")`},
		{"unknown ignore", "a,y\n1,2\n", with(func(o *table.Options) { o.Ignore = []string{"b"} }),
			`t.csv:1: data.ignore: the table has no column "b" (its columns: "a", "y")`},
		{"unknown weight", "a,y\n1,2\n", with(func(o *table.Options) { o.Weight = "w" }),
			`t.csv:1: data.weight: the table has no column "w" (its columns: "a", "y")`},
		{"unknown split column", "a,y\n1,2\n", with(func(o *table.Options) { o.SplitColumn = "s" }),
			`t.csv:1: data.split_column: the table has no column "s" (its columns: "a", "y")`},
		{"unknown coding", "a,y\n1,2\n",
			with(func(o *table.Options) { o.Categorical = map[string]table.Coding{"b": {Encoding: table.OneHot}} }),
			`t.csv:1: data.categorical: the table has no column "b" (its columns: "a", "y")`},
		{"unknown unit", "a,y\n1,2\n", with(func(o *table.Options) { o.Units = map[string]string{"b": "kg"} }),
			`t.csv:1: data.units: the table has no column "b" (its columns: "a", "y")`},
		{"unknown limits", "a,y\n1,2\n", with(func(o *table.Options) { o.Limits = limitsOf("b", 0, 1) }),
			`t.csv:1: data.limits: the table has no column "b" (its columns: "a", "y")`},
		{"no features", "a,y\n1,2\n", with(func(o *table.Options) { o.Ignore = []string{"a"} }),
			"t.csv:1: no input column is left: name some in data.features, or ignore fewer"},

		{"negative weight", "a,w,y\n1,-1,2\n", with(func(o *table.Options) { o.Weight = "w" }),
			`t.csv:2:3: column "w": the weight -1 is negative: want it 0 or greater`},
		{"zero weights", "a,w,y\n1,0,2\n", with(func(o *table.Options) { o.Weight = "w" }),
			`t.csv: column "w": the weight is zero in each row without a missing cell: no row is left`},
		{"split mark", "a,s,y\n1,train,2\n1,tets,2\n", with(func(o *table.Options) { o.SplitColumn = "s" }),
			`t.csv:3:3: column "s": "tets" is not a part: want train, validation or test; did you mean "test"?`},
		{"level not given", "a,y\nlow,2\nhi,2\n", with(func(o *table.Options) {
			o.Categorical = map[string]table.Coding{"a": {Encoding: table.Ordinal, Levels: []string{"low", "high"}}}
		}), `t.csv:3:1: column "a": "hi" is not one of its levels ("low", "high")`},
		{"coded numeric", "a,y\nlow,2\n",
			with(func(o *table.Options) { o.Categorical = map[string]table.Coding{"a": {Encoding: table.Numeric}} }),
			`t.csv:2:1: column "a": "low" is not a plain decimal number: correct it, or ignore the column (data.ignore), ` +
				`or code it (data.categorical)`},
		{"nothing found out", "a,y\nlow,2\n", with(func(o *table.Options) { o.NoCategorical = true }),
			`t.csv:2:1: column "a": "low" is not a plain decimal number: correct it, or ignore the column (data.ignore), ` +
				`or code it (data.categorical)`},
		{"feature names collide", "a,a=x,y\nx,1,2\n", y, `t.csv: data: schema: the feature name "a=x" is used twice: rename a column`},
		{"51 levels", manyLevels(51), y,
			`t.csv:52:1: column "a" has more than 50 levels, too many for one feature each: ignore it (data.ignore) or code it (data.categorical)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := read(strings.NewReader(test.Cursor), "t.csv", test.opts)
			if err == nil {
				t.Fatalf("read %v, want the error %s", d, test.want)
			}
			testenv.Equal(t, err.Error(), test.want, "error\n%s\nwant\n", err)
			if !errors.As(err, new(*table.Error)) {
				t.Errorf("%T, want *Error", err)
			}
		})
	}
}

func manyLevels(n int) string {
	var b strings.Builder
	b.WriteString("a,y\n")
	for i := range n {
		b.WriteString("l" + strings.Repeat("x", i) + ",1\n")
	}
	return b.String()
}

func TestFaultFields(t *testing.T) {
	_, err := read(strings.NewReader("a,y\n1,2\n 1_000,2\n"), "t.csv", table.Options{Target: "y"})
	var fault *table.Error
	if !errors.As(err, &fault) {
		t.Fatalf("%v, want *Error", err)
	}
	if fault.File != "t.csv" || fault.Line != 3 || fault.Column != 1 || fault.Cell != " 1_000" {
		t.Errorf("fault %+v", *fault)
	}
}

func TestFileFaults(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.csv")
	_, err := Read(missing, table.Options{Target: "y"})
	if !errors.As(err, new(*table.Error)) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err = Read(t.TempDir(), table.Options{Target: "y"}); !errors.As(err, new(*table.Error)) {
		t.Errorf("a directory: %v", err)
	}
}

// A quote that is never closed must not pull the whole table into memory, nor must a line that never ends.
func TestGiantRecord(t *testing.T) {
	testenv.SkipRace(t)
	for _, test := range []struct{ name, head, fill, want string }{
		{"quote", "a,y\n1,\"", "1,2\n", "t.csv:2:3: a quote that is not closed within 16 MiB"},
		{"line", "a,y\n", "1,2\r", "t.csv:2:1: a row longer than 16 MiB: are the line ends missing?"},
	} {
		endless := &repeat{head: test.head, fill: test.fill, left: 1 << 30}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(endless, "t.csv", table.Options{Target: "y"})
		runtime.ReadMemStats(&after)
		testenv.Fails(t, err, test.want, "%s", test.name)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 200<<20 {
			t.Errorf("%s: allocated %d MiB", test.name, grown>>20)
		}
	}
}

// repeat is head, then fill over and over.
type repeat struct {
	head, fill string
	left       int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.head)
	r.head = r.head[n:]
	for n < len(p) {
		n += copy(p[n:], r.fill) // a cut fill is as good
	}
	r.left -= n
	return n, nil
}

func TestOptionFaults(t *testing.T) {
	for _, test := range []struct {
		opts table.Options
		want string
	}{
		{table.Options{}, "data.target: name the column to predict"},
		{table.Options{Target: "y", Delimiter: "pipe"}, `data.delimiter: "pipe": want auto, comma, semicolon or tab`},
		{table.Options{Target: "y", Missing: "median"}, `data.missing: "median": want error, drop, mean or own`},
		{table.Options{Target: "y", Features: []string{"a", "b"}, Ignore: []string{"b"}},
			`data.ignore: column "b" is already named by data.features`},
		{table.Options{Target: "y", Features: []string{"a", "a"}}, `data.features: column "a" is given twice`},
		{table.Options{Target: "y", Features: []string{"y"}}, `data.features: column "y" is already named by data.target`},
		{table.Options{Target: "y", Weight: "y"}, `data.weight: column "y" is already named by data.target`},
		{table.Options{Target: "y", Categorical: map[string]table.Coding{"y": {Encoding: table.OneHot}}},
			`data.categorical: column "y" is not a feature: data.target names it`},
		{table.Options{Target: "y", Features: []string{"a"}, Categorical: map[string]table.Coding{"b": {Encoding: table.OneHot}}},
			`data.categorical: column "b" is not in data.features`},
		{table.Options{Target: "y", Categorical: map[string]table.Coding{"b": {Encoding: "hash"}}},
			`data.categorical: column "b": coding "hash": want onehot, ordinal, ranked or numeric`},
		{table.Options{Target: "y", Categorical: map[string]table.Coding{"b": {Encoding: table.OneHot, Levels: []string{"u"}}}},
			`data.categorical: column "b": levels apply to ordinal coding only`},
		{table.Options{Target: "y", Categorical: map[string]table.Coding{"b": {Encoding: table.Ordinal, Levels: []string{"u", "NA"}}}},
			`data.categorical: column "b": level "NA" reads as a missing value`},
		{table.Options{Target: "y", Categorical: map[string]table.Coding{"b": {Encoding: table.Ordinal, Levels: []string{"u", "u"}}}},
			`data.categorical: column "b": level "u" is given twice`},
		{table.Options{Target: "y", Limits: limitsOf("y", 0, 1)}, `data.limits: column "y" is not a feature: data.target names it`},
		{table.Options{Target: "y", Features: []string{"a"}, Limits: limitsOf("b", 0, 1)}, `data.limits: column "b" is not in data.features`},
		{table.Options{Target: "y", Limits: limitsOf("a", 1, 1)},
			`data.limits: column "a": the limits 1 and 1: the first must be below the second`},
		{table.Options{Target: "y", Limits: limitsOf("a", math.Inf(-1), math.Inf(1))},
			`data.limits: column "a": no limit: give a least or a greatest number, such as [0, 5000] or [0, ~]`},
		{table.Options{Target: "y", Limits: limitsOf("a", 0, 1), Categorical: map[string]table.Coding{"a": {Encoding: table.OneHot}}},
			`data.limits: column "a" is onehot, and not numbers`},
	} {
		_, err := Read("none.csv", test.opts)
		testenv.Fails(t, err, test.want)
		if errors.As(err, new(*table.Error)) {
			t.Errorf("%v is a fault of the options, yet an *Error", err)
		}
	}
}

// limitsOf are the limits of one column.
func limitsOf(column string, low, high float64) map[string]*table.Limits {
	return map[string]*table.Limits{column: table.NewLimits(low, high)}
}

// TestLimits: cells beyond the limits of a column count as the limit, in training and by the schema, and are counted; missing cells stay.
func TestLimits(t *testing.T) {
	path := writeFile(t, "t.csv", "a,b,y\n-1,5,1\n0.5,9,2\n7,-9,3\n,1,4\n")
	o := table.Options{Target: "y", Missing: "mean",
		Limits: map[string]*table.Limits{"a": table.NewLimits(0, 2), "b": table.NewLimits(0, math.Inf(1))}}
	d := testenv.Must(Read(path, o))
	again := testenv.Must(ReadAs(path, d.Schema, table.Options{Missing: "mean"}))
	for _, d := range []*Dataset{d, again} {
		if got := fmt.Sprint(d.X, d.Missing.Limited, d.Missing.Cells); got != "[[0 5] [0.5 9] [2 0] [NaN 1]] map[a:2 b:1] 1" {
			t.Error(got)
		}
	}
	_, err := Read(writeFile(t, "w.csv", "a,y\nu,2\nv,3\n"), table.Options{Target: "y", Limits: limitsOf("a", 0, 1)})
	testenv.Fails(t, err, `data.limits: column "a" has categories, and not numbers`)
}
