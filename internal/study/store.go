package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
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

// load returns the result of an identity, nil if there is none. A result with a curve also serves a run that measures none. A file that
// does not hold the result of its identity is an error.
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

// Group names the runs of one repeat on one data set with one membership function, which share a split and an order.
type Group struct {
	Dataset    string `json:"dataset"`    // the name of the set
	Membership string `json:"membership"` // of a built-in shape
	Repeat     int    `json:"repeat"`     // from 1

	// Known has the result files of the group that are there, by name: its other runs may need them.
	Known map[string][]byte `json:"known,omitempty"`
}

func (g Group) String() string {
	return fmt.Sprintf("%s, %s, repeat %d", g.Dataset, g.Membership, g.Repeat)
}

// spreadOut has the groups without all results computed elsewhere, and returns all groups with their results.
func spreadOut(ctx context.Context, s Plan, st *store, groups []*group, tables map[string]*data.Dataset) ([]*group, error) {
	var lacking []Group
	for _, g := range groups {
		if len(g.missing()) == 0 {
			continue
		}
		one, err := g.exported(s, st)
		if err != nil {
			return nil, err
		}
		lacking = append(lacking, one)
	}
	if len(lacking) == 0 {
		return groups, nil
	}
	if err := s.Spread(ctx, lacking, tables); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	groups, err := s.groups(st)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		if missing := g.missing(); len(missing) > 0 {
			return nil, fmt.Errorf("experiment: %s on %s, %s, repeat %d has no result", missing[0].algorithm.Name, g.set.Name, g.shape, g.repeat)
		}
	}
	return groups, nil
}

// exported returns the group with its known results.
func (g *group) exported(s Plan, st *store) (Group, error) {
	one := Group{g.set.Name, g.shape, g.repeat, map[string][]byte{}}
	for _, t := range g.tasks {
		if t.result == nil {
			continue
		}
		id, err := g.identify(s, t.algorithm)
		if err != nil {
			return one, err
		}
		for _, id := range serving(id) {
			content, err := st.Load(resultFile(id))
			if err != nil {
				return one, failed(err)
			}
			if content != nil {
				one.Known[resultFile(id)] = content
				break
			}
		}
	}
	return one, nil
}

// Program returns what the results of all runs depend on: the program and its arithmetic. A [Worker] may compute results of a study
// only if it is that of the study.
func Program() (checkpoint.Identity, error) { return checkpoint.Of(tskgraph.Paper(), nil) }

// withKnown is a Keeper with further files.
type withKnown struct {
	Keeper
	known map[string][]byte
}

// Load returns the content of a file; nil if there is none.
func (k withKnown) Load(name string) ([]byte, error) {
	if content := k.known[name]; content != nil {
		return content, nil
	}
	return k.Keeper.Load(name)
}

// Worker computes groups of a study, such as in another process than that of the study. Its methods may be called concurrently.
type Worker struct {
	plan   Plan
	tables func(name string) (*data.Dataset, error)
}

// NewWorker returns a worker of the study of a plan, whose Store, Dir and functions it does not use. tables returns the data set of a set.
func NewWorker(s Plan, tables func(name string) (*data.Dataset, error)) *Worker {
	s.OnProgress, s.OnNote, s.Spread, s.Fetch, s.Shard = nil, nil, nil, nil, Shard{}
	return &Worker{s, tables}
}

// Run computes the results of a group that are neither known nor kept, and keeps each.
func (w *Worker) Run(ctx context.Context, g Group, k Keeper) error {
	for _, set := range w.plan.Sets {
		if set.Name != g.Dataset {
			continue
		}
		one, st := w.plan.group(set, g.Membership, g.Repeat), &store{Keeper: withKnown{k, g.Known}}
		if err := one.load(w.plan, st); err != nil {
			return err
		}
		if len(one.missing()) == 0 {
			return nil
		}
		table, err := w.tables(g.Dataset)
		if err != nil {
			return fmt.Errorf("experiment: %s: %w", g.Dataset, err)
		}
		p := &pool{plan: w.plan, store: st, tables: map[string]*data.Dataset{g.Dataset: table}, groups: []*group{one}}
		return p.runGroup(ctx, one)
	}
	return fmt.Errorf("experiment: the study has no data set %s", g.Dataset)
}
