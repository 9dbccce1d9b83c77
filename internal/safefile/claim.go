package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrForeign is wrapped by the error about a directory that belongs to something else.
var ErrForeign = errors.New("name a new directory")

// Claim makes a directory, if there is none, and locks it until Close. Whose a directory is that exists, and is not
// empty, ours tells by the names that it holds, see [Held]. Another one stays as it is; the error wraps ErrForeign and
// names the kind of directory that was wanted. The note is that of [Dir.Lock].
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

// Held returns the names in a directory, without the lock and the files under way that a killed process left. A
// directory that does not exist holds nothing; one that cannot be read is an error that wraps ErrForeign.
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

// Foreign returns the error about a directory that is not of the kind that was wanted.
func Foreign(path, kind string) error {
	return fmt.Errorf("%s holds something else than %s: %w", path, kind, ErrForeign)
}
