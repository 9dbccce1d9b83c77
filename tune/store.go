package tune

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2/maybe"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
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

// identity is all that the results of a search depend on, by what it is called.
// The number of trials and the time may change from one run to the next.
type identity map[string]string

func identify(d *data.Dataset, base tskgraph.Options, o Options) identity {
	id, _ := base.Settings() // the options were checked
	maps.Copy(id, o.Space.lists())
	id["model.membership"] = describe(base.Model.Membership)
	delete(id, "train.patience") // without effect on a trial, as are the members
	delete(id, "train.members")
	id["tune.folds"], id["tune.split"] = fmt.Sprint(o.Folds), o.Split
	id["data"] = hashOf(d)
	id["version of tskgraph"] = tskgraph.Version
	return id
}

// hashOf is a hash of all samples, their names, weights and groups.
func hashOf(d *data.Dataset) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %d %v %v\n", d.Schema.Target, d.Schema.Features(), d.Len(), d.Weights, d.Groups)
	for i := range d.Y {
		h.Write([]byte(keyOf(d, i)))
	}
	return fmt.Sprintf("%d samples, sha256 %s", d.Len(), hex.EncodeToString(h.Sum(nil)[:8]))
}

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
	if err := s.claim(id); err != nil {
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

// changes says what differs in another identity.
func (id identity) changes(now identity) []string {
	var changes []string
	all := maps.Clone(id)
	maps.Copy(all, now)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if id[key] != now[key] {
			changes = append(changes, fmt.Sprintf("%s was %s, is %s", key, orNothing(id[key]), orNothing(now[key])))
		}
	}
	return changes
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
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
	if err := maybe.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	return nil
}
