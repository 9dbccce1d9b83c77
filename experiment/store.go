package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/gofrs/flock"

	"github.com/tskgraph/tskgraph/internal/safefile"
)

// store is a directory of results, one file each, named by the hash of its key.
type store struct {
	dir  string
	lock *flock.Flock
}

// lockFile keeps other studies out, as long as one runs. One that a killed program left
// is no obstacle.
const lockFile = "lock"

// stored is the content of a result file.
type stored struct {
	Key    Key    `json:"key"`
	Result Result `json:"result"`
}

// openStore makes the directory, locks it, and removes what a killed study left.
func openStore(dir string) (*store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("experiment: results: %w", err)
	}
	s := &store{dir, flock.New(filepath.Join(dir, lockFile))}
	switch free, err := s.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("experiment: results: %w", err)
	case !free:
		return nil, fmt.Errorf("experiment: %s: another study is at work there: wait for its end, or give this one, or each shard, a directory of its own", dir)
	}
	if err := safefile.Clear(dir); err != nil {
		s.close()
		return nil, fmt.Errorf("experiment: results: %w", err)
	}
	return s, nil
}

func (s *store) close() { _ = s.lock.Close() } // the system does so too when the program ends

func (s *store) path(k Key) (string, error) {
	name, err := k.hash()
	return filepath.Join(s.dir, name+".json"), err
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
	path, err := s.path(k)
	if err != nil {
		return nil, err
	}
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
	path, err := s.path(k)
	if err != nil {
		return err
	}
	content, err := json.Marshal(stored{k, r})
	if err != nil {
		return fmt.Errorf("experiment: result: %w", err)
	}
	if err := safefile.Write(path, append(content, '\n'), 0o666); err != nil {
		return fmt.Errorf("experiment: result: %w", err)
	}
	return nil
}
