// Package study computes the groups of runs of a study ([study.Plan]) with the workers of a cluster.
//
// The study runs where the command runs. Groups that lack results become the elements of a pipeline. A worker writes each result to a
// file that is named by what the result depends on: a bundle that is tried again, and another job of any study, find it there. When the
// pipeline has ended, the study copies the results to its directory, as if it had computed them.
package study

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/tskgraph/tskgraph/beam/dataset"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/study"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// job is what workers need to know to begin.
type job struct {
	Dir     string // of the plan and the data
	Results string // directory of the results, which jobs share
}

// spec is what workers need to know of a plan.
type spec struct {
	Sets        []study.Set
	Algorithms  []string
	Memberships []string
	Repeats     int
	Seed        uint64
	Curves      bool
	Program     checkpoint.Identity
}

func specOf(p study.Plan) (spec, error) {
	s := spec{Sets: p.Sets, Memberships: p.Memberships, Repeats: p.Repeats, Seed: p.Seed, Curves: p.Curves}
	for _, a := range p.Algorithms {
		s.Algorithms = append(s.Algorithms, a.Name)
	}
	var err error
	s.Program, err = study.Program()
	return s, err
}

func (s spec) plan() (study.Plan, error) {
	p := study.Plan{Sets: s.Sets, Memberships: s.Memberships, Repeats: s.Repeats, Seed: s.Seed, Curves: s.Curves}
	var err error
	p.Algorithms, err = study.FindAlgorithms(s.Algorithms)
	return p, err
}

func resultsIn(place string) string { return files.Join(place, "results") }

func (j job) specFile() string             { return files.Join(j.Dir, "plan.json") }
func (j job) groupsFile() string           { return files.Join(j.Dir, "groups.json") }
func (j job) tableFile(name string) string { return files.Join(j.Dir, "tables", name) }

// send writes what workers need to compute groups to a new directory, whose name depends on what is in it.
func send(ctx context.Context, place string, p study.Plan, groups []study.Group, tables map[string]*data.Dataset) (job, error) {
	place, err := files.Absolute(place)
	if err != nil {
		return job{}, err
	}
	s, err := specOf(p)
	if err != nil {
		return job{}, err
	}
	id := checkpoint.Identity{}
	id.Add("plan", s)
	id.Add("groups", groups)
	lacking := map[string]bool{}
	for _, g := range groups {
		lacking[g.Dataset] = true
		id[g.Dataset] = tables[g.Dataset].Fingerprint()
	}
	j := job{files.Join(place, "study-"+id.Hash()), resultsIn(place)}
	for name := range lacking {
		if err := dataset.Write(ctx, j.tableFile(name), tables[name]); err != nil {
			return j, err
		}
	}
	return j, errors.Join(state.WriteJSON(ctx, j.specFile(), s), state.WriteJSON(ctx, j.groupsFile(), groups))
}

// readGroups returns the groups, each as JSON.
func (j job) readGroups(ctx context.Context) (groups []json.RawMessage, err error) {
	err = state.ReadJSON(ctx, j.groupsFile(), &groups)
	return groups, err
}

// keeper keeps results below a directory, as long as ctx lasts.
type keeper struct {
	ctx context.Context
	dir string
}

// Path returns where a file is.
func (k keeper) Path(name string) string { return files.Join(k.dir, name) }

// Load returns the content of a file; nil if there is none.
func (k keeper) Load(name string) ([]byte, error) {
	content, err := state.Read(k.ctx, k.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}
