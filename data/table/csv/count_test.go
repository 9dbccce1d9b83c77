package csv

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// pieces are what texts of tests consist of: empty lines, quotes anywhere, all line ends, byte order marks.
var pieces = []string{"a", "b", ",", ",", `"`, `""`, `"`, "\n", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", " ", "é", byteOrderMark,
	"sep=;\n", "x,y\n"}

// record is a record as the format finds it.
type record struct {
	raw  string
	line int
}

// recordsOf finds the records of a text that are not empty lines; it does not split them.
func recordsOf(t *rapid.T, text string) (records []record) {
	in := testenv.Must(newCutter(strings.NewReader(text), "t.csv"))
	s := &scanner{name: "t.csv", delim: ','}
	for {
		switch err := s.fetch(); err {
		case nil:
			records = append(records, record{s.raw, s.line})
			continue
		case io.EOF:
		default:
			t.Fatal(err)
		}
		next, err := in.next()
		if err == io.EOF {
			return records
		} else if err != nil {
			t.Fatal(err)
		}
		s.open(next)
	}
}

// However a text is cut into ranges, and these into writes, the rows between the borders that the counts give are those of the text,
// with their numbers and lines.
func TestBorders(t *testing.T) {
	cut := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 60).Draw(t, "pieces"), "")
		begun, err := Begin("t.csv", strings.NewReader(text), 0)
		if err != nil || strings.HasPrefix(begun.Header, byteOrderMark) { // package data refuses such a name
			return
		}
		all := recordsOf(t, text)
		rows := all[min(begun.Records, len(all)):]
		counted := text[begun.Marks:]
		if begun.Returns {
			counted = strings.ReplaceAll(counted, "\r", "\n")
		}
		cuts := append(rapid.SliceOfN(rapid.IntRange(0, len(counted)), 0, 8).Draw(t, "cuts"), 0, len(counted))
		slices.Sort(cuts)

		var found Borders
		var borders []Border
		for i, end := range cuts[1:] {
			var c Counter
			for _, b := range []byte(counted[cuts[i]:end]) {
				_, _ = c.Write([]byte{b})
			}
			var whole Counter
			if _, _ = whole.Write([]byte(counted[cuts[i]:end])); whole.Counts() != c.Counts() {
				t.Fatalf("%q: %+v by bytes, %+v in one write", counted[cuts[i]:end], c.Counts(), whole.Counts())
			}
			if b, ok := found.Add(c.Counts()); ok && b.Records >= int64(begun.Records) {
				borders = append(borders, b)
			}
		}
		last := found.End()
		if int(last.Records) != len(all) || int(last.Offset) != len(counted) {
			t.Fatalf("%q: %+v at the end, want %d records", text, last, len(all))
		}
		for i, b := range borders {
			cut++
			end := last
			if i+1 < len(borders) {
				end = borders[i+1]
			}
			before := int(b.Records) - begun.Records
			want := rows[before : int(end.Records)-begun.Records]
			got := recordsOf(t, begun.Header+counted[b.Offset:end.Offset])[begun.Records:]
			for k := range got {
				got[k].line += int(b.Lines) - begun.Lines()
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q from %+v to %+v: %+v, want %+v", text, b, end, got, want)
			}
		}
	})
	if cut < 10 { // of 100 tables; seldom below 60
		t.Errorf("only %d borders were tested", cut)
	}
}

// The counts of a text are those of its halves, and line ends within quotes are none of records.
func TestCounter(t *testing.T) {
	var c Counter
	if _, err := c.Write([]byte("x\n\r\n\n\"q\n\"\ny")); err != nil {
		t.Fatal(err)
	}
	want := Counts{Bytes: 11, Lines: 5, In: [2]Ends{
		{First: 2, FirstLines: 1, Records: 1, Head: Content, Tail: Content},
		{First: 8, FirstLines: 4, Head: Content, Tail: Content},
	}}
	testenv.Equal(t, c.Counts(), want)
	var b Borders
	first, ok := b.Add(c.Counts())
	if end := b.End(); !ok || first != (Border{2, 1, 1}) || end != (Border{11, 5, 3}) {
		t.Errorf("%+v, %v, %+v", first, ok, end)
	}
}

// BenchmarkCounter counts a table without quotes, and one in which every cell is quoted.
func BenchmarkCounter(b *testing.B) {
	for name, row := range map[string]string{"plain": "12.5,3.25,-7,0.125,9981,abc,4.5\n",
		"quoted": `"12.5","3.25","-7","0.125","9981","abc"` + "\n"} {
		text := bytes.Repeat([]byte(row), 1<<20/len(row))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var c Counter
				_, _ = c.Write(text)
			}
		})
	}
}
