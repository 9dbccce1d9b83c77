package data

import (
	"context"
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// filesIn writes files to a new directory and returns its path.
func filesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A pattern and a list stand for their files; a name that exists is a file.
func TestFiles(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{"b-2.csv": "", "b-10.csv": "", "a.csv": "", "c[1].csv": "", "{x,y}": ""}))
	for name, want := range map[string][]string{
		"a.csv":         {"a.csv"},
		"none.csv":      {"none.csv"},
		"-":             {"-"},
		"b-*.csv":       {"b-10.csv", "b-2.csv"},
		"c[1].csv":      {"c[1].csv"},
		"{x,y}":         {"{x,y}"},
		"{b-*.csv,a.*}": {"b-10.csv", "b-2.csv", "a.csv"},
		"typed:a*":      {"typed:a*"},
	} {
		if got, err := table.Files(name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		"z*":            "z*: no file matches this pattern: correct it",
		"[":             "[: the pattern of file names is not valid: correct it",
		"{a.csv,a.csv}": `{a.csv,a.csv}: the file "a.csv" is named twice: remove one`,
		"{a.csv,-}":     `{a.csv,-}: a list of tables has files only: remove "-"`,
	} {
		if _, err := table.Files(name); err == nil || err.Error() != want || !errors.As(err, new(*table.Error)) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for name, want := range map[string]string{"b-*.csv": "b", "{a.csv,b-2.csv}": "a", "runs/*.csv": "runs", "-": "stdin", "a.csv.gz": "a"} {
		if got := (Source{Path: name}).Name(); got != want {
			t.Errorf("the name of %s is %q, want %q", name, got, want)
		}
	}
}

// Files of one table are read as one, whatever the order of their columns, their delimiter and their compression: as a data set, a
// stream, a survey and parts.
func TestSeveralFiles(t *testing.T) {
	rows := strings.Repeat("1,u,2\n2.5,v,3\n", 5000)
	dir := filesIn(t, map[string]string{
		"all.csv":  "a,k,y\n" + rows + "3,u,4\n0.5,v,5\n",
		"p-1.csv":  "a,k,y\n" + rows,
		"p-2.csv":  string(compressed(t, "gzip", "y;k;a\n4;u;3\n")),
		"p-3.csv":  "a,k,y\n",
		"p-4.csv":  string(compressed(t, "zstd", "k\ta\ty\nv\t0.5\t5\n")),
		"empty.md": "",
	})
	want, err := Read(filepath.Join(dir, "all.csv"), table.Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	s := Source{Path: filepath.Join(dir, "p-*.csv"), Options: table.Options{Target: "y"}, Split: Split{Kind: "chronological", Train: 0.5}}
	if d, err := Read(s.Path, s.Options); err != nil || !reflect.DeepEqual(d, want) {
		t.Fatalf("not the table it was, %v", err)
	}
	p, err := s.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if files := s.Unhashed(p); len(files) != 4 || files[3] != filepath.Join(dir, "p-4.csv") {
		t.Errorf("to be hashed: %q", files)
	}
	out := t.TempDir()
	if err := s.WriteParts(out, p); err != nil {
		t.Fatal(err)
	}
	if part, err := os.ReadFile(filepath.Join(out, "test.csv")); err != nil || !strings.HasSuffix(string(part), "2.5,v,3\n3,u,4\n0.5,v,5\n") {
		t.Errorf("test.csv ends with %q, %v", part[max(0, len(part)-30):], err)
	}
	if survey, err := LookAt(table.Input{Name: s.Path}, ""); err != nil || survey.Rows != 10_002 {
		t.Errorf("%+v, %v", survey, err)
	}
	r, err := table.NewReader(table.Input{Name: s.Path}, want.Schema, table.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var batches []table.Batch // all are parsed after the last was read
	for {
		var b table.Batch
		err := r.Next(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, b)
	}
	var x [][]float64
	for i := range batches {
		if err := batches[i].Parse(); err != nil {
			t.Fatal(err)
		}
		x = append(x, batches[i].X...)
	}
	if last := batches[len(batches)-1]; !reflect.DeepEqual(x, want.X) || last.Records[0] != "0.5,v,5" || last.File != filepath.Join(dir, "p-4.csv") {
		t.Errorf("%d rows, the last %q of %s", len(x), last.Records, last.File)
	}
}

// A fault names the file and its line.
func TestSeveralFaults(t *testing.T) {
	good := "a,k,y\n1,u,2\n1,v,2\n2,u,3\n"
	for content, want := range map[string]string{
		"y,a,k\n1,2,u\n1,x2,u\n": `2.csv:3:3: column "a": "x2" is not a plain decimal number: correct it, or ignore the column (data.ignore), or code it (data.categorical)`,
		"a,k,y\n1,u\n":           "2.csv:2:4: the row has 2 cells, the header 3: is the row cut off?",
		"a,kk,y\n1,u,2\n":        `2.csv:1: the table has no column "k", which 1.csv has (its columns: "a", "kk", "y")`,
		"a,k,y,z\n1,u,2,3\n":     `2.csv:1: column "z" is not in 1.csv: all files of a table have the same columns, in any order`,
		"a,k,y,y\n1,u,2,3\n":     `2.csv:1: column "y" is not in 1.csv: all files of a table have the same columns, in any order`,
		"":                       "2.csv:1: the table is empty: want a header row and data rows",
	} {
		t.Chdir(filesIn(t, map[string]string{"1.csv": good, "2.csv": content}))
		_, err := Read("*.csv", table.Options{Target: "y"})
		if err == nil || err.Error() != want || !errors.As(err, new(*table.Error)) {
			t.Errorf("%q:\n%v, want\n%s", content, err, want)
		}
	}
	t.Chdir(filesIn(t, map[string]string{"1.csv": "a,a,y\n1,1,2\n", "2.csv": good}))
	if _, err := Read("*.csv", table.Options{Target: "y"}); err == nil || !strings.HasPrefix(err.Error(), "1.csv:1:3: columns 1 and 2 have the same name") {
		t.Error(err)
	}
	if _, err := Read("{2.csv,3.csv}", table.Options{Target: "y"}); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "3.csv: ") {
		t.Error(err)
	}
}

// Files of different formats are one table: numbers of one are texts of the other.
func TestSeveralFormats(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{"1.csv": "word,x,kind,y\nc,7,10,8\n", "2.typed": "", "3.csv": "x,kind,word,y\n7,10,c,8\n"}))
	opts := typedOptions
	opts.Query = ""
	d, err := Read("*", opts)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Y, []float64{8, 0, 1, 2, 3, 4, 8}) || !slices.Equal(d.X[0], []float64{0, 1, 7, 1, 0}) || !slices.Equal(d.X[6], d.X[0]) {
		t.Errorf("%v, %v", d.X, d.Y)
	}
}
