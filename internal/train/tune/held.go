package tune

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// Held returns what the directory of a search holds: the results of its tasks, in the order of the trials. It does not
// lock the directory, and returns nothing for one that does not exist.
func Held(dir string) ([]Measured, error) {
	chosen, err := readRaced(filepath.Join(dir, raceFile))
	if err != nil {
		return nil, err
	}
	var all []Measured
	if chosen != "" {
		all = append(all, Measured{Chosen: chosen})
	}
	files, err := os.ReadDir(filepath.Join(dir, trialsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("tune: %w", err)
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), ".") || filepath.Ext(file.Name()) != ".json" {
			continue // unfinished
		}
		path := filepath.Join(dir, trialsDir, file.Name())
		text, err := safefile.ReadInside(path)
		if err != nil {
			return nil, fmt.Errorf("tune: %w", err)
		}
		held, err := decodeTrial(path, text)
		if err != nil {
			return nil, err
		}
		all = append(all, held.measured()...)
	}
	return all, nil
}

// measured returns the fits of a trial.
func (s stored) measured() []Measured {
	var all []Measured
	for l, fits := range (measured{whole: s.Fits, short: s.Screened}) {
		for f, one := range fits {
			if one != nil {
				all = append(all, Measured{Task: Task{s.Trial, s.Settings.String(), f, length(l) == short}, Fit: one})
			}
		}
	}
	return all
}
