package report

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// TestLinks: a report is not written through a symbolic link in its directory.
func TestLinks(t *testing.T) {
	results, err := smallStudy(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := New(results)
	for _, name := range []string{File, summaryTable, tablesDir, figuresDir} {
		dir, outside := t.TempDir(), t.TempDir()
		victim := filepath.Join(outside, "victim")
		if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		to := victim
		if name == tablesDir || name == figuresDir {
			to = outside
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := r.Write(dir); !errors.Is(err, safefile.ErrInTheWay) {
			t.Errorf("%s: %v", name, err)
		}
		left, err := os.ReadDir(outside)
		text, readErr := os.ReadFile(victim)
		if err != nil || readErr != nil || len(left) != 1 || string(text) != "mine" {
			t.Errorf("%s: written outside: %v, %q, %v, %v", name, left, text, err, readErr)
		}
	}
}
