package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// File is a file under way. It is written beside its place, as .tskgraph-NAME-0, and
// locked, so that another process can tell it from the leftover of a killed one.
type File struct {
	*os.File
	dir       *Dir
	closeDir  bool
	temporary string      // relative to dir
	name      string      // likewise
	old       fs.FileInfo // of the file that it replaces, whose permissions it takes; nil: none
}

// temporaries match the names of files under way.
var temporaries = regexp.MustCompile(`^\.tskgraph-.+-[0-9]{1,3}$`)

// slots is how many processes may write a file of one name at a time.
const slots = 1000

// temporaryName returns the name of a file under way, of at most 255 bytes.
func temporaryName(base string, slot int) string {
	return fmt.Sprintf(".tskgraph-%s-%d", strings.ToValidUTF8(base[:min(len(base), 200)], ""), slot)
}

// create begins a file, and removes what killed processes left of the same name.
func (d *Dir) create(name string, perm fs.FileMode) (*File, error) {
	below, base := filepath.Split(name)
	old, err := d.root.Lstat(name)
	if err != nil || !old.Mode().IsRegular() {
		old = nil
	} else {
		perm = old.Mode().Perm() | 0o600
	}
	for slot := range slots {
		temporary := filepath.Join(below, temporaryName(base, slot))
		d.removeDead(temporary)
		f, err := d.root.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue // another process is writing it
		}
		if err != nil {
			return nil, d.fault(err)
		}
		if errors.Is(d.own(f, temporary), ErrLocked) { // another process took it for dead
			f.Close()
			continue
		}
		begun := &File{File: f, dir: d, temporary: temporary, name: name, old: old}
		underway.add(begun)
		return begun, nil
	}
	return nil, fmt.Errorf("%s: %d files under way: remove %s*", d.Path(name), slots, d.Path(filepath.Join(below, temporaryName(base, 0))))
}

// own locks a file that was opened by its name. Where another process holds it, or has
// renamed or removed it in the meantime, the error is ErrLocked.
func (d *Dir) own(f *os.File, name string) error {
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

// removeDead removes a file under way whose process has ended: nobody holds its lock.
// Where there are no locks it stays.
func (d *Dir) removeDead(name string) {
	if info, err := d.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := d.root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if d.own(f, name) == nil {
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

// Commit syncs the file, gives it its name in place of the old file, and syncs the
// directory. If one of the first two fails, the old file stays and the new one is gone.
func (f *File) Commit() error {
	defer f.Discard()
	if f.old != nil {
		if err := f.Chmod(f.old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := Fsync(f.File); err != nil {
		return err
	}
	if !renamesOpen {
		if err := f.File.Close(); err != nil {
			return err
		}
	}
	if err := f.dir.root.Rename(f.temporary, f.name); err != nil {
		return f.dir.fault(err)
	}
	underway.remove(f)
	defer f.close()
	return f.dir.sync(filepath.Dir(f.name))
}

// Discard removes a file that was not committed. After Commit it does nothing.
func (f *File) Discard() {
	if underway.remove(f) {
		_ = f.dir.root.Remove(f.temporary)
		f.close()
	}
}

func (f *File) close() {
	_ = f.File.Close() // it is synced, or not wanted
	if f.closeDir {
		_ = f.dir.Close()
	}
}

// underway are the files that this process has begun.
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

// Abandon removes every file under way. It is for a program that is about to exit while
// others of its goroutines are still writing.
func Abandon() {
	underway.mu.Lock()
	defer underway.mu.Unlock()
	for f := range underway.all {
		_ = f.dir.root.Remove(f.temporary)
	}
}
