package safefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// open creates a directory and opens it.
func open(t *testing.T, path string) *safefile.Dir {
	t.Helper()
	d := testenv.Must(safefile.MakeDir(path))
	t.Cleanup(func() { d.Close() })
	return d
}

// TestLinksAreRefused checks that nothing is written through a link, wherever it points.
func TestLinksAreRefused(t *testing.T) {
	home := t.TempDir()
	outside := open(t, filepath.Join(home, "outside"))
	put(t, outside.Path(""), "victim")
	d := open(t, filepath.Join(home, "run"))
	put(t, d.Path(""), "model.json")
	for link, to := range map[string]string{
		"out.json": outside.Path("victim"), "new.json": outside.Path("new"), "up.json": "../outside/victim",
		"inside.json": "model.json", "dir": outside.Path(""), "lock": outside.Path("new"),
	} {
		testenv.OK(t, os.Symlink(to, d.Path(link)))
	}
	for _, name := range []string{"out.json", "new.json", "up.json", "inside.json", "dir/victim", "dir/new", "dir"} {
		_, appending := d.Append(name, 0o600)
		for does, err := range map[string]error{"write": d.Write(name, []byte("x"), 0o600), "append": appending} {
			if !errors.Is(err, safefile.ErrInTheWay) || !strings.Contains(err.Error(), d.Path("")) ||
				!strings.Contains(err.Error(), "is a symbolic link") {
				t.Errorf("%s %s: %v", does, name, err)
			}
		}
	}
	_, locking := d.Lock()
	for does, err := range map[string]error{"lock": locking, "make": d.Make("dir", 0o777), "make below": d.Make("dir/sub", 0o777)} {
		testenv.FailsIs(t, err, safefile.ErrInTheWay, "", "%s", does)
	}
	for _, name := range []string{"../outside/victim", outside.Path("victim"), "x/../../outside/victim"} {
		testenv.FailsWith(t, d.Write(name, []byte("x"), 0o600), "", "%s was written", name)
	}
	testenv.FailsWith(t, d.MakeNew("dir/sub"), "", "a directory was made below a link")
	holds(t, outside.Path(""), "victim")
	reads(t, outside.Path("victim"), "victim")
	reads(t, d.Path("model.json"), "model.json")
}

// TestInTheWay checks that neither a directory nor a parent that is a file is overwritten.
func TestInTheWay(t *testing.T) {
	d := open(t, t.TempDir())
	put(t, d.Path(""), "file")
	testenv.OK(t, errors.Join(d.Make("dir", 0o777), d.Make("dir", 0o777)))
	for name, want := range map[string]string{"dir": "dir is not a regular file", "file/x": "file is not a directory"} {
		testenv.FailsIs(t, testenv.Err(d.Append(name, 0o600)), safefile.ErrInTheWay, want, "%s", name)
	}
	testenv.FailsIs(t, d.Make("file", 0o777), safefile.ErrInTheWay, "")
	testenv.FailsIs(t, d.MakeNew("dir"), fs.ErrExist, d.Path("dir"))
}

// TestLock checks that one process at a time holds the lock, and that a stale lock file does no harm.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		d, other := open(t, dir), open(t, dir)
		if note, err := d.Lock(); err != nil || note != "" {
			t.Fatal(note, err)
		}
		const want = ": locked by another tskgraph process; wait for it to end or choose another directory"
		if _, err := other.Lock(); !errors.Is(err, safefile.ErrLocked) || err.Error() != dir+want {
			t.Error(err)
		}
		d.Close()
		holds(t, dir)
		testenv.OK(t, os.WriteFile(filepath.Join(dir, safefile.LockName), nil, 0o600))
	}
	put(t, dir, safefile.LockName) // not empty
	testenv.FailsIs(t, testenv.Err(open(t, dir).Lock()), safefile.ErrInTheWay, "")
	reads(t, filepath.Join(dir, safefile.LockName), safefile.LockName)
}

