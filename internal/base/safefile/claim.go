package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

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
