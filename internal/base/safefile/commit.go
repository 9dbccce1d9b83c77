package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

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
