package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// OpenInside opens a file in a directory that others may write to, such as that of a run, to be read. It refuses a symbolic link, a
// pipe, a device and a directory at once, by an error that wraps ErrInTheWay, also if another process exchanges the file meanwhile.
func OpenInside(path string) (*os.File, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.Unwrap(err)}
	}
	if err := inTheWay(path, named, 0); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(named, opened) {
		_ = f.Close()
		return nil, fmt.Errorf("%s was replaced while it was opened: %w", path, ErrInTheWay)
	}
	return f, nil
}

// ReadInside reads a file that OpenInside opens.
func ReadInside(path string) ([]byte, error) {
	f, err := OpenInside(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// inTheWay returns an error if the file at a path is a symbolic link or of another type than want (0: a regular file).
func inTheWay(path string, info fs.FileInfo, want fs.FileMode) error {
	switch kind := info.Mode().Type(); {
	case kind == want:
		return nil
	case kind&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link, which is not followed here: %w", path, ErrInTheWay)
	case want == fs.ModeDir:
		return fmt.Errorf("%s is not a directory: %w", path, ErrInTheWay)
	}
	return fmt.Errorf("%s is not a regular file: %w", path, ErrInTheWay)
}
