package csv

import (
	"encoding/csv"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func scanAll(text string) (records [][]string, raw string, err error) {
	in, err := newCutter(strings.NewReader(text), "t.csv")
	if err != nil {
		return nil, "", err
	}
	s := &scanner{name: "t.csv", delim: ','}
	for {
		if err := s.fetch(); err == io.EOF {
			next, err := in.next()
			if err == io.EOF {
				return records, raw, nil
			} else if err != nil {
				return nil, "", err
			}
			s.open(next)
			continue
		} else if err != nil {
			return nil, "", err
		}
		raw += s.raw
		if err := s.split(); err != nil {
			return nil, "", err
		}
		records = append(records, append([]string(nil), s.cells...))
	}
}

// What encoding/csv writes is read as it was, and what both readers accept they read alike.
func TestScannerAgreesWithEncodingCSV(t *testing.T) {
	cell := rapid.StringOf(rapid.SampledFrom([]rune("ab1 ,;\"\n\té")))
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(rapid.SliceOfN(cell, 2, 4), 1, 5).Draw(t, "records")
		var b strings.Builder
		testenv.OK(t, csv.NewWriter(&b).WriteAll(records))
		got, raw, err := scanAll(b.String())
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if !reflect.DeepEqual(got, records) {
			t.Fatalf("read %q, want %q", got, records)
		}
		if raw != b.String() {
			t.Fatalf("raw %q, want %q", raw, b.String())
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a1 ,\"\n"))).Draw(t, "text")
		got, _, err := scanAll(text)
		std := csv.NewReader(strings.NewReader(text))
		std.FieldsPerRecord = -1
		want, stdErr := std.ReadAll()
		if stdErr != nil {
			return // blanks around quotes are an error there
		}
		if err != nil {
			t.Fatalf("%q: %v, encoding/csv reads %q", text, err, want)
		}
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: read %q, encoding/csv %q", text, got, want)
		}
	})
}

// Lines longer than the reader's buffer, quoted or not.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	text := long + ",1\n\"" + long + "\n\"\"" + long + "\",2\nb,3\n"
	got, raw, err := scanAll(text)
	testenv.OK(t, err)
	want := [][]string{{long, "1"}, {long + "\n\"" + long, "2"}, {"b", "3"}}
	if !reflect.DeepEqual(got, want) || raw != text {
		t.Error("long lines are not read as they are")
	}
}

// TestHeaderPlaces: the cells of a header have their places, in a cell of two lines too.
func TestHeaderPlaces(t *testing.T) {
	src := testenv.Must(open("t.csv", strings.NewReader("\na,\"b\nc\",d\n1,2,3\n"), ','))
	want := []table.Place{{Line: 2, Column: 1}, {Line: 2, Column: 3}, {Line: 3, Column: 4}}
	testenv.Equal(t, src.Header().Places, want, "places")
}
