package data

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tskgraph/tskgraph/internal/base/decompress"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// filesIn writes files to a new directory and returns its path.
func filesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
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
		testenv.Equal(t, (Source{Path: name}).Name(), want, "the name of %s is", name)
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
	want := testenv.Must(Read(filepath.Join(dir, "all.csv"), table.Options{Target: "y"}))
	s := Source{Path: filepath.Join(dir, "p-*.csv"), Options: table.Options{Target: "y"}, Split: Split{Kind: "chronological", Train: 0.5}}
	if d, err := Read(s.Path, s.Options); err != nil || !reflect.DeepEqual(d, want) {
		t.Fatalf("not the table it was, %v", err)
	}
	p := testenv.Must(s.Load(context.Background()))
	if files := s.Unhashed(p); len(files) != 4 || files[3] != filepath.Join(dir, "p-4.csv") {
		t.Errorf("to be hashed: %q", files)
	}
	out := t.TempDir()
	testenv.OK(t, s.WriteParts(out, p))
	if part, err := os.ReadFile(filepath.Join(out, "test.csv")); err != nil || !strings.HasSuffix(string(part), "2.5,v,3\n3,u,4\n0.5,v,5\n") {
		t.Errorf("test.csv ends with %q, %v", part[max(0, len(part)-30):], err)
	}
	if survey, err := LookAt(table.Input{Name: s.Path}, ""); err != nil || survey.Rows != 10_002 {
		t.Errorf("%+v, %v", survey, err)
	}
	r := testenv.Must(table.NewReader(table.Input{Name: s.Path}, want.Schema, table.ReaderOptions{}))
	defer r.Close()
	var batches []table.Batch // all are parsed after the last was read
	for {
		var b table.Batch
		err := r.Next(&b)
		if err == io.EOF {
			break
		}
		testenv.OK(t, err)
		batches = append(batches, b)
	}
	var x [][]float64
	for i := range batches {
		testenv.OK(t, batches[i].Parse())
		x = append(x, batches[i].X...)
	}
	if last := batches[len(batches)-1]; !reflect.DeepEqual(x, want.X) || last.Records[0] != "0.5,v,5" ||
		last.File != filepath.Join(dir, "p-4.csv") {
		t.Errorf("%d rows, the last %q of %s", len(x), last.Records, last.File)
	}
}

// A fault names the file and its line.
func TestSeveralFaults(t *testing.T) {
	good := "a,k,y\n1,u,2\n1,v,2\n2,u,3\n"
	for content, want := range map[string]string{
		"y,a,k\n1,2,u\n1,x2,u\n": `2.csv:3:3: column "a": "x2" is not a plain decimal number: correct it, ` +
			`or ignore the column (data.ignore), or code it (data.categorical)`,
		"a,k,y\n1,u\n":       "2.csv:2:4: the row has 2 cells, the header 3: is the row cut off?",
		"a,kk,y\n1,u,2\n":    `2.csv:1: the table has no column "k", which 1.csv has (its columns: "a", "kk", "y")`,
		"a,k,y,z\n1,u,2,3\n": `2.csv:1: column "z" is not in 1.csv: all files of a table have the same columns, in any order`,
		"a,k,y,y\n1,u,2,3\n": `2.csv:1: column "y" is not in 1.csv: all files of a table have the same columns, in any order`,
		"":                   "2.csv:1: the table is empty: want a header row and data rows",
	} {
		t.Chdir(filesIn(t, map[string]string{"1.csv": good, "2.csv": content}))
		_, err := Read("*.csv", table.Options{Target: "y"})
		if err == nil || err.Error() != want || !errors.As(err, new(*table.Error)) {
			t.Errorf("%q:\n%v, want\n%s", content, err, want)
		}
	}
	t.Chdir(filesIn(t, map[string]string{"1.csv": "a,a,y\n1,1,2\n", "2.csv": good}))
	if _, err := Read("*.csv", table.Options{Target: "y"}); err == nil ||
		!strings.HasPrefix(err.Error(), "1.csv:1:3: columns 1 and 2 have the same name") {
		t.Error(err)
	}
	if _, err := Read("{2.csv,3.csv}", table.Options{Target: "y"}); !errors.Is(err, os.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "3.csv: ") {
		t.Error(err)
	}
}

// Files of different formats are one table: numbers of one are texts of the other.
func TestSeveralFormats(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{"1.csv": "word,x,kind,y\nc,7,10,8\n", "2.typed": "", "3.csv": "x,kind,word,y\n7,10,c,8\n"}))
	opts := typedOptions
	opts.Query = ""
	d := testenv.Must(Read("*", opts))
	if !slices.Equal(d.Y, []float64{8, 0, 1, 2, 3, 4, 8}) || !slices.Equal(d.X[0], []float64{0, 1, 7, 1, 0}) || !slices.Equal(d.X[6], d.X[0]) {
		t.Errorf("%v, %v", d.X, d.Y)
	}
}

