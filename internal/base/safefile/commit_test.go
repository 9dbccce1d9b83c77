package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// TestCommitAll checks that several files are replaced together: where one cannot be renamed, the others are what they were.
func TestCommitAll(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := t.TempDir()
		put(t, dir, "old")
		var files []*safefile.File
		for _, name := range []string{"old", "new", "last"} {
			f, err := safefile.Create(filepath.Join(dir, name), 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("new"); err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if fails {
			if err := os.MkdirAll(filepath.Join(dir, "last", "full"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := safefile.CommitAll(files...); (err != nil) != fails || fails && !strings.Contains(err.Error(), filepath.Join(dir, "last")) {
			t.Errorf("%v", err)
		}
		if fails {
			holds(t, dir, "last", "old")
			reads(t, filepath.Join(dir, "old"), "old")
			continue
		}
		holds(t, dir, "last", "new", "old")
		reads(t, filepath.Join(dir, "old"), "new")
	}
}

// TestCommitNoChmod checks that a file system that refuses permissions is written to, unless the new file were open to more users.
func TestCommitNoChmod(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no such permissions")
	}
	defer func(was func(*os.File, fs.FileMode) error) { safefile.Chmod = was }(safefile.Chmod)
	safefile.Chmod = func(*os.File, fs.FileMode) error { return syscall.EPERM }
	dir := t.TempDir()
	path := filepath.Join(dir, "old")
	put(t, dir, "old")
	for now, want := range map[fs.FileMode]error{0o644: nil, 0o400: nil, 0o666: nil, 0o604: syscall.EPERM} {
		if err := os.Chmod(path, now); err != nil {
			t.Fatal(err)
		}
		f, err := safefile.Create(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want != nil { // as where every file has the same permissions
			if err := f.Chmod(0o640); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Commit(); !errors.Is(err, want) {
			t.Errorf("%v: %v", now, err)
		}
	}
	holds(t, dir, "old")
}
