package study

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestOwnSets: a user's table is a set named after its file, with text as one-hot columns,
// and an error once the file has changed.
func TestOwnSets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "..my table.csv")
	if err := os.WriteFile(path, []byte("a,kind,y\n1,red,2\n2,blue,3\n3,red,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sets, err := OwnSets([]string{path}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := sets[0]; s.Name != "my_table" || s.Target != "y" || s.Samples != 3 || s.Features != 3 || s.Rules != 32 || !s.ANFIS {
		t.Errorf("%+v", s)
	}
	if d, err := sets[0].Read("elsewhere"); err != nil || d.Len() != 3 {
		t.Errorf("%v, %v", d, err)
	}
	if err := os.WriteFile(path, []byte("a,kind,y\n1,red,2\n2,blue,3\n3,red,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var fault *data.Error
	if _, err := sets[0].Read(""); !errors.As(err, &fault) {
		t.Errorf("a changed table: %v", err)
	}
	if _, err := OwnSets([]string{path, path}, "", nil); err == nil {
		t.Error("two sets of one name are no error")
	}
	if s, err := OwnSets([]string{filepath.Join(t.TempDir(), "none.csv"), path}, "", []string{"my_table"}); err != nil || len(s) != 1 {
		t.Errorf("%+v, %v: a table that was not named was read", s, err)
	}
}
