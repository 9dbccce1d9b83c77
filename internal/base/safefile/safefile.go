// Package safefile writes files atomically: a killed program or a full disk leaves the
// old file intact. A [Dir] confines writing to one directory and can lock it against
// other processes.
package safefile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Write writes a file and syncs it and its directory. An old file stays until the new one
// is synced, and its permissions are kept; a new file has the permissions perm (before
// umask). A symbolic link of that name is replaced, not followed.
func Write(path string, content []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	return f.finish(content)
}

// Create starts to write a file at any path in an existing directory. A new file has the
// permissions perm (before umask), a file that replaces another keeps those of the old one.
func Create(path string, perm fs.FileMode) (*File, error) {
	return begin(path, perm, create)
}

// CreateInside is Create, but a symbolic link of that name is an error, as in [Dir.Create].
func CreateInside(path string, perm fs.FileMode) (*File, error) {
	return begin(path, perm, (*Dir).Create)
}

func begin(path string, perm fs.FileMode, create func(*Dir, string, fs.FileMode) (*File, error)) (*File, error) {
	below, name := split(path)
	if name == "" {
		return nil, fmt.Errorf("%q is not the path of a file", path)
	}
	d, err := OpenDir(below)
	if err != nil {
		return nil, err
	}
	f, err := create(d, name, perm)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	f.closeDir = true
	return f, nil
}

// split splits a path into directory and name without cleaning them: dir/.. differs from .
// if dir is a symbolic link, and is an error if dir does not exist.
func split(path string) (below, name string) {
	below, name = filepath.Split(path)
	return cmp.Or(below, "."), name
}

// CommitAll commits files, all or none: it syncs all of them before it renames the first, and if one cannot be renamed, it restores
// those before it, old files or none. On a file system without links a file that was replaced is not restored, and the error says so.
// Only a process that is killed between two renames leaves some new files and some old ones.
func CommitAll(files ...*File) error {
	for _, f := range files {
		defer f.Discard()
		if err := f.prepare(); err != nil {
			return err
		}
	}
	for i, f := range files {
		err := f.rename(len(files) > 1)
		if err == nil {
			defer f.close()
			continue
		}
		for _, renamed := range slices.Backward(files[:i]) {
			err = errors.Join(err, renamed.restore())
		}
		return err
	}
	var err error
	for _, f := range files {
		if f.kept != "" {
			_ = f.dir.root.Remove(f.kept)
		}
		err = errors.Join(err, syncIn(f.dir, filepath.Dir(f.name)))
	}
	return err
}

// prepare gives the file the permissions of the old one and syncs it.
func (f *File) prepare() error {
	if err := f.keepPermissions(); err != nil {
		return err
	}
	if err := Fsync(f.File); err != nil {
		return err
	}
	if !renamesOpen {
		return f.File.Close()
	}
	return nil
}

// keepPermissions gives the file the permissions of the old one. A file system that refuses this, as one without permissions does, is an
// error only if the file is open to users to whom the old one is not.
func (f *File) keepPermissions() error {
	if f.old == nil {
		return nil
	}
	now, err := f.Stat()
	if err != nil || now.Mode().Perm() == f.old.Mode().Perm() {
		return err
	}
	if err = Chmod(f.File, f.old.Mode().Perm()); now.Mode().Perm()&^f.old.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return err
}

// restore undoes rename.
func (f *File) restore() error {
	switch {
	case f.kept != "":
		return f.dir.fault(f.dir.root.Rename(f.kept, f.name))
	case f.old == nil:
		return f.dir.Remove(f.name)
	}
	return fmt.Errorf("%s cannot be restored and is the new file", f.dir.Path(f.name))
}

// rename gives the file its final name. To restore, the old file keeps the name of a temporary file.
func (f *File) rename(restores bool) error {
	if below, base := filepath.Split(f.name); restores && f.old != nil {
		for slot := range slots {
			kept := filepath.Join(below, temporaryName(base, slot))
			if err := f.dir.root.Link(f.name, kept); err == nil {
				f.kept = kept
				break
			} else if !errors.Is(err, fs.ErrExist) {
				break // without links
			}
		}
	}
	if err := f.dir.root.Rename(f.temporary, f.name); err != nil {
		if f.kept != "" {
			_ = f.dir.root.Remove(f.kept)
		}
		return f.dir.fault(err)
	}
	underway.remove(f)
	return nil
}

// ErrForeign is wrapped by the error about a directory with foreign content.
var ErrForeign = errors.New("choose a new or empty directory")

// Claim locks a directory until Close, and creates it if it does not exist. For a directory that is not empty, ours
// reports whether the names in it, see [Held], are those of the wanted kind of directory. If not, Claim changes nothing
// and returns an error that names the kind and wraps ErrForeign. The note is that of [Dir.Lock].
func Claim(path, kind string, ours func(held []string) bool) (d *Dir, note string, err error) {
	held, err := Held(path)
	switch {
	case err != nil:
		return nil, "", err
	case len(held) > 0 && !ours(held):
		return nil, "", Foreign(path, kind)
	}
	if d, err = MakeDir(path); err != nil {
		return nil, "", err
	}
	if note, err = d.Lock(); err != nil {
		return nil, "", errors.Join(err, d.Close())
	}
	return d, note, nil
}

// Held returns the names in a directory, without the lock and the temporary files of unfinished writes. It returns
// none if the directory does not exist, and an error that wraps ErrForeign if it cannot be read.
func Held(path string) (names []string, err error) {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %w", err, ErrForeign)
	}
	for _, e := range entries {
		if e.Name() != LockName && !temporaries.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Foreign returns the error about a directory that is not of the wanted kind.
func Foreign(path, kind string) error {
	return fmt.Errorf("%s does not contain %s: %w", path, kind, ErrForeign)
}

// Same reports whether two paths lead to the same regular file, directly or by links.
func Same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil || !one.Mode().IsRegular() {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
