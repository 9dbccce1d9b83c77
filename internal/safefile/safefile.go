// Package safefile writes files wholly or not at all, so that a program that is killed
// or a disk that is full leaves the file that was there before. A [Dir] keeps what is
// written inside one directory, and other processes out of it.
package safefile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Write writes a file. The old one, if any, stays until the new one is safe on the disk;
// file and directory are synced. The new one has the old one's permissions; perm, before
// umask, is for the first. A symbolic link of that name is replaced, not followed.
func Write(path string, content []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	return f.finish(content)
}

// Create begins a file at any path, in a directory that exists; perm, before umask, is for
// one that is new.
func Create(path string, perm fs.FileMode) (*File, error) {
	return begin(path, perm, (*Dir).create)
}

// CreateInside is Create, but a symbolic link of that name is an error, as of [Dir.Create].
func CreateInside(path string, perm fs.FileMode) (*File, error) {
	return begin(path, perm, (*Dir).Create)
}

func begin(path string, perm fs.FileMode, create func(*Dir, string, fs.FileMode) (*File, error)) (*File, error) {
	below, name := split(path)
	if name == "" {
		return nil, fmt.Errorf("%q names no file", path)
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

// split splits a path into directory and name. Neither is cleaned: dir/.. is another
// directory than . if dir is a symbolic link, and an error if there is none.
func split(path string) (below, name string) {
	below, name = filepath.Split(path)
	return cmp.Or(below, "."), name
}