// A table that is appended to, cut off or written over before its end is reached is refused: its last row may be half
// of one. One that is left alone is read.
func TestChangeWhileRead(t *testing.T) {
	content := "a,y\n" + strings.Repeat("1,2\n2,3\n", 40_000)
	for _, test := range []struct {
		name   string
		change func(path string) error
		want   string
	}{
		{"left alone", func(string) error { return nil }, ""},
		{"grown", func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("3,4")
			return errors.Join(err, f.Close())
		}, "changed"},
		{"cut off", func(path string) error { return os.Truncate(path, int64(len(content)-8)) }, "changed"},
		{"written over", func(path string) error {
			later := time.Now().Add(time.Second)
			return errors.Join(os.WriteFile(path, []byte(strings.ReplaceAll(content, "3", "4")), 0), os.Chtimes(path, later, later))
		}, "changed"},
	} {
		path := writeFile(t, "t.csv", content)
		f, err := table.OpenFile(path, false)
		testenv.OK(t, err)
		defer f.Close()
		in := io.MultiReader(io.LimitReader(f, 100_000), &hook{do: func() { err = test.change(path) }}, f)
		d, readErr := read(in, path, table.Options{Target: "y"})
		testenv.OK(t, err)
		switch {
		case test.want == "" && (readErr != nil || d.Len() != 80_000):
			t.Errorf("%s: %v", test.name, readErr)
		case test.want != "" && (readErr == nil || !strings.HasSuffix(readErr.Error(),
			": the table cannot be read: "+table.ErrChanged.Error()) || !errors.As(readErr, new(*table.Error))):
			t.Errorf("%s: read %v, error %v", test.name, d != nil, readErr)
		}
	}
}

// hook does something when it is read, and is empty.
type hook struct{ do func() }

func (h *hook) Read([]byte) (int, error) {
	if h.do != nil {
		h.do()
		h.do = nil
	}
	return 0, io.EOF
}

