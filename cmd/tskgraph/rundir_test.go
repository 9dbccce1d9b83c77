package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/config"
)

// No name leads out of the directory of all runs, not even by a link in it.
func TestRunDirStaysInside(t *testing.T) {
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
	c := &config.Config{Output: config.Output{Dir: inside}}
	for _, name := range []string{"../outside/x", "link/x", "/" + outside + "/x"} {
		if d, err := newRunDir(c, name, t.Errorf); err == nil || !strings.Contains(err.Error(), "output.dir") {
			t.Errorf("%s: made %v, %v", name, d, err)
		}
	}
	if made, err := os.ReadDir(outside); err != nil || len(made) > 0 {
		t.Errorf("made outside: %v, %v", made, err)
	}
	if d, err := newRunDir(c, "x", t.Errorf); err != nil || d.path != filepath.Join(inside, "x-001") {
		t.Errorf("%v, %v", d, err)
	}
}
