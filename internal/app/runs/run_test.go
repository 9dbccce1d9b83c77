package runs

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// No name leads out of the directory of all runs, not even by a link in it.
func TestNewDirStaysInside(t *testing.T) {
	dir := t.TempDir()
	inside, outside := filepath.Join(dir, "runs"), filepath.Join(dir, "outside")
	for _, d := range []string{inside, outside} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(inside, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../outside/x", "link/x", "/" + outside + "/x"} {
		if made, err := NewDir(inside, name); err == nil {
			t.Errorf("%s: made %s", name, made)
		}
	}
	if made, err := os.ReadDir(outside); err != nil || len(made) > 0 {
		t.Errorf("made outside: %v, %v", made, err)
	}
	for _, want := range []string{"x-001", "x-002"} {
		if made, err := NewDir(inside, "x"); err != nil || made != filepath.Join(inside, want) {
			t.Errorf("%s, %v", made, err)
		}
	}
}

// TestIdentity: an identity holds what affects a run, and changes with the bytes of a table.
func TestIdentity(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(table, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"train.l2": "0.05", "output.dir": "runs", "tune.folds": "5", "data.memory": "1GiB", "data.scratch": "/tmp"}
	got, err := Identity(values, table)
	if want := (tskgraph.Identity{"train.l2": "0.05", "file " + table: "sha256 ba7816bf8f01cfea"}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, want %v, %v", got, want, err)
	}
	if len(values) != 5 {
		t.Errorf("the values are %v now", values)
	}
	if got, err := Identity(nil, table); err != nil || len(got) != 1 {
		t.Errorf("of a table alone: %v, %v", got, err)
	}
	if _, err := Identity(values, table+".none"); !errors.As(err, new(*data.Error)) {
		t.Error(err)
	}
}

// TestCheckpointNotWritten: the first error about a checkpoint is reported, and no other.
func TestCheckpointNotWritten(t *testing.T) {
	dir, err := safefile.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var notes []string
	r, err := newRecorder(dir, func(note string) { notes = append(notes, note) })
	if err != nil {
		t.Fatal(err)
	}
	defer func(was func(*os.File) error) { safefile.Fsync = was }(safefile.Fsync)
	full := errors.New("no space left on device")
	safefile.Fsync = func(*os.File) error { return full }
	for range 3 {
		if err := r.write(&tskgraph.Checkpoint{}); !errors.Is(err, full) {
			t.Error(err)
		}
		r.checkpoint(&tskgraph.Checkpoint{})
	}
	if err := r.close(); !errors.Is(err, full) {
		t.Errorf("the metrics are not on the disk: %v", err)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "a checkpoint was not written, training continues: ") {
		t.Errorf("notes: %q", notes)
	}
}

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
		if _, gone := os.Stat(path); err != nil || !slices.Equal(kept, c.kept) || os.IsNotExist(gone) != (c.kept == nil) ||
			exists(path, "model.json") {
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
