package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// ErrOther is wrapped by the error about a directory that holds another search, or something else.
var ErrOther = errors.New("the directory holds another search")

// foreign is the error about a directory that holds something else than a search.
type foreign struct{ error }

// Is reports that the directory is not that of the search.
func (foreign) Is(target error) bool { return target == ErrOther }

// Unwrap returns the error of package safefile.
func (f foreign) Unwrap() error { return f.error }

// store keeps what a search has measured in a directory: search.json identifies
// the search, race.json holds the setting that the race chose, trials/0001.json and
// so on hold the fits of each trial. Every file
// is written whole or not at all.
type store struct{ *safefile.Dir }

const (
	searchFile = "search.json"
	raceFile   = "race.json" // the settings that the race of the recipe chose
	trialsDir  = "trials"
)

// openStore makes the directory, or checks that it holds the same search, and locks it. The
// note is not empty if it could not be locked.
func openStore(dir string, id checkpoint.Identity) (s *store, note string, err error) {
	d, note, err := safefile.Claim(dir, "a search", func(held []string) bool { return slices.Contains(held, searchFile) })
	switch {
	case errors.Is(err, safefile.ErrForeign):
		return nil, "", fmt.Errorf("tune: %w", foreign{err})
	case err != nil:
		return nil, "", fmt.Errorf("tune: %w", err)
	}
	s = &store{d}
	if err := s.prepare(id); err != nil {
		return nil, "", errors.Join(fmt.Errorf("tune: %w", err), d.Close())
	}
	return s, note, nil
}

// prepare makes the directory ready for the search. It removes files that a killed process left only once it knows that the
// directory is that of the search.
func (s *store) prepare(id checkpoint.Identity) error {
	if err := s.claim(id); err != nil {
		return err
	}
	return errors.Join(s.Make(trialsDir, 0o777), s.Clear("."), s.Clear(trialsDir))
}

// Begun reports whether a directory holds a search.
func Begun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, searchFile))
	return err == nil
}

// claim writes which search the directory holds, or compares it with the one that it holds.
func (s *store) claim(id checkpoint.Identity) error {
	path := s.Path(searchFile)
	text, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.writeJSON(searchFile, id)
	}
	if err != nil {
		return err
	}
	var before checkpoint.Identity
	if err := json.Unmarshal(text, &before); err != nil {
		return fmt.Errorf("%w: %s is damaged: %w", ErrOther, path, err)
	}
	if changes := before.Differences(id); len(changes) > 0 {
		return fmt.Errorf("%w: %s: %s: restore the settings, or choose another directory", ErrOther, s.Path("."), checkpoint.Join(changes))
	}
	return nil
}

// stored is the file of a trial.
type stored struct {
	Trial    int            `json:"trial"`
	Settings recipe.Setting `json:"settings"`
	Metric   string         `json:"metric"`
	Screened []*Fit         `json:"screened"` // by fold; null where nothing was measured
	Fits     []*Fit         `json:"fits"`     // in the same way
}

func trialFile(t *Trial) string { return filepath.Join(trialsDir, fmt.Sprintf("%04d.json", t.Number)) }

func (s *store) save(t *Trial, m measured) error {
	if err := s.writeJSON(trialFile(t), stored{t.Number, t.Settings, t.Metric, m[short], m[whole]}); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	return nil
}

// load fills in the fits that were measured before.
func (s *store) load(t *Trial, m measured) error {
	path := s.Path(trialFile(t))
	text, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	held, err := decodeTrial(path, text)
	if err != nil {
		return err
	}
	if held.Trial != t.Number || held.Metric != t.Metric || held.Settings.String() != t.Settings.String() ||
		len(held.Screened) != len(m[short]) || len(held.Fits) != len(m[whole]) {
		return fmt.Errorf("tune: %s is not of this trial: delete it to repeat the trial", path)
	}
	copy(m[short], held.Screened)
	copy(m[whole], held.Fits)
	return nil
}

// decodeTrial reads the text of the file of a trial.
func decodeTrial(path string, text []byte) (held stored, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&held); err != nil {
		return held, fmt.Errorf("tune: %s is damaged (%w): delete it to repeat the trial", path, err)
	}
	return held, nil
}

// raced returns the settings that the race chose, as text; empty if they were not saved.
func (s *store) raced() (string, error) {
	if s == nil {
		return "", nil
	}
	return readRaced(s.Path(raceFile))
}

func readRaced(path string) (string, error) {
	text, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("tune: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// saveRaced saves the settings that the race chose. A nil store saves nothing.
func (s *store) saveRaced(settings string) error {
	if s == nil {
		return nil
	}
	if err := s.Write(raceFile, []byte(settings+"\n"), 0o666); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	return nil
}

// close unlocks the directory. A nil store has nothing to close.
func (s *store) close() {
	if s != nil {
		_ = s.Close() // the system does so too when the program ends
	}
}

func (s *store) writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return s.Write(name, append(text, '\n'), 0o666)
}

// identify returns what the results of a search depend on. The number of trials and the
// time may change from one run to the next.
func identify(d *data.Dataset, base recipe.Recipe, o Options) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(base, map[string]*data.Dataset{"data": d})
	if err != nil {
		return nil, err
	}
	for _, k := range listed() {
		id[listName(k.Own())] = listText(o.Space[k.Own()])
	}
	for _, key := range []string{"train.patience", "train.members"} { // without effect on a trial
		delete(id, key)
	}
	id["tune.folds"], id["tune.split"] = fmt.Sprint(o.Folds), o.Split
	id["tune.repeats"] = fmt.Sprint(o.Repeats)
	return id, nil
}

// listText returns a list as text, the shapes in it by their formulas.
func listText(list []any) string {
	texts := make([]string, len(list))
	for i, v := range list {
		if f, ok := v.(membership.Function); ok {
			texts[i] = recipe.Formula(f)
		} else {
			texts[i] = recipe.Text(v)
		}
	}
	return fmt.Sprint(texts)
}