// TestNoLocks checks that a file system without locks gives a note and can be written to,
// and that any other error names the path.
func TestNoLocks(t *testing.T) {
	defer func(was func(*os.File) error) { safefile.Flock = was }(safefile.Flock)
	for _, errno := range []syscall.Errno{syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP} {
		safefile.Flock = func(*os.File) error { return errno }
		d := open(t, t.TempDir())
		note, err := d.Lock()
		if err != nil || !strings.Contains(note, d.Path("")+": the file system does not support locks ("+errno.Error()+")") {
			t.Errorf("%q, %v", note, err)
		}
		put(t, d.Path(""), ".tskgraph-a-0") // its process may be running
		testenv.OK(t, errors.Join(d.Write("a", []byte("x"), 0o600), d.Clear(".")))
		holds(t, d.Path(""), "a", ".tskgraph-a-0")
	}
	safefile.Flock = func(*os.File) error { return syscall.EIO }
	d := open(t, t.TempDir())
	testenv.FailsIs(t, testenv.Err(d.Lock()), syscall.EIO, d.Path("lock"))
}

// TestSync checks that files and their directories are synced.
func TestSync(t *testing.T) {
	defer func(was func(*os.File) error) { safefile.Fsync = was }(safefile.Fsync)
	home := t.TempDir()
	var synced []string
	safefile.Fsync = func(f *os.File) error {
		path, err := filepath.Rel(home, f.Name())
		synced = append(synced, path)
		if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
			return syscall.EINVAL // as some network file systems return for a directory
		}
		return err
	}
	expect := func(what string, want ...string) {
		t.Helper()
		testenv.Equal(t, synced, want, "%s synced", what)
		synced = nil
	}
	d := open(t, filepath.Join(home, "a", "b", "c"))
	expect("MakeDir", ".", "a", "a/b")
	testenv.OK(t, safefile.Write(d.Path("f"), nil, 0o600))
	expect("Write", "a/b/c/.tskgraph-f-0", "a/b/c")
	testenv.OK(t, errors.Join(d.Make("sub", 0o777), d.MakeNew("sub/new"), d.Write("sub/g", nil, 0o600)))
	expect("Dir", "a/b/c", "a/b/c/sub", "a/b/c/sub/.tskgraph-g-0", "a/b/c/sub")
	safefile.Fsync = func(*os.File) error { return syscall.EIO }
	testenv.FailsIs(t, d.Write("f", []byte("new"), 0o600), syscall.EIO, "", "a file that did not reach the disk")
	reads(t, d.Path("f"), "")
	holds(t, d.Path(""), "f", "sub")
}

// TestMakeDir checks that MakeDir resolves .. after a link as the system does.
func TestMakeDir(t *testing.T) {
	home := t.TempDir()
	open(t, filepath.Join(home, "far", "away"))
	testenv.OK(t, os.Symlink("far/away", filepath.Join(home, "link")))
	for _, path := range []string{"/link/../a/b", "/link/../c/", "/link/../d//"} {
		testenv.OK(t, open(t, home+path).Write("f", nil, 0o600))
	}
	holds(t, home, "far", "link")
	holds(t, filepath.Join(home, "far"), "a", "away", "c", "d")
	put(t, home, "file")
	for _, path := range []string{"/file", "/file/x", "/none/../file/x"} {
		testenv.FailsWith(t, testenv.Err(safefile.MakeDir(home+path)), home, "%s", path)
	}
}

// TestReadInside checks that regular files are read, and links and directories are not.
func TestReadInside(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "file")
	if err := errors.Join(os.Symlink("file", filepath.Join(dir, "link")), os.Symlink(os.DevNull, filepath.Join(dir, "device")),
		os.Mkdir(filepath.Join(dir, "dir"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if text, err := safefile.ReadInside(filepath.Join(dir, "file")); err != nil || string(text) != "file" {
		t.Errorf("%q, %v", text, err)
	}
	for name, want := range map[string]error{"link": safefile.ErrInTheWay, "device": safefile.ErrInTheWay, "dir": safefile.ErrInTheWay,
		"none": fs.ErrNotExist} {
		if text, err := safefile.ReadInside(filepath.Join(dir, name)); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"no2": "no2", "a b": "a_b", "../../etc": "etc", "-rf": "rf", "..": "data", "": "data", "日本": "日本", "été 2": "été_2",
		"\x1b[31m": "31m", "x/../y": "x_.._y", "a\xff\u202eb": "a__b", strings.Repeat("x", 100): strings.Repeat("x", 80),
		strings.Repeat("é", 39) + "xé": strings.Repeat("é", 39) + "x",
	} {
		testenv.Equal(t, safefile.Name(text), want, "%q", text)
	}
}
