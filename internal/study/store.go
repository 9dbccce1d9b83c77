package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// Keeper keeps the files of results by their names. A [Plan] keeps them in a directory; a [Worker] in what it is given.
type Keeper interface {
	// Load returns the content of a file; nil if there is none.
	Load(name string) ([]byte, error)
	// Save writes a file completely or not at all. A file that exists has the same content.
	Save(name string, content []byte) error
	// Path returns where a file is, for messages.
	Path(name string) string
}

// store keeps results, in one file each, named by the hash of its identity.
type store struct {
	Keeper
	fetch func(name string) ([]byte, error) // [Plan].Fetch; may be nil
}

// directory is the directory of the results of a study, which it has locked.
type directory struct{ *safefile.Dir }

// Load returns the content of a file; nil if there is none.
func (d directory) Load(name string) ([]byte, error) {
	content, err := safefile.ReadInside(d.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// Save writes a file, atomically.
func (d directory) Save(name string, content []byte) error { return d.Write(name, content, 0o666) }

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
func openStore(dir string) (in directory, note string, err error) {
	d, note, err := safefile.Claim(dir, "results of a study", areResults)
	switch {
	case errors.Is(err, safefile.ErrForeign):
		return in, "", optionError("--out", "%v", err)
	case err != nil:
		return in, "", fmt.Errorf("experiment: results: %w", err)
	}
	if err := d.Clear("."); err != nil {
		return in, "", errors.Join(fmt.Errorf("experiment: results: %w", err), d.Close())
	}
	return directory{d}, note, nil
}

func resultFile(id checkpoint.Identity) string { return id.Hash() + ".json" }

// load returns the result of an identity, nil if there is none. A result with a curve
// also serves a run that measures none. A file that does not hold the result of its
// identity is an error.
func (s *store) load(id checkpoint.Identity) (*Result, error) {
	for _, one := range serving(id) {
		r, err := s.read(one)
		if r != nil && id[curveName] != "true" {
			r.Curve = nil
		}
		if r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// serving returns the identities of the results that serve a run, its own first.
func serving(id checkpoint.Identity) []checkpoint.Identity {
	if id[curveName] == "true" {
		return []checkpoint.Identity{id}
	}
	curved := maps.Clone(id)
	curved[curveName] = "true"
	return []checkpoint.Identity{id, curved}
}

func (s *store) read(id checkpoint.Identity) (*Result, error) {
	name := resultFile(id)
	content, err := s.Load(name)
	fetched := false
	if err == nil && content == nil && s.fetch != nil {
		content, err = s.fetch(name)
		fetched = content != nil
	}
	if err != nil || content == nil {
		return nil, failed(err)
	}
	r, err := decodeResult(s.Path(name), id, content)
	if err == nil && fetched {
		err = failed(s.Save(name, content))
	}
	return r, err
}

// failed returns an error with what it is about; nil if there is none.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("experiment: result: %w", err)
}

// decodeResult reads the content of the file of a result.
func decodeResult(path string, id checkpoint.Identity, content []byte) (*Result, error) {
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

// save writes a result.
func (s *store) save(id checkpoint.Identity, r Result) error {
	content, err := json.Marshal(stored{id, r})
	if err != nil {
		return failed(err)
	}
	return failed(s.Save(resultFile(id), append(content, '\n')))
}
