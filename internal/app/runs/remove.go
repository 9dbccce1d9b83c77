package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// Remove removes the files of a run, and others of the given names, then its directory. A directory that has further files is
// kept with them: kept has their names. A run at which another process works is an error.
func Remove(path string, others ...string) (kept []string, err error) {
	d, _, err := safefile.Claim(path, "a run", func(held []string) bool { return slices.Contains(held, ConfigFile) })
	if err != nil {
		return nil, err
	}
	err = d.Clear(".")
	for _, name := range slices.Concat(Files(), others) {
		err = errors.Join(err, d.Remove(name))
	}
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	if kept, err = safefile.Held(path); err != nil || len(kept) > 0 {
		return kept, err
	}
	if err := os.Remove(filepath.Join(path, safefile.LockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.Remove(path); err != nil {
		return nil, fmt.Errorf("the files of the run are removed, its directory is not: %w", err)
	}
	return nil, nil
}
