package safefile

import (
	"os"
	"path/filepath"
)

// scratchName is the name of scratch files, see temporaryName.
const scratchName = "tskgraph-scratch"

// Scratch creates a file for temporary data in an existing directory, readable by its owner alone. Where
// an open file can be removed, as on Unix, the name is removed at once, and the data end with the process; elsewhere
// discard removes it, or [Abandon], or the next Scratch after the process was killed. The caller calls discard once,
// which closes the file, too.
func Scratch(dir string) (f *os.File, discard func(), err error) {
	s, err := Create(filepath.Join(dir, scratchName), 0o600)
	if err != nil {
		return nil, nil, err
	}
	if s.dir.root.Remove(s.temporary) != nil {
		return s.File, s.Discard, nil
	}
	underway.remove(s) // another process may create the name again
	return s.File, s.close, nil
}
