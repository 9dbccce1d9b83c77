package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// readCells returns all cells of a table, and the numbers of its rows.
func readCells(t *testing.T, r io.Reader) (rows []string, lines []int) {
	t.Helper()
	src := testenv.Must(open("t", r, 0))
	defer src.Close()
	var b table.Block
	for {
		err := src.Next(&b)
		if err == io.EOF {
			return rows, lines
		}
		testenv.OK(t, err)
		for i := range b.Rows {
			var row []string
			for _, v := range b.Columns {
				if v.Numbers != nil {
					row = append(row, table.NumberText(v.Numbers[i]))
				} else {
					row = append(row, v.Cells[i])
				}
			}
			rows, lines = append(rows, strings.Join(row, "|")), append(lines, b.Lines[i])
		}
	}
}

// The groups of a file, read one by one, are its rows, and nothing of the file is read beyond the bytes that Groups states.
func TestGroups(t *testing.T) {
	var text, out bytes.Buffer
	text.WriteString("a,w\n")
	for i := range 150_000 { // three row groups
		fmt.Fprintf(&text, "%d,w%d\n", i, i%7)
	}
	in := table.Input{Name: "t.csv", Reader: &text}
	testenv.OK(t, table.Convert(&out, table.Writable("t.parquet"), in, table.Conversion{Numbers: []string{"a"}}))
	size := int64(out.Len())
	content := bytes.NewReader(out.Bytes())
	groups, apart, err := Groups("t", content, size)
	if err != nil || len(groups) != 3 || !apart {
		t.Fatalf("%+v, %v, %v", groups, apart, err)
	}
	want, _ := readCells(t, io.NewSectionReader(content, 0, size))
	var got []string
	for i, g := range groups {
		var tail [8]byte
		copy(tail[:], out.Bytes()[size-8:])
		some := &sparse{content, [][2]int64{{0, 8}, {g.Start, g.End}, {size - 8 - int64(binary.LittleEndian.Uint32(tail[:])), size}}}
		rows, _ := readCells(t, &Excerpt{io.NewSectionReader(some, 0, size), i, i + 1})
		testenv.Equal(t, int64(len(rows)), g.Rows, "group %d has %d rows, want", i, len(rows))
		got = append(got, rows...)
	}
	testenv.Equal(t, got, want, "the rows of the groups are not those of the file")
	if _, err := open("t", &Excerpt{io.NewSectionReader(content, 0, size), 2, 4}, 0); err == nil ||
		!strings.Contains(err.Error(), "it has 3 row groups, and groups 3 to 4 are wanted") {
		t.Error(err)
	}
}

// sparse fails where it has no content.
type sparse struct {
	io.ReaderAt
	have [][2]int64
}

func (s *sparse) ReadAt(b []byte, at int64) (int, error) {
	for _, h := range s.have {
		if h[0] <= at && at+int64(len(b)) <= h[1] {
			return s.ReaderAt.ReadAt(b, at)
		}
	}
	return 0, fmt.Errorf("bytes %d to %d are not there: %v", at, at+int64(len(b)), s.have)
}

// A column of numbers that turns into text makes groups depend on one another, unless statistics say that it does not.
func TestGroupsApart(t *testing.T) {
	type row struct {
		ID int64 `parquet:"id"`
	}
	write := func(last int64, options ...pq.WriterOption) []byte {
		var b bytes.Buffer
		w := pq.NewGenericWriter[row](&b, options...)
		for i, id := range []int64{1, 2, last} {
			if _, err := w.Write([]row{{id}}); err != nil {
				t.Fatal(err)
			}
			if i == 1 {
				testenv.OK(t, w.Flush())
			}
		}
		testenv.OK(t, w.Close())
		return b.Bytes()
	}
	for name, test := range map[string]struct {
		file []byte
		want bool
	}{
		"small":              {write(3), true},
		"exact":              {write(1 << 53), true},
		"not exact":          {write(1<<53 + 1), false},
		"without statistics": {write(3, pq.SkipPageBounds("id")), false},
	} {
		groups, apart, err := Groups("t", bytes.NewReader(test.file), int64(len(test.file)))
		if err != nil || len(groups) != 2 || apart != test.want {
			t.Errorf("%s: %+v, %v, %v", name, groups, apart, err)
		}
	}
	content := write(3)
	if _, _, err := Groups("t", bytes.NewReader(content[:len(content)-9]), int64(len(content)-9)); err == nil {
		t.Error("a file that is cut off has groups")
	}
}