// A name and its query are checked before a database is reached, and no message contains a name that may hold a password.
func TestCheckDatabase(t *testing.T) {
	ordered := typedOptions.Query
	for _, test := range []struct {
		source Source
		want   string
	}{
		{Source{Path: "typed:table", Options: table.Options{Query: ordered}}, ""},
		{Source{Path: "typed:table"},
			"data.query: a database needs a query: one SELECT of the columns and rows to read (--query of init, predict and evaluate)"},
		{Source{Path: "typed:table", Options: table.Options{Query: " \n"}},
			"data.query: a database needs a query: one SELECT of the columns and rows to read (--query of init, predict and evaluate)"},
		{Source{Path: "Typed:secret", Options: table.Options{Query: ordered}}, "data.path: it has a password"},
		{Source{Path: "mysql://u:secret@h/db", Options: table.Options{Query: ordered}},
			`data.path: no registered format reads tables at "mysql://": correct it, or import the package of its format`},
		{Source{Path: "t.csv", Options: table.Options{Query: ordered}},
			"data.query: applies to a database only: set data.path to one, such as postgres://HOST/DATABASE or sqlite:FILE"},
		{Source{Path: "t.csv", TestPath: "typed:secret"},
			"data.test_path: want a file: mark the test rows of a database in a column of its query (split: column)"},
		{Source{Path: "typed:table", Options: table.Options{Query: "SELECT * FROM border_by"}},
			"data.query: without ORDER BY the rows may come in another order each time, and the split depends on their order: end the query " +
				"with ORDER BY and columns that no two rows share"},
	} {
		test.source.Target = "y"
		if err := test.source.Validate(); err == nil && test.want != "" || err != nil && err.Error() != test.want &&
			!slices.ContainsFunc(apart(err), func(e error) bool { return e.Error() == test.want }) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// An ended context ends the query.
func TestQueryEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := table.Input{Name: "typed:table", Query: typedOptions.Query, Context: ctx}
	if _, err := LookAt(in, ""); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := LookAt(in, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A source knows its files, and a short name for a database.
func TestSourceOfDatabase(t *testing.T) {
	for path, want := range map[string][]string{"typed:table": {"t.csv"}, "a.csv": {"a.csv", "t.csv"}} {
		testenv.Equal(t, (Source{Path: path, TestPath: "t.csv"}).Unhashed(&Parts{Train: &Dataset{}}), want, "files")
	}
	for path, want := range map[string]string{
		"typed:dir/plants.v1.db": "plants.v1", "typed://host:5432/plants?sslmode=disable": "plants", "typed://?service=x": "typed",
		"typed:":                 "typed",
		`typed:C:\dir\plants.db`: "plants", "typed://host": "host",
	} {
		testenv.Equal(t, (Source{Path: path}).Name(), want, "%s is named", path)
	}
}

// compressed returns texts as streams one after the other, as cat of several files gives them.
func compressed(t *testing.T, kind string, texts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		var w io.WriteCloser = gzip.NewWriter(&b)
		if kind == "zstd" {
			z := testenv.Must(zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1)))
			w = z
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		testenv.OK(t, w.Close())
	}
	return b.Bytes()
}

// A compressed table is read as what was compressed, whatever its file is called, from a file and from a pipe; its parts are
// written as text.
func TestCompressedTables(t *testing.T) {
	content := "a,y\n" + strings.Repeat("1,2\n2.5,3\n", 5000)
	want := testenv.Must(read(strings.NewReader(content), "t.csv", table.Options{Target: "y"}))
	for kind, name := range map[string]string{"gzip": "t.csv.gz", "zstd": "t.csv.zst"} {
		text := compressed(t, kind, content[:100], content[100:])
		s := Source{Path: writeFile(t, name, string(text)), Options: table.Options{Target: "y"}, Split: Split{Kind: "chronological"}}
		testenv.Equal(t, s.Name(), "t", "name")
		d, err := Read(s.Path, s.Options)
		if err != nil || !reflect.DeepEqual(d, want) {
			t.Errorf("%s: not the table it was, %v", kind, err)
		}
		p := testenv.Must(s.Load(context.Background()))
		dir := t.TempDir()
		testenv.OK(t, s.WriteParts(dir, p))
		if part, err := os.ReadFile(filepath.Join(dir, "test.csv")); err != nil || !strings.HasPrefix(string(part), "a,y\n1,2\n2.5,3\n") {
			t.Errorf("%s: test.csv is %.20q, %v", kind, part, err)
		}
		if survey, err := LookAt(table.Input{Name: s.Path}, ""); err != nil || survey.Rows != 10_000 {
			t.Errorf("%s: %v, %v", kind, survey, err)
		}
		pipe := decompress.Reader(iotest.OneByteReader(bytes.NewReader(text)))
		if got, err := io.ReadAll(pipe); err != nil || string(got) != content || pipe.Close() != nil {
			t.Errorf("%s: %d bytes, %v", kind, len(got), err)
		}
	}
	for _, text := range []string{"", "a", "a,y\n"} {
		if got, err := io.ReadAll(decompress.Reader(strings.NewReader(text))); err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A damaged stream, or one that expands too far, is an *Error.
func TestCompressedFaults(t *testing.T) {
	content := "a,y\n" + strings.Repeat("1,2\n2.5,3\n", 5000)
	const free = 16 << 20 // bytes that may be any number of times what was read
	lines := "a,y\n" + strings.Repeat("1,2\n", 5*free/16)
	for _, kind := range []string{"gzip", "zstd"} {
		whole := compressed(t, kind, content)
		flipped := bytes.Clone(whole)
		flipped[len(flipped)/2] ^= 0x55
		if n, err := io.Copy(io.Discard, decompress.Reader(bytes.NewReader(compressed(t, kind, lines)))); err == nil ||
			!strings.Contains(err.Error(), "expands more than 500 times") || n > 2*free {
			t.Errorf("%s: %d bytes of a bomb, then %v", kind, n, err)
		}
		for name, test := range map[string]struct {
			text []byte
			want string
		}{
			"cut off":    {whole[:len(whole)-5], "its " + kind + " stream is damaged or cut off"},
			"magic":      {whole[:4], "its " + kind + " stream is damaged or cut off"},
			"flipped":    {flipped, "its " + kind + " stream is damaged or cut off"},
			"garbage":    {append(bytes.Clone(whole), "a,y\n"...), "its " + kind + " stream is damaged or cut off"},
			"twice":      {compressed(t, kind, string(whole)), "the table is compressed by " + kind + ": decompress it first"},
			"a workbook": {compressed(t, kind, "PK\x03\x04"), "the file is a ZIP archive"},
		} {
			_, err := Read(writeFile(t, "t.csv", string(test.text)), table.Options{Target: "y"})
			testenv.FailsAs[*table.Error](t, err, test.want, "%s, %s", kind, name)
		}
	}
}

func TestHashFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	testenv.OK(t, os.WriteFile(path, []byte("abc"), 0o600))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-4, the example of one block
	if got, err := table.HashFile(path); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{filepath.Dir(path), path + ".none"} {
		if _, err := table.HashFile(bad); !errors.As(err, new(*table.Error)) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
