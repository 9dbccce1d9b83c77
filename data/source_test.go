package data

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

const abalone = "# ,sex,length,rings\r\n\"1\",M,0.455, 15\r\n2,F,0.53,9\r\n3,I,0.33,7\r\n\r\n4, M ,0.44,10\r\n5,?,0.425,8\r\n6,F,0.1,\"9\""

func TestWriteParts(t *testing.T) {
	path := writeFile(t, "abalone.v1.csv", "\xef\xbb\xbf"+abalone)
	s := Source{
		Path:    path,
		Options: table.Options{Target: "rings", Ignore: []string{"#"}, Missing: "drop"},
		Split:   Split{Kind: "chronological", Train: 0.6, Validation: 0.2},
	}
	testenv.Equal(t, s.Name(), "abalone.v1", "name")
	p := testenv.Must(s.Load(context.Background()))
	dir := t.TempDir()
	testenv.OK(t, s.WriteParts(dir, p))
	for name, want := range map[string]string{
		"train.csv":      "# ,sex,length,rings\r\n\"1\",M,0.455, 15\r\n2,F,0.53,9\r\n3,I,0.33,7\r\n",
		"validation.csv": "# ,sex,length,rings\r\n4, M ,0.44,10\r\n",
		"test.csv":       "# ,sex,length,rings\r\n6,F,0.1,\"9\"\n",
	} {
		got := testenv.Must(os.ReadFile(filepath.Join(dir, name)))
		testenv.Equal(t, string(got), want, "%s:\n", name)
	}
	again := testenv.Must(Read(filepath.Join(dir, "train.csv"), s.Options))
	if !same(again.X, p.Train.X) || !reflect.DeepEqual(again.Y, p.Train.Y) || !reflect.DeepEqual(again.Schema, p.Train.Schema) {
		t.Errorf("train.csv reads as %+v, want %+v", again, p.Train)
	}
	if err := s.WriteParts(dir, p); !errors.Is(err, os.ErrExist) {
		t.Errorf("written over: %v", err)
	}
}

func TestTestPath(t *testing.T) {
	train := writeFile(t, "train.csv", "a,c,y\n1,u,1\n2,v,2\n3,u,3\n4,v,4\n")
	test := writeFile(t, "test.csv", "y;a;c\n5;5;v\n6;6;u\n")
	s := Source{Path: train, TestPath: test, Options: table.Options{Target: "y"}, Split: Split{Kind: "chronological", Validation: 0.25}}
	p := testenv.Must(s.Load(context.Background()))
	if p.Train.Len() != 3 || p.Validation.Len() != 1 || p.Test.Len() != 2 || p.Validation.Y[0] != 4 {
		t.Errorf("parts of %d, %d, %d rows", p.Train.Len(), p.Validation.Len(), p.Test.Len())
	}
	testenv.Equal(t, p.Test.X, [][]float64{{5, 0, 1}, {6, 1, 0}}, "test X")
	dir := t.TempDir()
	testenv.OK(t, s.WriteParts(dir, p))
	want, _ := os.ReadFile(test)
	if got, err := os.ReadFile(filepath.Join(dir, "test.csv")); err != nil || string(got) != string(want) {
		t.Errorf("test.csv %q, %v", got, err)
	}
	s.Split = Split{}
	p = testenv.Must(s.Load(context.Background()))
	if p.Train.Len() != 4 || p.Validation != nil {
		t.Errorf("without validation all rows are for training: %+v", p)
	}
}

