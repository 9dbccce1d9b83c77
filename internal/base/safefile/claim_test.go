package safefile_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// users are names of files that other programs and people keep in a directory.
var users = []string{".env.v2", ".backup-2024", ".x1", ".tskgraph-notes", "notes.txt"}

// TestClaim checks that a directory is created, or locked if it is of the wanted kind, whatever killed processes left.
func TestClaim(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ours := func(held []string) bool { return slices.Contains(held, "search.json") }
	for _, names := range [][]string{nil, {safefile.LockName, ".tskgraph-search.json-0"}, append([]string{"search.json"}, users...)} {
		if len(names) > 0 {
			put(t, dir, names[1:]...)
			if err := safefile.Write(filepath.Join(dir, names[0]), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d, note, err := safefile.Claim(dir, "a search", ours)
		if err != nil || note != "" {
			t.Fatalf("%q: %q, %v", names, note, err)
		}
		if _, _, err := safefile.Claim(dir, "a search", ours); !errors.Is(err, safefile.ErrLocked) {
			t.Errorf("%q: a second process: %v", names, err)
		}
		if err := errors.Join(d.Clear("."), d.Close()); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, dir, append([]string{"search.json"}, users...)...)
}

// TestClaimForeign checks that a directory with foreign content is refused and not changed.
func TestClaimForeign(t *testing.T) {
	for _, name := range users {
		dir := t.TempDir()
		put(t, dir, name, ".tskgraph-search.json-0")
		_, _, err := safefile.Claim(dir, "a search", func([]string) bool { return false })
		if !errors.Is(err, safefile.ErrForeign) || err.Error() != dir+" does not contain a search: choose a new or empty directory" {
			t.Errorf("%s: %v", name, err)
		}
		holds(t, dir, name, ".tskgraph-search.json-0")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := safefile.Write(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := safefile.Claim(file, "a search", func([]string) bool { return true }); !errors.Is(err, safefile.ErrForeign) {
		t.Errorf("a file: %v", err)
	}
}
