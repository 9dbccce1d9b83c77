package study

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Set is a data set of the study: its file and the content that the file must have.
type Set struct {
	Name     string   `json:"name"`     // the name of its file without the extension
	Title    string   `json:"title"`    // as the paper writes it
	Source   string   `json:"source"`   // as the paper says
	File     string   `json:"file"`     // comma-separated, with a header
	Target   string   `json:"target"`   // the column to predict
	Samples  int      `json:"samples"`  // N
	Features int      `json:"features"` // M
	Rules    int      `json:"rules"`    // R0
	ANFIS    bool     `json:"anfis"`    // the comparison with ANFIS includes it: one of the six smaller sets
	SHA256   string   `json:"sha256"`   // of the file, in hexadecimal
	Columns  []string `json:"columns"`  // the header

	// Paper has the rule counts of the paper's tables by membership function.
	Paper map[string]RuleCounts `json:"paper"`

	path string // of a set of [OwnSets]; empty: a set of the paper
}

// RuleCounts are average numbers of rules in the rounds of pruning.
type RuleCounts struct {
	Rules               []float64 `json:"rules"`                 // left after each round
	RemovedByFiring     []float64 `json:"removed_by_firing"`     // in each round
	RemovedBySimilarity []float64 `json:"removed_by_similarity"` // in each round
}

//go:embed manifest.json
var manifest []byte

// Sets returns the ten data sets of the paper, in its order.
func Sets() []Set {
	var sets []Set
	if err := json.Unmarshal(manifest, &sets); err != nil {
		panic("experiment: the embedded manifest: " + err.Error()) // a test decodes it
	}
	return sets
}

// ChooseSets returns the sets with the given names or titles, ignoring case, in their
// order and each once; without names, all. An unknown name is a *tskgraph.RecipeError.
func ChooseSets(sets []Set, names []string) ([]Set, error) {
	return choose("--datasets", "data set", sets, names, func(s Set) []string { return []string{s.Name, s.Title} })
}

// choose returns those of all that are called one of the names, ignoring case, in their order; without names, all. An unknown name is
// a *tskgraph.RecipeError.
func choose[T any](option, kind string, all []T, names []string, called func(T) []string) ([]T, error) {
	is := func(one T, name string) bool {
		return slices.ContainsFunc(called(one), func(other string) bool { return strings.EqualFold(strings.TrimSpace(name), other) })
	}
	var known []string
	for _, one := range all {
		known = append(known, called(one)[0])
	}
	for _, name := range names {
		if slices.ContainsFunc(all, func(one T) bool { return is(one, name) }) {
			continue
		}
		hint := "choose from " + strings.Join(known, ", ")
		if closest := registry.Closest(name, known); closest != "" {
			hint = "did you mean " + closest + "?"
		}
		return nil, optionError(option, "there is no %s %q: %s", kind, name, hint)
	}
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return is(one, name) })
	}), nil
}

// ownRules is R0 of a user's table. Tables of at most smallSet samples take part in the
// comparison with ANFIS, as the six smaller sets of the paper do.
const (
	ownRules = 32
	smallSet = 2000
)

// OwnSets returns a user's tables as data sets of a study: those with the given names; without names, all. A set is named after its file;
// an empty target is the last column. Columns of text are one-hot encoded. Two tables of one name are a *tskgraph.RecipeError, a table that
// cannot be read is a *data.Error.
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
	if s.SHA256, err = table.HashFile(s.path); err != nil {
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
	sum, err := table.HashFile(s.path)
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

// Read reads the set from a directory. A file whose SHA-256 is not that of the manifest is a *data.Error that names the first difference. A
// set of [OwnSets] is read from its own path, whatever dir is.
func (s Set) Read(dir string) (*data.Dataset, error) {
	if s.path != "" {
		return s.readOwn()
	}
	path := filepath.Join(dir, s.File)
	content, err := os.ReadFile(path)
	if err != nil {
		message := "cannot read the table: " + err.Error()
		if errors.Is(err, os.ErrNotExist) {
			message = "no such file; docs/datasets.md says where to get the data sets"
		}
		return nil, &data.Error{File: path, Message: message, Err: err}
	}
	if err := s.check(path, content); err != nil {
		return nil, err
	}
	return data.Read(path, data.Options{Target: s.Target, Delimiter: "comma", NoCategorical: true})
}

// check compares the content of a file with the manifest.
func (s Set) check(path string, content []byte) error {
	sum := sha256.Sum256(content)
	if hex.EncodeToString(sum[:]) == s.SHA256 {
		return nil
	}
	return &data.Error{File: path, Message: fmt.Sprintf("not the data of the study: %s; docs/datasets.md says how to make the file",
		s.difference(content, hex.EncodeToString(sum[:])))}
}

// difference describes the first difference between the content of a file and the manifest: line ends, columns, number of rows, or values.
func (s Set) difference(content []byte, sum string) string {
	header, _, _ := bytes.Cut(content, []byte("\n"))
	if bytes.HasSuffix(header, []byte("\r")) {
		return "lines end in CR LF, want LF"
	}
	columns := strings.Split(string(header), ",")
	for i, want := range s.Columns {
		if i >= len(columns) {
			return fmt.Sprintf("%d columns, want %d: column %q is missing", len(columns), len(s.Columns), want)
		}
		if columns[i] != want {
			return fmt.Sprintf("column %d is %q, want %q", i+1, shorten(columns[i]), want)
		}
	}
	if len(columns) > len(s.Columns) {
		return fmt.Sprintf("%d columns, want %d: column %q is not expected", len(columns), len(s.Columns), shorten(columns[len(s.Columns)]))
	}
	rows := bytes.Count(content, []byte("\n")) - 1
	if !bytes.HasSuffix(content, []byte("\n")) {
		rows++
	}
	if rows != s.Samples {
		return fmt.Sprintf("%d rows, want %d", rows, s.Samples)
	}
	return fmt.Sprintf("columns and number of rows match, but values, their digits or their order differ (sha256 %s, want %s)", sum, s.SHA256)
}

// shorten truncates a name for a message.
func shorten(name string) string {
	if len(name) > 40 {
		return strings.ToValidUTF8(name[:40], "") + "..."
	}
	return name
}
