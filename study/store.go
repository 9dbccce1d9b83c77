package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/safefile"
)

// store is a directory of results, one file each, named by the hash of its key.
type store struct{ *safefile.Dir }

// stored is the content of a result file.
type stored struct {
	Key    Key    `json:"key"`
	Result Result `json:"result"`
}

// resultName matches the names of results, and of those that a killed study of an older version was writing.
var resultName = regexp.MustCompile(`^\.?[0-9a-f]{32}\.json[0-9]*$`)

// Begun reports whether a directory holds results of a study, and nothing else.
func Begun(dir string) bool {
	held, err := safefile.Held(dir)
	return err == nil && len(held) > 0 && areResults(held)
}

func areResults(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !resultName.MatchString(name) })
}

// openStore makes the directory, locks it, and removes what a killed study left. The
// note says that it could not be locked. A directory that holds something else is an
// *tskgraph.RecipeError.
func openStore(dir string) (s *store, note string, err error) {
	d, note, err := safefile.Claim(dir, "results of a study", areResults)
	switch {
	case errors.Is(err, safefile.ErrForeign):
		return nil, "", optionError("--out", "%v", err)
	case err != nil:
		return nil, "", fmt.Errorf("experiment: results: %w", err)
	}
	if err := d.Clear("."); err != nil {
		return nil, "", errors.Join(fmt.Errorf("experiment: results: %w", err), d.Close())
	}
	return &store{d}, note, nil
}

func (s *store) close() { _ = s.Close() } // the system does so too when the program ends

func resultFile(k Key) (string, error) {
	name, err := k.hash()
	return name + ".json", err
}

// load returns the result of a key, nil if there is none. A result that was
// measured with its curve also serves where none is asked for. A file that does
// not hold the result of its key is an error.
func (s *store) load(k Key) (*Result, error) {
	r, err := s.read(k)
	if err != nil || r != nil || k.Curve {
		return r, err
	}
	k.Curve = true
	if r, err = s.read(k); r != nil {
		r.Curve = nil
	}
	return r, err
}

func (s *store) read(k Key) (*Result, error) {
	name, err := resultFile(k)
	if err != nil {
		return nil, err
	}
	path := s.Path(name)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: result: %w", err)
	}
	var held stored
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&held); err != nil {
		return nil, fmt.Errorf("experiment: %s is no result (%w): delete it, and it is computed again", path, err)
	}
	if !reflect.DeepEqual(held.Key, k) || len(held.Result.Rules) == 0 {
		return nil, fmt.Errorf("experiment: %s does not hold the result that its name says: delete it, and it is computed again", path)
	}
	return &held.Result, nil
}

// save writes a result, atomically.
func (s *store) save(k Key, r Result) error {
	name, err := resultFile(k)
	if err != nil {
		return err
	}
	content, err := json.Marshal(stored{k, r})
	if err != nil {
		return fmt.Errorf("experiment: result: %w", err)
	}
	if err := s.Write(name, append(content, '\n'), 0o666); err != nil {
		return fmt.Errorf("experiment: result: %w", err)
	}
	return nil
}
