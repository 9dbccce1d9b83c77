package study

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/membership"
)

// Algorithm is one of the algorithms that the study compares.
type Algorithm struct {
	Name string

	// Pruned: training starts with R rules, the number that pruning left in the same repeat with the same membership function, instead of R0.
	Pruned bool

	// ANFIS: the algorithm belongs to the comparison with ANFIS, which has the six
	// smaller sets, at most ten repeats, full batches and Gaussian functions.
	ANFIS bool

	// Gaussian: the algorithm runs with Gaussian membership functions only.
	Gaussian bool

	set func(*tskgraph.Recipe) // sets the differences from vMBGD-RDA[R0]
}

// The names of the algorithms, as the paper writes them. The paper compares those with full batches with ANFIS, which has no mini-batches.
const (
	MBGDRDA        = "MBGD-RDA"
	VariantR0      = "vMBGD-RDA[R0]"
	KMeansR0       = "vMBGD-RDA[R0] k-means" // trapezoids always start from k-means
	VariantPruning = "vMBGD-RDA[R0->R]"
	VariantR       = "vMBGD-RDA[R]"
	FullR0         = "vMBGD-RDA[R0] full batch"
	FullR          = "vMBGD-RDA[R] full batch"
	GDR0           = "ANFIS-GD[R0]"
	GDR            = "ANFIS-GD[R]"
	LSER0          = "ANFIS-GD-LSE[R0]"
	LSER           = "ANFIS-GD-LSE[R]"
)

// ANFISRepeats is how many repeats the comparison with ANFIS has at most.
const ANFISRepeats = 10

// Algorithms returns all algorithms: pruning before those that start with the number of rules that it left.
func Algorithms() []Algorithm {
	return []Algorithm{
		{Name: MBGDRDA, set: originalMBGDRDA},
		{Name: VariantR0, set: func(*tskgraph.Recipe) {}},
		{Name: KMeansR0, Gaussian: true, set: func(o *tskgraph.Recipe) { o.Model.Init = "kmeans" }},
		{Name: VariantPruning, set: pruning},
		{Name: VariantR, Pruned: true, set: func(*tskgraph.Recipe) {}},
		{Name: FullR0, ANFIS: true, set: fullBatch},
		{Name: FullR, ANFIS: true, Pruned: true, set: fullBatch},
		{Name: GDR0, ANFIS: true, set: anfis},
		{Name: GDR, ANFIS: true, Pruned: true, set: anfis},
		{Name: LSER0, ANFIS: true, set: anfisLSE},
		{Name: LSER, ANFIS: true, Pruned: true, set: anfisLSE},
	}
}

// FindAlgorithms returns the algorithms of the given names, ignoring case; without names, all. An unknown name is a *tskgraph.RecipeError.
func FindAlgorithms(names []string) ([]Algorithm, error) {
	return choose("--algorithms", "algorithm", Algorithms(), names, func(a Algorithm) []string { return []string{a.Name} })
}

// runs reports whether the algorithm runs on a set, with a membership function, in a repeat (from 1).
func (a Algorithm) runs(s Set, shape string, repeat int) bool {
	if (a.ANFIS || a.Gaussian) && shape != "gaussian" {
		return false
	}
	return !a.ANFIS || s.ANFIS && repeat <= ANFISRepeats
}

// recipe returns how the algorithm trains.
func (a Algorithm) recipe(shape membership.Function, rules int, seed uint64) tskgraph.Recipe {
	o := tskgraph.Paper()
	o.Model.Membership, o.Model.Rules, o.Train.Seed = shape, rules, seed
	a.set(&o)
	return o
}

// originalMBGDRDA is the algorithm before the paper: a grid of two membership functions per input, on at most five principal components.
func originalMBGDRDA(o *tskgraph.Recipe) {
	o.Model.Init, o.Model.Rules, o.Model.PCA = "grid", 0, 5
}

// pruning is the paper's T = 3.
func pruning(o *tskgraph.Recipe) { o.Prune.Rounds = 2 }

func fullBatch(o *tskgraph.Recipe) { o.Train.Batch = 0 }

// anfis is the gradient descent of MATLAB's anfis: all samples, all rules, no penalty.
func anfis(o *tskgraph.Recipe) {
	o.Model.Init, o.Train.Optimizer = "genfis", "anfis"
	o.Train.Batch, o.Train.DropRule, o.Train.L2 = 0, 1, 0
}

// anfisLSE is the hybrid learning of MATLAB's anfis: least squares for the consequents in each epoch.
func anfisLSE(o *tskgraph.Recipe) {
	anfis(o)
	o.Model.Consequents = "least-squares"
}

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

// rules returns the number of rules that an algorithm starts with; false if it depends on pruning that has not run yet.
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

// curveName is the part of an identity that says whether a run measures its [Result.Curve].
const curveName = "curve"

// identify returns what the result of a run depends on: the recipe and the program, as
// [checkpoint.Of] names them, and the data, their split and the algorithm.
func identify(s Plan, g *group, a Algorithm, r tskgraph.Recipe) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(r, nil)
	if err != nil {
		return nil, fmt.Errorf("experiment: %s on %s: %w", a.Name, g.set.Name, err)
	}
	id["data set"], id["sha256"], id["target"] = g.set.Name, g.set.SHA256, g.set.Target
	id["split"] = fmt.Sprintf("random, training share %v, seed %d", trainShare, g.seed(s))
	id["algorithm"], id["repeat"] = a.Name, strconv.Itoa(g.repeat)
	id[curveName] = strconv.FormatBool(s.Curves)
	return id, nil
}