func TestChangedSource(t *testing.T) {
	content := "a,y\n1,1\n2,2\n3,3\n4,4\n"
	for _, test := range []struct{ name, now, want string }{
		{"shorter", "a,y\n1,1\n2,2\n", "the table changed while it was used: row 3 differs"},
		{"other values", "a,y\n1,1\n2,7\n3,3\n4,4\n", "the table changed while it was used: row 2 differs"},
		{"grown", content + "5,5\n", ""},
	} {
		path := writeFile(t, "t.csv", content)
		s := Source{Path: path, Options: table.Options{Target: "y"}}
		p := testenv.Must(s.Load(context.Background()))
		testenv.OK(t, os.WriteFile(path, []byte(test.now), 0o600))
		err := s.WriteParts(t.TempDir(), p)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestWriteFaults(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "none")
	path := writeFile(t, "t.csv", "a,y\n1,1\n2,2\n")
	for _, s := range []Source{{}, {Path: path, Options: table.Options{Target: "y"}, Split: Split{Train: 0.5}}} {
		p := testenv.Must(s.Load(context.Background()))
		if err := s.WriteParts(nowhere, p); !errors.Is(err, os.ErrNotExist) || errors.As(err, new(*table.Error)) {
			t.Errorf("a directory that is not there: %v", err)
		}
	}
	s := Source{Path: path, Options: table.Options{Target: "y"}, Split: Split{Train: 0.5}}
	p := testenv.Must(s.Load(context.Background()))
	testenv.OK(t, os.Remove(path))
	if err := s.WriteParts(t.TempDir(), p); !errors.Is(err, os.ErrNotExist) || !errors.As(err, new(*table.Error)) {
		t.Errorf("a table that is gone: %v", err)
	}
}

func TestSourceFaults(t *testing.T) {
	path := writeFile(t, "t.csv", "a,s,y\n1,train,1\n2,test,2\n")
	y := table.Options{Target: "y", Ignore: []string{"s"}}
	for _, test := range []struct {
		source Source
		want   string
	}{
		{Source{Path: path, Builtin: "sinc", Options: y}, "data.builtin: \"sinc\" cannot be combined with data.path"},
		{Source{Builtin: "sync"},
			`data.builtin: unknown data set "sync"; did you mean "sinc"? (choose one of "mackey-glass", "friedman1", "sinc", "iris")`},
		{Source{TestPath: path}, `data.test_path: does not apply to the built-in data "mackey-glass"`},
		{Source{Options: table.Options{Target: "y"}}, "data.target: does not apply"},
		{Source{Options: table.Options{Ignore: []string{"x(t)"}}}, "data.ignore: does not apply"},
		{Source{Options: table.Options{Missing: "drop"}}, "data.missing: does not apply"},
		{Source{Options: table.Options{NoCategorical: true}}, "data.categorical: does not apply"},
		{Source{Split: Split{Kind: "column", Column: "s"}}, "data.split_column: does not apply"},
		{Source{Split: Split{Validation: 0.6}}, "data.validation: 0.6: with data.train, 0.5, it makes more than all rows"},
		{Source{Path: path, Options: y, Split: Split{Kind: "column"}}, "data.split_column: name the column"},
		{Source{Path: path, Options: y, Split: Split{Kind: "column", Column: "s"}},
			`data.ignore: column "s" is already named by data.split_column`},
		{Source{Path: path, Options: table.Options{Target: "y", SplitColumn: "s"}},
			`data.split_column: "s" applies only with data.split: column`},
		{Source{Path: path, Options: y, Split: Split{Column: "s"}}, `data.split_column: "s" applies only with data.split: column`},
		{Source{Path: path, TestPath: path, Options: y, Split: Split{Kind: "column", Column: "s"}},
			"data.test_path: cannot be combined with data.split: column"},
		{Source{Path: path, TestPath: path, Options: y, Split: Split{Train: 0.5}}, "data.train: cannot be combined with data.test_path"},
		{Source{Path: path, TestPath: path, Options: y, Split: Split{Validation: -1}}, "data.validation: -1"},
		{Source{Path: path, Options: table.Options{}}, "data.target: name the column to predict"},
		{Source{Path: t.TempDir(), Options: y}, "not a regular file"},
		{Source{Path: path, Options: y, Split: Split{Train: 0.1}}, path + ": no row of 2 is left for training"},
	} {
		testenv.FailsWith(t, second(test.source.Load(context.Background())), test.want, "%+v", test.source)
	}
	p, err := Source{Path: path, Options: table.Options{Target: "y"}, Split: Split{Kind: "column", Column: "s"}}.Load(context.Background())
	if err != nil || p.Train.Len() != 1 || p.Test.Len() != 1 || len(p.Train.X[0]) != 1 {
		t.Errorf("split by column: %+v, %v", p, err)
	}
}

// TestLoadAs: parts come from one table, or each from its own; in that of the test part missing cells are read past.
func TestLoadAs(t *testing.T) {
	dir := t.TempDir()
	content := func(name, text string) string {
		path := filepath.Join(dir, name)
		testenv.OK(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	all := content("all.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n5,6\n6,8\n7,7\n8,9\n9,9\n10,12\n")
	two := content("two.csv", "y,a\n1,2\n2,3\n")
	missing := content("missing.csv", "a,y\n1,2\n,3\n")
	d := testenv.Must(Read(all, table.Options{Target: "y"}))
	share := Split{Kind: "chronological", Train: 0.6, Validation: 0.2}
	for _, c := range []struct {
		test, validation    string
		train, valid, other int
	}{
		{"", "", 6, 2, 2}, {two, "", 8, 2, 2}, {"", two, 6, 2, 2}, {missing, "", 8, 2, 2},
	} {
		p, err := Source{Path: all, TestPath: c.test, Split: share}.LoadAs(context.Background(), d.Schema, c.validation)
		if err != nil || p.Train.Len() != c.train || p.Validation.Len() != c.valid || p.Test.Len() != c.other {
			t.Errorf("%+v: %+v, %v", c, p, err)
		}
		if c.validation != "" && p.Validation.Y[0] != 1 {
			t.Errorf("the validation part is %v", p.Validation.Y)
		}
	}
	for _, s := range []Source{{Path: missing, Split: share}, {Path: all + ".none", Split: share}} {
		if _, err := s.LoadAs(context.Background(), d.Schema, ""); !errors.As(err, new(*table.Error)) {
			t.Errorf("%s: %v", s.Path, err)
		}
	}
}

// TestResolve: a resolved source shows its defaults, is valid, and resolves to
// itself.
func TestResolve(t *testing.T) {
	csv := table.Options{Target: "y"}
	for _, c := range []struct {
		source, want Source
	}{
		{Source{}, Source{Builtin: "mackey-glass", Split: Split{Kind: "chronological", Train: 0.5}}},
		{Source{Split: Split{Kind: "random"}}, Source{Builtin: "mackey-glass", Split: Split{Kind: "random", Train: 0.7}}},
		{Source{Builtin: "friedman1"}, Source{Builtin: "friedman1", Split: Split{Kind: "random", Train: 0.7}}},
		{Source{Path: "a", Options: csv}, Source{Path: "a", Options: table.Options{Target: "y", Delimiter: "auto", Missing: "error"},
			Split: Split{Kind: "random", Train: 0.7}}},
		{Source{Path: "a", TestPath: "b", Options: csv, Split: Split{Validation: 0.2}},
			Source{Path: "a", TestPath: "b", Options: table.Options{Target: "y", Delimiter: "auto", Missing: "error"},
				Split: Split{Kind: "random", Validation: 0.2}}},
		{Source{Path: "a", Options: csv, Split: Split{Kind: "column", Column: "p"}},
			Source{Path: "a", Options: table.Options{Target: "y", Delimiter: "auto", Missing: "error"}, Split: Split{Kind: "column", Column: "p"}}},
	} {
		got := c.source.Resolve()
		if got.Split != c.want.Split || got.Builtin != c.want.Builtin || got.Delimiter != c.want.Delimiter || got.Missing != c.want.Missing {
			t.Errorf("%+v\nresolves to %+v\n      want %+v", c.source, got, c.want)
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%+v: %v", got, err)
		}
		if again := got.Resolve(); again.Split != got.Split || again.Builtin != got.Builtin {
			t.Errorf("%+v resolves further, to %+v", got, again)
		}
	}
}
