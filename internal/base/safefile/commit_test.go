package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestCommitAll checks that several files are replaced together: where one cannot be renamed, the others are what they were.
func TestCommitAll(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := t.TempDir()
		put(t, dir, "old")
		var files []*safefile.File
		for _, name := range []string{"old", "new", "last"} {
			f := testenv.Must(safefile.Create(filepath.Join(dir, name), 0o600))
			testenv.OK(t, testenv.Err(f.WriteString("new")))
			files = append(files, f)
		}
		if fails {
			testenv.OK(t, os.MkdirAll(filepath.Join(dir, "last", "full"), 0o700))
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
		testenv.OK(t, os.Chmod(path, now))
		f := testenv.Must(safefile.Create(path, 0))
		if want != nil { // as where every file has the same permissions
			testenv.OK(t, f.Chmod(0o640))
		}
		testenv.Equal(t, errors.Is(f.Commit(), want), true, "%v: %v", now, want)
	}
	holds(t, dir, "old")
}

// users are names of files that other programs and people keep in a directory.
var users = []string{".env.v2", ".backup-2024", ".x1", ".tskgraph-notes", "notes.txt"}

// TestClaim checks that a directory is created, or locked if it is of the wanted kind, whatever killed processes left.
func TestClaim(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ours := func(held []string) bool { return slices.Contains(held, "search.json") }
	for _, names := range [][]string{nil, {safefile.LockName, ".tskgraph-search.json-0"}, append([]string{"search.json"}, users...)} {
		if len(names) > 0 {
			put(t, dir, names[1:]...)
			testenv.OK(t, safefile.Write(filepath.Join(dir, names[0]), nil, 0o600))
		}
		d, note, err := safefile.Claim(dir, "a search", ours)
		if err != nil || note != "" {
			t.Fatalf("%q: %q, %v", names, note, err)
		}
		testenv.FailsIs(t, testenv.Err(safefile.Claim(dir, "a search", ours)), safefile.ErrLocked, "", "%q: a second process", names)
		testenv.OK(t, errors.Join(d.Clear("."), d.Close()))
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
	testenv.OK(t, safefile.Write(file, nil, 0o600))
	testenv.FailsIs(t, testenv.Err(safefile.Claim(file, "a search", func([]string) bool { return true })), safefile.ErrForeign, "", "a file")
}
