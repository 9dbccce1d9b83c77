// Package study repeats the study of the paper: it runs every algorithm that the paper compares on ten data sets over repeated random
// splits, and compares them to answer the paper's questions.
//
//	s := study.Plan{Dir: "data", Sets: study.Sets(), Algorithms: study.Algorithms(),
//		Memberships: []string{"gaussian", "trapezoid"}, Repeats: 30, Seed: 1, Store: "study/results"}
//	results, err := s.Run(ctx)
//	rows := results.Summarise()      // mean and standard deviation of the test RMSE, rules
//	answers := results.Comparisons() // Q1, Q2 and Q3, per data set
//
// A study consists of runs. A run is one training of one [Algorithm] on one random split of one [Set], with one membership function. All
// algorithms of a repeat share its split and its seed.
//
// The identity of a run names all that its result depends on: recipe, data, split, and, as for every training, the version and the sources
// of the program and its arithmetic ([checkpoint.Of]). So results do not depend on the number of workers. Each is stored in a file named by
// the hash of the identity and is not computed twice: an interrupted study resumes, and machines of the same architecture that run the same
// build may compute parts of it. Another build computes its own results.
package study

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
)

// trainShare is the share of the training part; the other samples are the test part.
const trainShare = 0.7

// Plan says what to run.
type Plan struct {
	Dir         string      // directory of the data sets
	Sets        []Set       // at least one, see [ChooseSets]
	Algorithms  []Algorithm // at least one, see [FindAlgorithms]
	Memberships []string    // names of built-in shapes, at least one
	Repeats     int         // random splits per set, at least 1
	Seed        uint64      // repeat i, from 1, splits and trains with seed Seed+i-1
	Curves      bool        // measure the test RMSE after every iteration
	Workers     int         // runs at a time; 0: as many as there are processors
	Shard       Shard       // the part of the study to run; the zero value: all
	Store       string      // directory of the result files alone; created if missing

	// Spread, if not nil, has groups of runs computed in place of this process, such as on other machines with a [Worker], where
	// Fetch then finds their results. tables are the data sets of the groups by their names.
	Spread func(ctx context.Context, groups []Group, tables map[string]*data.Dataset) error

	// Fetch, if not nil, returns the content of a result file that Store lacks, which then keeps it; nil if there is none elsewhere either.
	Fetch func(name string) ([]byte, error)

	// OnProgress, if not nil, is called after each run, from one goroutine at a time.
	OnProgress func(Progress)

	// OnNote, if not nil, is called if the file system of Store has no locks, so that other studies may use it at the same time.
	OnNote func(note string)
}

// Shard is part Index, from 1, of Count parts of a study that divide its runs.
type Shard struct{ Index, Count int }

// Progress is the progress of a study, without the runs whose results were stored before.
type Progress struct {
	Done, Total int     // runs
	Share       float64 // of the estimated work, 0..1
}

func optionError(option, format string, a ...any) error {
	return &tskgraph.RecipeError{Key: option, Message: fmt.Sprintf(format, a...)}
}

// check reports a plan that cannot be run as *tskgraph.RecipeError.
func (s *Plan) check() error {
	if len(s.Sets) == 0 {
		return optionError("--datasets", "none: name at least one")
	}
	if err := s.Validate(); err != nil {
		return err
	}
	for _, name := range s.Memberships {
		for _, set := range s.Sets {
			if len(s.algorithms(set, name, 1)) > 0 {
				return nil
			}
		}
	}
	return optionError("--algorithms",
		"nothing to run: ANFIS is compared on the six smaller sets, and on tables of at most 2000 rows, with Gaussian membership functions only")
}

// Validate reports a plan that cannot be run on any data set as *tskgraph.RecipeError. Run calls it.
func (s *Plan) Validate() error {
	switch {
	case len(s.Algorithms) == 0:
		return optionError("--algorithms", "none: name at least one")
	case len(s.Memberships) == 0:
		return optionError("--membership", "none: name at least one")
	case s.Repeats < 1:
		return optionError("--repeats", "%d: must be at least 1", s.Repeats)
	case s.Workers < 0:
		return optionError("--workers", "%d: must be at least 1, or 0 for as many as there are processors", s.Workers)
	case s.Shard != Shard{} && (s.Shard.Index < 1 || s.Shard.Index > s.Shard.Count):
		return optionError("--shard", "%d/%d: want i/n with i from 1 to n", s.Shard.Index, s.Shard.Count)
	}
	for i, name := range s.Memberships {
		if slices.Contains(s.Memberships[:i], name) {
			return optionError("--membership", "%s is named twice", name)
		}
		if _, err := membership.Lookup(name); err != nil {
			return optionError("--membership", "%v", err)
		}
	}
	return nil
}

// Run computes the results that are not stored, and returns those of the study or of its shard. Files that do not match the manifest are a
// *data.Error. When ctx ends, all finished results are stored, and the error wraps ctx.Err().
func (s Plan) Run(ctx context.Context) (*Results, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	tables := map[string]*data.Dataset{}
	for _, set := range s.Sets {
		d, err := set.Read(s.Dir)
		if err != nil {
			return nil, err
		}
		tables[set.Name] = d
	}
	dir, note, err := openStore(s.Store)
	if err != nil {
		return nil, err
	}
	defer dir.Close() // the system unlocks it when the program ends
	if note != "" && s.OnNote != nil {
		s.OnNote(note)
	}
	store := &store{dir, s.Fetch}
	groups, err := s.groups(store)
	if err != nil {
		return nil, err
	}
	if s.Spread != nil {
		groups, err = spreadOut(ctx, s, store, groups, tables)
	} else {
		p := &pool{plan: s, store: store, tables: tables, groups: groups}
		err = p.run(ctx)
	}
	if err != nil {
		return nil, err
	}
	return collect(s, groups), nil
}

// ParseShard parses i/n. The empty string is the zero value, the whole study.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	first, second, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil || i < 1 || i > n {
		return Shard{}, optionError("--shard", "%q: want i/n with i from 1 to n, such as 1/4", text)
	}
	return Shard{i, n}, nil
}

// of returns the groups of the shard: every Count-th.
func (sh Shard) of(groups []*group) []*group {
	var mine []*group
	for i, g := range groups {
		if i%sh.Count == sh.Index-1 {
			mine = append(mine, g)
		}
	}
	return mine
}
