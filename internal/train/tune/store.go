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
// the search, and files in trials hold the results of the tasks, each under its name: trials/0001-fold-1.json,
// trials/race.json. Every file is written whole or not at all.
type store struct{ *safefile.Dir }

const (
	searchFile = "search.json"
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

// resultFile is the file of the result of a task.
func resultFile(t Task) string { return filepath.Join(trialsDir, t.Name()+".json") }

// save keeps a result. A nil store keeps nothing.
func (s *store) save(m Measured) error {
	if s == nil {
		return nil
	}
	if err := s.writeJSON(resultFile(m.Task), m); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	return nil
}

// Held returns what the directory of a search holds: the results of its tasks, in the order of their names. It does not
// lock the directory, and returns nothing for one that does not exist.
func Held(dir string) ([]Measured, error) {
	files, err := os.ReadDir(filepath.Join(dir, trialsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("tune: %w", err)
	}
	var all []Measured
	for _, file := range files {
		if strings.HasPrefix(file.Name(), ".") || filepath.Ext(file.Name()) != ".json" {
			continue // unfinished
		}
		path := filepath.Join(dir, trialsDir, file.Name())
		text, err := safefile.ReadInside(path)
		if err != nil {
			return nil, fmt.Errorf("tune: %w", err)
		}
		var held Measured
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&held); err != nil {
			return nil, fmt.Errorf("tune: %s is damaged (%w): delete it to repeat the trial", path, err)
		}
		if !held.Complete() || held.Name()+".json" != file.Name() {
			return nil, fmt.Errorf("tune: %s is not the result of its task: delete it to repeat the trial", path)
		}
		all = append(all, held)
	}
	return all, nil
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
