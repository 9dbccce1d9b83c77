package safefile_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// put writes files without using the package.
func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
}

// holds checks the names in a directory.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries := testenv.Must(os.ReadDir(dir))
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	testenv.Equal(t, got, want, "%s holds", dir)
}

// reads checks the content of a file.
func reads(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q, %v, want %q", path, got, err, want)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	for _, text := range []string{"one", "", "three"} {
		testenv.OK(t, safefile.Write(path, []byte(text), 0o640))
		reads(t, path, text)
	}
	for _, perm := range []fs.FileMode{0o640, 0o600, 0o400} { // the permissions of the old file are kept
		testenv.OK(t, os.Chmod(path, perm))
		testenv.OK(t, safefile.Write(path, nil, 0o644))
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != perm {
			t.Errorf("%v, %v, want %v", info.Mode(), err, perm)
		}
	}
	holds(t, dir, "a.json")
	for _, bad := range []string{filepath.Join(path, "b"), dir + "/", filepath.Join(dir, "none", "b"), dir + "/none/../b", dir} {
		testenv.FailsWith(t, safefile.Write(bad, nil, 0o600), dir, "%s", bad)
	}
	holds(t, dir, "a.json")
	long := strings.Repeat("ü", 127)
	testenv.OK(t, safefile.Write(filepath.Join(dir, long), nil, 0o600))
	holds(t, dir, "a.json", long)
}

// TestLeftover checks that a write removes the temporary file that a killed process left
// for the same name, but not that of a running one, which can still be committed.
func TestLeftover(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	put(t, dir, ".tskgraph-a.json-0", ".tskgraph-a.json-1", ".tskgraph-b.json-0")
	alive := testenv.Must(safefile.Create(path, 0o600))
	testenv.OK(t, safefile.Write(path, []byte("second"), 0o600))
	holds(t, dir, "a.json", ".tskgraph-a.json-0", ".tskgraph-b.json-0")
	reads(t, path, "second")
	testenv.OK(t, testenv.Err(alive.WriteString("first")))
	testenv.OK(t, alive.Commit())
	alive.Discard()
	holds(t, dir, "a.json", ".tskgraph-b.json-0")
	reads(t, path, "first")
}

// TestManyWriters checks that concurrent writers each write the whole file.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			text := []byte(strings.Repeat(fmt.Sprint(i), 10_000))
			for range 50 {
				testenv.OK(t, safefile.Write(path, text, 0o600))
			}
		})
	}
	all.Wait()
	holds(t, dir, "a.json")
	text, err := os.ReadFile(path)
	if err != nil || len(text) != 10_000 || strings.Trim(string(text), string(text[:1])) != "" {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestClear checks that Clear removes the temporary files of killed processes, and no
// other file.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	stay := []string{"a.json", "1", ".hidden", ".env.v2", ".backup-2024", ".a.json123", ".tskgraph", ".tskgraph-notes", "x.tskgraph-a-0"}
	put(t, dir, stay...)
	put(t, dir, ".tskgraph-a.json-0", ".tskgraph-b.json-17")
	testenv.OK(t, os.Mkdir(filepath.Join(dir, ".tskgraph-dir-1"), 0o700))
	testenv.OK(t, os.Symlink("a.json", filepath.Join(dir, ".tskgraph-link-1")))
	d := testenv.Must(safefile.OpenDir(dir))
	defer d.Close()
	alive := testenv.Must(d.Create("c.json", 0o600))
	defer alive.Discard()
	testenv.OK(t, d.Clear("."))
	holds(t, dir, append(stay, ".tskgraph-dir-1", ".tskgraph-link-1", ".tskgraph-c.json-0")...)
	testenv.FailsWith(t, d.Clear("none"), "", "Clear of a missing directory returns no error")
}

// TestAbandon checks that Abandon removes temporary files and keeps committed ones.
func TestAbandon(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		f := testenv.Must(safefile.Create(filepath.Join(dir, name), fs.FileMode(0o600)))
		defer f.Discard()
		if name == "b" {
			testenv.OK(t, f.Commit())
		}
	}
	safefile.Abandon()
	holds(t, dir, "b")
}
