package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// TestReadInside checks that regular files are read, and links and directories are not.
func TestReadInside(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "file")
	if err := errors.Join(os.Symlink("file", filepath.Join(dir, "link")), os.Symlink(os.DevNull, filepath.Join(dir, "device")), os.Mkdir(filepath.Join(dir, "dir"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if text, err := safefile.ReadInside(filepath.Join(dir, "file")); err != nil || string(text) != "file" {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]error{"link": safefile.ErrInTheWay, "device": safefile.ErrInTheWay, "dir": safefile.ErrInTheWay, "none": fs.ErrNotExist} {
		if text, err := safefile.ReadInside(filepath.Join(dir, name)); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
