package study

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/safefile"
)

// ownRules is R0 for a table of one's own, and smallSet how many samples one has at most
// that takes part in the comparison with ANFIS, as the six smaller sets of the paper do.
const (
	ownRules = 32
	smallSet = 2000
)

// OwnSets returns tables of one's own as data sets of a study: those of the names, or
// all of them for none. Each is named after its file; the target is the column of that
// name, or the last one for "". Words are one-hot.
func OwnSets(paths []string, target string, names []string) ([]Set, error) {
	var sets []Set
	for _, path := range paths {
		s := Set{Name: nameOf(path), File: filepath.Base(path), Target: target, Rules: ownRules, path: path}
		s.Title = s.Name
		if i := slices.IndexFunc(sets, func(other Set) bool { return other.Name == s.Name }); i >= 0 {
			return nil, optionError("--data", "%s and %s are both called %s: rename one", sets[i].path, path, s.Name)
		}
		sets = append(sets, s)
	}
	sets, err := ChooseSets(sets, names)
	if err != nil {
		return nil, err
	}
	for i := range sets {
		if err := sets[i].lookAt(); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// lookAt fills in what the table of one's own says: columns, target, size and hash.
func (s *Set) lookAt() error {
	survey, err := data.LookAt(s.path, "auto")
	if err != nil {
		return err
	}
	for _, c := range survey.Columns {
		s.Columns = append(s.Columns, c.Name)
	}
	if s.Target == "" && len(s.Columns) > 0 {
		s.Target = s.Columns[len(s.Columns)-1]
	}
	if s.SHA256, err = data.HashFile(s.path); err != nil {
		return err
	}
	d, err := data.Read(s.path, data.Options{Target: s.Target})
	if err != nil {
		return err
	}
	s.Samples, s.Features, s.ANFIS = d.Len(), len(d.X[0]), d.Len() <= smallSet
	return nil
}

// readOwn reads a table of one's own, which must be what it was when the study was set up.
func (s Set) readOwn() (*data.Dataset, error) {
	sum, err := data.HashFile(s.path)
	if err != nil {
		return nil, err
	}
	if sum != s.SHA256 {
		return nil, &data.Error{File: s.path, Message: "it changed while the study was set up: run the command again"}
	}
	return data.Read(s.path, data.Options{Target: s.Target})
}

// nameOf returns the name of a set: that of its file, without the extension.
func nameOf(path string) string {
	return safefile.Name(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}
