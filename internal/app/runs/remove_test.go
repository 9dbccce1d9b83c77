package runs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// TestRemove: a run is removed with its directory, files of others stay in it, and a run at which a process works is left alone.
func TestRemove(t *testing.T) {
	root := t.TempDir()
	made := func(names ...string) string {
		t.Helper()
		r, err := Create(root, "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(names, ConfigFile) {
			if err := r.Write(name, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() { r.Close() })
		if kept, err := Remove(r.Path()); !errors.Is(err, safefile.ErrLocked) || kept != nil || !exists(r.Path(), ConfigFile) {
			t.Errorf("a run that is written: %q, %v", kept, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		return r.Path()
	}
	for _, c := range []struct{ names, kept []string }{
		{[]string{"model.json", "train.csv", "report.html"}, nil},
		{[]string{"model.json", "mine.txt"}, []string{"mine.txt"}},
	} {
		path := made(c.names...)
		kept, err := Remove(path, "report.html")
		if _, gone := os.Stat(path); err != nil || !slices.Equal(kept, c.kept) || os.IsNotExist(gone) != (c.kept == nil) || exists(path, "model.json") {
			t.Errorf("%q: kept %q, %v, %v", c.names, kept, err, gone)
		}
	}
	foreign := filepath.Join(root, "foreign")
	if err := errors.Join(os.Mkdir(foreign, 0o777), os.WriteFile(filepath.Join(foreign, "model.json"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Remove(foreign); !errors.Is(err, safefile.ErrForeign) || !exists(foreign, "model.json") {
		t.Errorf("a directory that is no run: %v", err)
	}
}
