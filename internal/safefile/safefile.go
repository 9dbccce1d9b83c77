// Package safefile writes files wholly or not at all, so that a program that is killed
// or a disk that is full leaves the file that was there before.
package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Write writes a file. The old one, if any, stays until the new one is safe on the disk,
// and then it is the new one whatever happens: file and directory are synced. What is
// under way lies beside it, hidden; see [Clear].
func Write(path string, content []byte, perm os.FileMode) error {
	if err := write(path, content, perm); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// leftover matches the names of files that a killed program was writing.
var leftover = regexp.MustCompile(`^\.[^.].*[0-9]$`)

// Clear removes from a directory what a killed program was writing there. No other may
// be writing.
func Clear(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var failed error
	for _, e := range entries {
		if e.Type().IsRegular() && leftover.MatchString(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); !errors.Is(err, fs.ErrNotExist) {
				failed = errors.Join(failed, err)
			}
		}
	}
	return failed
}
