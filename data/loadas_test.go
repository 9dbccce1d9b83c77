package data

import (
	"context"
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"os"
	"path/filepath"
	"testing"
)

// TestLoadAs: parts come from one table, or each from its own; in that of the test part missing cells are read past.
func TestLoadAs(t *testing.T) {
	dir := t.TempDir()
	content := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	all := content("all.csv", "a,y\n1,2\n2,3\n3,5\n4,4\n5,6\n6,8\n7,7\n8,9\n9,9\n10,12\n")
	two := content("two.csv", "y,a\n1,2\n2,3\n")
	missing := content("missing.csv", "a,y\n1,2\n,3\n")
	d, err := Read(all, table.Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
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
