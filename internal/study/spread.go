package study

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

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

// NewWorker returns a worker of the study of a plan, whose Store, Dir and functions it does not use. tables returns the data set of a
// set.
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
