package data_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // the tests of package data read tables of this format
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// parsed reads a table of the columns a and b.
func parsed(in table.Input) (lines []int, marks table.Marks, err error) {
	schema := table.Schema{Target: "y", Columns: []table.Column{{Name: "a", Encoding: table.Numeric}, {Name: "b", Encoding: table.Numeric}}}
	r, err := table.NewReader(in, schema, table.ReaderOptions{})
	if err != nil {
		return nil, marks, err
	}
	defer r.Close()
	var b table.Batch
	for {
		err := r.Next(&b)
		if err == nil {
			err = b.Parse()
			lines = append(lines, b.Lines...)
		}
		if err == io.EOF {
			return lines, r.Marks(), nil
		}
		if err != nil {
			return lines, marks, err
		}
	}
}

// The lines of an excerpt, in faults too, are those of the table; a fault of the header is where the header is.
func TestLinesBefore(t *testing.T) {
	of := func(text string) ([]int, error) {
		lines, _, err := parsed(table.Input{Name: "t.csv", Reader: strings.NewReader(text), LinesBefore: 100})
		return lines, err
	}
	if lines, err := of("a,b\n1,2\n\n3,4\n"); err != nil || !slices.Equal(lines, []int{102, 104}) {
		t.Error(lines, err)
	}
	for text, want := range map[string]string{
		"a,b\n1,2\n3,x\n":  `t.csv:103:3: column "b"`,
		"a,b\n1,2\n3\n":    "t.csv:103:2: the row has 1 cells",
		"a,b\n1,2\n3,\"x":  "t.csv:103:3: a quote that is not closed",
		"a,b,\"c\n1,2,3\n": "t.csv:1:5: a quote",
		"a,c\n1,2\n":       "t.csv:1: a column of the model: the table has no column",
	} {
		if _, err := of(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The marks of the parts of a table, sent as JSON, say what those of the table say, also where a part alone would be ambiguous.
func TestMarks(t *testing.T) {
	rows := []string{"1,234;5\n", "999;6\n", "1,5;7\n", "2;8.5\n"}
	for _, test := range []struct {
		Rows []string
		want string
	}{
		{rows, `["a"]`},
		{rows[:2], "t.csv:2:1: column \"a\": \"1,234\" has a thousands separator"},
		{append(slices.Clone(rows), "3.25;1\n"), "t.csv:6:1: column \"a\": numbers with a point"},
	} {
		whole := commasOf(t, []string{strings.Join(test.Rows, "")})
		if got := commasOf(t, test.Rows); got != whole || !strings.HasPrefix(got, test.want) {
			t.Errorf("%q of the parts, %q of the table, want %q", got, whole, test.want)
		}
	}
	var empty table.Marks
	if commas, err := empty.Add(empty).Commas(); commas != nil || err != nil {
		t.Error(commas, err)
	}
}

// commasOf returns what the marks of the parts of a table with the columns a;b say together.
func commasOf(t *testing.T, parts []string) string {
	t.Helper()
	var all table.Marks
	before := 0
	for _, part := range parts {
		_, marks, err := parsed(table.Input{Name: "t.csv", Reader: strings.NewReader("a;b\n" + part), LinesBefore: before})
		testenv.OK(t, err)
		text := testenv.Must(json.Marshal(marks))
		var sent table.Marks
		testenv.OK(t, json.Unmarshal(text, &sent))
		all = all.Add(sent)
		before += strings.Count(part, "\n")
	}
	commas, err := all.Commas()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q", commas)
}

func ExampleSource() {
	parts, err := data.Source{Builtin: "mackey-glass"}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parts.Train.Schema.Features(), "->", parts.Train.Schema.Target)
	fmt.Println(parts.Train.Len(), "for training,", parts.Test.Len(), "for test")
	// Output:
	// [x(t-18) x(t-12) x(t-6) x(t)] -> x(t+6)
	// 500 for training, 500 for test
}

func ExampleRead() {
	dir, err := os.MkdirTemp("", "data")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "abalone.csv")
	content := "sex,length,rings\nM,0.455,15\nF,0.53,9\nI,0.33,7\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		log.Fatal(err)
	}

	d, err := data.Read(path, table.Options{Target: "rings"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Schema.Features())
	for i, x := range d.X {
		fmt.Println(x, d.Y[i])
	}
	// Output:
	// [sex=F sex=I sex=M length]
	// [0 0 1 0.455] 15
	// [1 0 0 0.53] 9
	// [0 1 0 0.33] 7
}
