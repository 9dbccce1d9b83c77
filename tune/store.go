package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/tskgraph/tskgraph/internal/safefile"
)

// ErrOther is wrapped by the error about a directory that holds another search.
var ErrOther = errors.New("tune: the directory holds another search")

// store keeps what a search has measured in a directory: search.json says which
// search it is, trials/0001.json and so on hold the fits of each trial. Every file
// is written whole or not at all.
type store struct {
	dir  string
	lock *flock.Flock
}

const (
	searchFile = "search.json"
	trialsDir  = "trials"
	lockFile   = "lock"
)

// openStore makes the directory, or sees that it holds the same search, and locks
// it.
func openStore(dir string, id identity) (*store, error) {
	if err := os.MkdirAll(filepath.Join(dir, trialsDir), 0o777); err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	s := &store{dir: dir, lock: flock.New(filepath.Join(dir, lockFile))}
	switch free, err := s.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("tune: %w", err)
	case !free:
		return nil, fmt.Errorf("tune: %s: another search is at work there", dir)
	}
	err := errors.Join(safefile.Clear(dir), safefile.Clear(filepath.Join(dir, trialsDir)), s.claim(id))
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// Begun reports whether a directory holds a search.
func Begun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, searchFile))
	return err == nil
}

// claim writes down which search the directory holds, or compares.
func (s *store) claim(id identity) error {
	path := filepath.Join(s.dir, searchFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeJSON(path, id)
	}
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	var before identity
	if err := json.Unmarshal(text, &before); err != nil {
		return fmt.Errorf("%w: %s is damaged: %w", ErrOther, path, err)
	}
	if changes := before.changes(id); len(changes) > 0 {
		return fmt.Errorf("%w: %s: %s: put it back, or name another directory", ErrOther, s.dir, strings.Join(changes, "; "))
	}
	return nil
}

// stored is the file of a trial.
type stored struct {
	Trial    int      `json:"trial"`
	Settings Settings `json:"settings"`
	Fits     []*Fit   `json:"fits"` // by fold; null where nothing was measured
}

func (s *store) path(t *Trial) string {
	return filepath.Join(s.dir, trialsDir, fmt.Sprintf("%04d.json", t.Number))
}

func (s *store) save(t *Trial, fits []*Fit) error {
	return writeJSON(s.path(t), stored{t.Number, t.Settings, fits})
}

// load fills in the fits that were measured before.
func (s *store) load(t *Trial, fits []*Fit) error {
	text, err := os.ReadFile(s.path(t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	var held stored
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&held); err != nil {
		return fmt.Errorf("tune: %s is damaged (%w): delete it, and the trial is made again", s.path(t), err)
	}
	if held.Trial != t.Number || held.Settings != t.Settings || len(held.Fits) != len(fits) {
		return fmt.Errorf("tune: %s is not of this trial: delete it, and the trial is made again", s.path(t))
	}
	copy(fits, held.Fits)
	return nil
}

// close unlocks the directory. A nil store has nothing to close.
func (s *store) close() {
	if s != nil {
		_ = s.lock.Unlock() // the system does so too when the program ends
	}
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	if err := safefile.Write(path, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	return nil
}
