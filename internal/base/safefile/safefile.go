// Package safefile writes files atomically: a killed program or a full disk leaves the
// old file intact. A [Dir] confines writing to one directory and can lock it against
// other processes.
package safefile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
