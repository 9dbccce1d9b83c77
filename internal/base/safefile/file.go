package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// File is a file being written. Until Commit it is a locked temporary file beside its
// final name, .tskgraph-NAME-0; a temporary file without a lock is of a killed process.
type File struct {
	*os.File
	dir       *Dir
	closeDir  bool
	temporary string      // relative to dir
	name      string      // likewise
	old       fs.FileInfo // of the file to replace, whose permissions are kept; nil: none
	kept      string      // a link to the old file until all files of a CommitAll are renamed; empty: none
}

// temporaries matches the names of temporary files.
var temporaries = regexp.MustCompile(`^\.tskgraph-.+-[0-9]{1,3}$`)

// slots is how many writers a file of one name may have at a time.
const slots = 1000

// temporaryName returns the name of a temporary file, of at most 255 bytes.
func temporaryName(base string, slot int) string {
	return fmt.Sprintf(".tskgraph-%s-%d", strings.ToValidUTF8(base[:min(len(base), 200)], ""), slot)
}

// create creates the temporary file of a name, and removes those that killed processes
// left for it.
func create(d *Dir, name string, perm fs.FileMode) (*File, error) {
	below, base := filepath.Split(name)
	old, err := d.root.Lstat(name)
	if err != nil || !old.Mode().IsRegular() {
		old = nil
	} else {
		perm = old.Mode().Perm() | 0o600
	}
	for slot := range slots {
		temporary := filepath.Join(below, temporaryName(base, slot))
		removeDead(d, temporary)
		f, err := d.root.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue // another process is writing it
		}
		if err != nil {
			return nil, d.fault(err)
		}
		if errors.Is(own(d, f, temporary), ErrLocked) { // another process has removed it as dead
			f.Close()
			continue
		}
		begun := &File{File: f, dir: d, temporary: temporary, name: name, old: old}
		underway.add(begun)
		return begun, nil
	}
	return nil, fmt.Errorf("%s: %d temporary files of this name exist: remove %s*", d.Path(name), slots,
		d.Path(filepath.Join(below, temporaryName(base, 0))))
}

// own locks an open file. If another process holds the lock, or name is no longer this
// file, the error is ErrLocked.
func own(d *Dir, f *os.File, name string) error {
	if err := Flock(f); err != nil {
		return err
	}
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := d.root.Lstat(name); err != nil || !os.SameFile(opened, now) {
		return ErrLocked
	}
	return nil
}

// removeDead removes a temporary file whose lock nobody holds, since its process has
// ended. On a file system without locks it removes nothing.
func removeDead(d *Dir, name string) {
	if info, err := d.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := d.root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if own(d, f, name) == nil {
		_ = d.root.Remove(name)
	}
}

// finish writes the content and commits the file.
func (f *File) finish(content []byte) error {
	if _, err := f.Write(content); err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}

// Commit syncs the file, renames it to its final name, replacing the old file, and syncs
// the directory. If the sync or the rename fails, it keeps the old file and removes the
// temporary one.
func (f *File) Commit() error { return CommitAll(f) }

// CommitAs is Commit under another name than that of Create, with the permissions of a
// new file.
func (f *File) CommitAs(name string) error {
	f.name, f.old = name, nil
	return f.Commit()
}

// Discard removes the temporary file. After Commit it does nothing.
func (f *File) Discard() {
	if underway.remove(f) {
		_ = f.dir.root.Remove(f.temporary)
		f.close()
	}
}

func (f *File) close() {
	_ = f.File.Close() // it is synced or discarded
	if f.closeDir {
		_ = f.dir.Close()
	}
}

// underway are the temporary files of this process.
var underway = files{all: map[*File]bool{}}

type files struct {
	mu  sync.Mutex
	all map[*File]bool
}

func (u *files) add(f *File) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all[f] = true
}

func (u *files) remove(f *File) (was bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	was = u.all[f]
	delete(u.all, f)
	return was
}

// Abandon removes every temporary file of this process. It is for a program that exits
// while other goroutines are still writing.
func Abandon() {
	underway.mu.Lock()
	defer underway.mu.Unlock()
	for f := range underway.all {
		_ = f.dir.root.Remove(f.temporary)
	}
}

// Spool copies r to a scratch file in dir, or in the directory for temporary files if dir is empty, so that it can be
// read again from its start. See [Scratch].
func Spool(r io.Reader, dir string) (f *os.File, discard func(), err error) {
	if dir == "" {
		dir = os.TempDir()
	}
	f, discard, err = Scratch(dir)
	if err != nil {
		return nil, nil, err
	}
	if _, err = io.Copy(f, r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		discard()
		return nil, nil, err
	}
	return f, discard, nil
}

// scratchName is the name of scratch files, see temporaryName.
const scratchName = "tskgraph-scratch"

// Scratch creates a file for temporary data in an existing directory, readable by its owner alone. Where
// an open file can be removed, as on Unix, the name is removed at once, and the data end with the process; elsewhere
// discard removes it, or [Abandon], or the next Scratch after the process was killed. The caller calls discard once,
// which closes the file, too.
func Scratch(dir string) (f *os.File, discard func(), err error) {
	s, err := Create(filepath.Join(dir, scratchName), 0o600)
	if err != nil {
		return nil, nil, err
	}
	if s.dir.root.Remove(s.temporary) != nil {
		return s.File, s.Discard, nil
	}
	underway.remove(s) // another process may create the name again
	return s.File, s.close, nil
}
