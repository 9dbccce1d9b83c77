package study

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/membership"
)

// Algorithm is one of the algorithms that the study compares.
type Algorithm struct {
	Name string

	// Pruned: training starts with R rules, the number that pruning left in the same
	// repeat with the same membership function, instead of R0.
	Pruned bool

	// ANFIS: the algorithm belongs to the comparison with ANFIS, which has the six
	// smaller sets, at most ten repeats, full batches and Gaussian functions.
	ANFIS bool

	// Gaussian: the algorithm runs with Gaussian membership functions only.
	Gaussian bool

	set func(*tskgraph.Recipe) // sets the differences from vMBGD-RDA[R0]
}

// The names of the algorithms, as the paper writes them. The paper compares those with
// full batches with ANFIS, which has no mini-batches.
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

// Algorithms returns all algorithms: pruning before those that start with the number of
// rules that it left.
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

// FindAlgorithms returns the algorithms of the given names, ignoring case; without names,
// all. An unknown name is a *tskgraph.RecipeError.
func FindAlgorithms(names []string) ([]Algorithm, error) {
	all := Algorithms()
	var known []string
	for _, a := range all {
		known = append(known, a.Name)
	}
	chosen, err := choose("--algorithms", "algorithm", names, known, func(name string) int {
		return slices.IndexFunc(all, func(a Algorithm) bool { return strings.EqualFold(name, a.Name) })
	})
	if err != nil {
		return nil, err
	}
	var found []Algorithm
	for _, i := range chosen {
		found = append(found, all[i])
	}
	return found, nil
}

// runs reports whether the algorithm runs on a set, with a membership function, in
// a repeat (from 1).
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

// originalMBGDRDA is the algorithm before the paper: a grid of two membership
// functions per input, on at most five principal components.
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

// anfisLSE is the hybrid learning of MATLAB's anfis: least squares for the consequents in
// each epoch.
func anfisLSE(o *tskgraph.Recipe) {
	anfis(o)
	o.Model.Consequents = "least-squares"
}
