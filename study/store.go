package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/internal/safefile"
)

// store is a directory of results, one file each, named by the hash of its identity.
type store struct{ *safefile.Dir }

// stored is the content of a result file.
type stored struct {
	Identity checkpoint.Identity `json:"identity"`
	Result   Result              `json:"result"`
}

// resultName matches the names of results, and of the temporary files of older versions.
var resultName = regexp.MustCompile(`^\.?[0-9a-f]{32}\.json[0-9]*$`)

// Begun reports whether a directory holds results of a study and nothing else.
func Begun(dir string) bool {
	held, err := safefile.Held(dir)
	return err == nil && len(held) > 0 && areResults(held)
}

func areResults(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !resultName.MatchString(name) })
}

// openStore makes and locks the directory, and removes the temporary files of a killed
// study. The note says that it could not be locked. A directory with other files is a
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

func (s *store) close() { _ = s.Close() } // the system unlocks it when the program ends

func resultFile(id checkpoint.Identity) string { return id.Hash() + ".json" }

// load returns the result of an identity, nil if there is none. A result with a curve
// also serves a run that measures none. A file that does not hold the result of its
// identity is an error.
func (s *store) load(id checkpoint.Identity) (*Result, error) {
	r, err := s.read(id)
	if err != nil || r != nil || id[curveName] == "true" {
		return r, err
	}
	id = maps.Clone(id)
	id[curveName] = "true"
	if r, err = s.read(id); r != nil {
		r.Curve = nil
	}
	return r, err
}

func (s *store) read(id checkpoint.Identity) (*Result, error) {
	path := s.Path(resultFile(id))
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
		return nil, fmt.Errorf("experiment: %s is not a result file (%w): delete it to compute the result again", path, err)
	}
	if held.Identity.Hash() != id.Hash() || len(held.Result.Rules) == 0 {
		return nil, fmt.Errorf("experiment: %s holds another result than its name says: delete it to compute the result again", path)
	}
	return &held.Result, nil
}

// save writes a result, atomically.
func (s *store) save(id checkpoint.Identity, r Result) error {
	content, err := json.Marshal(stored{id, r})
	if err != nil {
		return fmt.Errorf("experiment: result: %w", err)
	}
	if err := s.Write(resultFile(id), append(content, '\n'), 0o666); err != nil {
		return fmt.Errorf("experiment: result: %w", err)
	}
	return nil
}
