package study

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// ownRules is R0 of a user's table. Tables of at most smallSet samples take part in the
// comparison with ANFIS, as the six smaller sets of the paper do.
const (
	ownRules = 32
	smallSet = 2000
)

// OwnSets returns a user's tables as data sets of a study: those with the given names;
// without names, all. A set is named after its file; an empty target is the last column.
// Columns of text are one-hot encoded. Two tables of one name are a *tskgraph.RecipeError,
// a table that cannot be read is a *data.Error.
func OwnSets(paths []string, target string, names []string) ([]Set, error) {
	var sets []Set
	for _, path := range paths {
		s := Set{Name: nameOf(path), File: filepath.Base(path), Target: target, Rules: ownRules, path: path}
		s.Title = s.Name
		if i := slices.IndexFunc(sets, func(other Set) bool { return other.Name == s.Name }); i >= 0 {
			return nil, optionError("--data", "%s and %s are both named %s: rename one", sets[i].path, path, s.Name)
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

// lookAt reads columns, target, size and hash of a user's table.
func (s *Set) lookAt() error {
	survey, err := data.LookAt(data.Input{Name: s.path}, "auto")
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

// readOwn reads a user's table, which must not have changed since [OwnSets] read it.
func (s Set) readOwn() (*data.Dataset, error) {
	sum, err := data.HashFile(s.path)
	if err != nil {
		return nil, err
	}
	if sum != s.SHA256 {
		return nil, &data.Error{File: s.path, Message: "the file changed while the study was being prepared: run the command again"}
	}
	return data.Read(s.path, data.Options{Target: s.Target})
}

// nameOf returns the name of a set: its file's name without the extension.
func nameOf(path string) string {
	return safefile.Name(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}
