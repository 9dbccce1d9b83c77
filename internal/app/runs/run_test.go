package runs

import (
	"os"
	"path/filepath"
	"testing"
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
