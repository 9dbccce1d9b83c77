package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// However a table begins and ends its lines, and in whatever pieces it comes, its rows and their lines are the same.
func TestBeginnings(t *testing.T) {
	for name, content := range map[string]string{
		"plain":                          "c;a\nlow;1\nhigh;2\n",
		"two byte order marks":           "\ufeff\ufeffc;a\nlow;1\nhigh;2\n",
		"CR":                             "c;a\rlow;1\rhigh;2\r",
		"CR, no last line end":           "c;a\rlow;1\rhigh;2",
		"CR, quoted":                     "\"c\";a\rlow;\"1\"\rhigh;2\r",
		"byte order mark and CRLF":       "\ufeffc;a\r\nlow;1\r\nhigh;2\r\n",
		"columns without names":          ";c;a;;\nr1;low;1;;\nr2;high;2; ;\n",
		"names like the magic of others": "PAR1;c;a\n1;low;1\n2;high;2\n",
	} {
		for how, in := range map[string]io.Reader{"at once": strings.NewReader(content), "byte by byte": iotest.OneByteReader(strings.NewReader(content))} {
			b, _, err := readBatches(in, readerSchema, table.ReaderOptions{})
			if err != nil {
				t.Errorf("%s %s: %v", name, how, err)
				continue
			}
			if want := [][]float64{{1, 0, 0, 1}, {2, 0, 0, 2}}; !reflect.DeepEqual(b.X, want) {
				t.Errorf("%s %s: %v, want %v", name, how, b.X, want)
			}
			if want := []int{2, 3}; !reflect.DeepEqual(b.Lines, want) {
				t.Errorf("%s %s: lines %v, want %v", name, how, b.Lines, want)
			}
		}
	}
}

// The line by which Excel names the delimiter is not the header; data.delimiter overrules it.
func TestSeparatorLine(t *testing.T) {
	for _, test := range []struct{ Cursor, delimiter string }{
		{"sep=;\n\"b,c,d\";a;y\n1;2;3\n", "auto"},
		{"\ufeffSEP=;\r\nb,c,d;a;y\r\n1;2;3\r\n", "auto"},
		{"\"sep=;\"\rb,c,d;a;y\r1;2;3\r", ""},
		{"sep=,\nb,c,d;a;y\n1;2;3\n", "semicolon"},
		{"sep=|\nb,c,d;a;y\n1;2;3\n", "semicolon"},
		{"sep=\t\nb;c\ta\ty\n1\t2\t3\n", "auto"},
	} {
		d, err := read(strings.NewReader(test.Cursor), "t.csv", table.Options{Target: "y", Delimiter: test.delimiter})
		if err != nil {
			t.Errorf("%q: %v", test.Cursor, err)
		} else if !reflect.DeepEqual(d.X, [][]float64{{1, 2}}) || d.Y[0] != 3 || d.Rows[0] != 1 {
			t.Errorf("%q: %v %v", test.Cursor, d.X, d.Y)
		}
	}
}
