package study

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// TestStoreLock: one study at a time uses a directory; the files of a killed study do not
// prevent it.
func TestStoreLock(t *testing.T) {
	dir := t.TempDir()
	for _, left := range []string{safefile.LockName, ".tskgraph-0123456789abcdef0123456789abcdef.json-0"} {
		if err := os.WriteFile(filepath.Join(dir, left), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, note, err := openStore(dir)
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	if _, _, err := openStore(dir); !errors.Is(err, safefile.ErrLocked) {
		t.Errorf("a second study: %v", err)
	}
	s.Close()
	if s, _, err = openStore(dir); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files left: %v, %v", left, err)
	}
}

// TestForeignStore: a directory with other files is an error and stays unchanged; results,
// locks and temporary files, also of older versions, are no error.
func TestForeignStore(t *testing.T) {
	for _, c := range []struct {
		name string
		ours bool
	}{
		{"notes.txt", false}, {".backup-2024", false}, {".env.v2", false}, {".git", false}, {"report.md", false}, {".x1", false}, {".tskgraph-notes", false},
		{"0123456789abcdef0123456789abcdef.json", true}, {".0123456789abcdef0123456789abcdef.json77", true},
		{".tskgraph-0123456789abcdef0123456789abcdef.json-0", true}, {safefile.LockName, true},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s, _, err := openStore(dir)
		if ours := err == nil; ours != c.ours || !ours && !errors.As(err, new(*tskgraph.RecipeError)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			s.Close()
		}
		if left, err := os.ReadDir(dir); !c.ours && (err != nil || len(left) != 1) {
			t.Errorf("%s: the directory holds %v, %v", c.name, left, err)
		}
	}
}

// TestForeignFiles: a user's file among the results is an error, and nothing is removed.
func TestForeignFiles(t *testing.T) {
	names := []string{"0123456789abcdef0123456789abcdef.json", ".tskgraph-0123456789abcdef0123456789abcdef.json-0"}
	for _, name := range []string{".env.v2", ".backup-2024", ".x1"} {
		dir := t.TempDir()
		for _, name := range append(names, name) {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := openStore(dir); !errors.As(err, new(*tskgraph.RecipeError)) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
			t.Errorf("%s: the directory holds %v, %v", name, left, err)
		}
	}
}
