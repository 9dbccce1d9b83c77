package study

import (
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/membership"
)

// group is the runs of one repeat on one set with one membership function. They share
// the split; some start with the number of rules that the pruning run left.
type group struct {
	set    Set
	shape  string
	repeat int
	tasks  []*task // pruning before those that need it
}

// task is one run.
type task struct {
	algorithm Algorithm
	result    *Result // nil until it is finished
}

// seed returns the seed of the group's split and of its trainings.
func (g *group) seed(s Plan) uint64 { return s.Seed + uint64(g.repeat) - 1 }

// groups returns the groups of the study or of its shard, with their stored results.
func (s Plan) groups(st *store) ([]*group, error) {
	var groups []*group
	for _, set := range s.Sets {
		for _, shape := range s.Memberships {
			for repeat := 1; repeat <= s.Repeats; repeat++ {
				g := s.group(set, shape, repeat)
				if len(g.tasks) == 0 {
					continue
				}
				if err := g.load(s, st); err != nil {
					return nil, err
				}
				groups = append(groups, g)
			}
		}
	}
	if s.Shard != (Shard{}) {
		groups = s.Shard.of(groups)
	}
	return groups, nil
}

// group returns a group without results.
func (s Plan) group(set Set, shape string, repeat int) *group {
	g := &group{set: set, shape: shape, repeat: repeat}
	for _, a := range s.algorithms(set, shape, repeat) {
		g.tasks = append(g.tasks, &task{algorithm: a})
	}
	return g
}

// algorithms returns the algorithms to run in a repeat, in the order of [Algorithms]: the
// requested ones, and pruning if one of them needs it.
func (s Plan) algorithms(set Set, shape string, repeat int) []Algorithm {
	needed := map[string]bool{}
	for _, a := range s.Algorithms {
		if a.runs(set, shape, repeat) {
			needed[a.Name] = true
			needed[VariantPruning] = needed[VariantPruning] || a.Pruned
		}
	}
	return slices.DeleteFunc(Algorithms(), func(a Algorithm) bool { return !needed[a.Name] })
}

// rules returns the number of rules that an algorithm starts with; false if it depends on
// pruning that has not run yet.
func (g *group) rules(a Algorithm) (int, bool) {
	if !a.Pruned {
		return g.set.Rules, true
	}
	for _, t := range g.tasks {
		if t.algorithm.Name == VariantPruning && t.result != nil {
			return t.result.FinalRules(), true
		}
	}
	return 0, false
}

// recipe returns how an algorithm trains in the group; rules is that of [group.rules].
func (g *group) recipe(s Plan, a Algorithm, rules int) (tskgraph.Recipe, error) {
	shape, err := membership.Lookup(g.shape)
	if err != nil {
		return tskgraph.Recipe{}, err
	}
	return a.recipe(shape, rules, g.seed(s)), nil
}

// load fills in the stored results.
func (g *group) load(s Plan, st *store) error {
	for _, t := range g.tasks {
		if _, known := g.rules(t.algorithm); !known {
			continue
		}
		id, err := g.identify(s, t.algorithm)
		if err != nil {
			return err
		}
		if t.result, err = st.load(id); err != nil {
			return err
		}
	}
	return nil
}

// identify returns the identity of the run of an algorithm whose number of rules is known.
func (g *group) identify(s Plan, a Algorithm) (checkpoint.Identity, error) {
	rules, _ := g.rules(a)
	r, err := g.recipe(s, a, rules)
	if err != nil {
		return nil, err
	}
	return identify(s, g, a, r)
}

// missing returns the tasks without a result.
func (g *group) missing() []*task {
	return slices.DeleteFunc(slices.Clone(g.tasks), func(t *task) bool { return t.result != nil })
}
