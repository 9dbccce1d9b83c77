package fit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// initialisers are the initialisers by their names in recipe.Model.Init.
var initialisers = map[string]rules.Initialiser{"fcm": rules.FuzzyCMeans, "kmeans": rules.KMeans, recipe.ByClass: rules.KMeansByClass, "one-feature": rules.OneFeature, "genfis": genfis}

// genfis initialises as MATLAB's anfis: clusters, with the consequents of every rule at the
// least-squares plane of each output.
func genfis(ctx context.Context, s rules.Samples, R int, rng *rand.Rand) (*rules.Clusters, error) {
	c, err := rules.GenFIS(ctx, s, R, rng)
	if err != nil {
		return nil, err
	}
	C, output := len(s.Y)/len(s.X), make([]float64, len(s.X))
	for i := range C {
		for n := range output {
			output[n] = s.Y[n*C+i]
		}
		c.Plane = append(c.Plane, lse.Plane(s.X, output, s.Weight)...)
	}
	return c, nil
}

// placed are the initial rules of a training.
type placed struct {
	rules    *rules.RuleBase
	clusters *rules.Clusters // nil for a grid, a tree or a file of rules
	notes    string          // about unusual results of the initialiser
}

// place returns the initial rules, of a file, on a grid, of a tree, or on clusters of the training
// set: start, or those of the initialiser if start is nil.
func place(ctx context.Context, set *TrainingSet, r recipe.Recipe, start *rules.Clusters) (at placed, err error) {
	init := r.Model.Init
	if start != nil && (init == recipe.Grid || init == recipe.Tree || r.Model.FromRules()) {
		return at, &recipe.Error{Key: "model.init", Message: "Run.Start does not apply to " + init + ", which places the rules itself"}
	}
	switch {
	case r.Model.FromRules():
		return onRules(ctx, set, r)
	case init == recipe.Grid:
		if at.rules, err = onGrid(set, r); err == nil { // with the floor of a grid
			at.rules.SetOutputs(set.prep.OutputCount())
		}
	case init == recipe.Tree:
		at, err = onTree(ctx, set, r)
	default:
		at, err = onClusters(ctx, set, r, start)
	}
	if err != nil {
		return at, err
	}
	if r.Model.SpreadFloor > 0 && init != recipe.Grid {
		at.rules.SpreadFloor = r.Model.SpreadFloor
		at.rules.Project()
	}
	at.rules.TNorm, at.rules.Defuzzification = r.Model.Inference()
	return at, onLink(set, at.rules)
}

// addCurves gives the rules curves as the recipe says, unless they have curves.
func (s *TrainingSet) addCurves(ctx context.Context, rb *rules.RuleBase, m recipe.Model) error {
	if m.Curves == recipe.NoCurves || rb.Curves != nil {
		return nil
	}
	columns, err := s.sortedColumns(ctx)
	if err == nil {
		rules.AddCurves(rb, columns.Knots(m.Knots), m.Curves == recipe.OwnCurves)
	}
	return err
}

// onClusters places a rule on each cluster.
func onClusters(ctx context.Context, set *TrainingSet, r recipe.Recipe, start *rules.Clusters) (placed, error) {
	if _, ok := initialisers[r.Model.Init]; !ok { // it is recipe.SavedModel
		return placed{}, &recipe.Error{Key: "model.init", Message: "no saved model: set the path of its file, or use Prune to continue from it"}
	}
	var err error
	if start == nil {
		start, err = set.clusters(ctx, r)
	} else {
		err = checkStart(start, r.Model.Rules, len(set.prep.Inputs()), set.prep.OutputCount())
	}
	if err != nil {
		return placed{}, err
	}
	rb := rules.New(r.Model.Membership, start)
	for c := range rb.OutputCount() {
		if r.Model.Order == 0 { // the start may have a plane
			for _, w := range rb.Output(c).Consequents {
				clear(w[1:])
			}
		}
	}
	return placed{rb, start, start.Notes()}, nil
}

// onTree places a rule on each leaf of a tree.
func onTree(ctx context.Context, set *TrainingSet, r recipe.Recipe) (placed, error) {
	t, err := set.tree(ctx, r)
	if err != nil {
		return placed{}, err
	}
	return placed{rules: t.Rules(r.Model.Membership, r.Model.Softness), notes: t.Notes()}, nil
}

// checkStart checks that there are R clusters of M features and C targets.
func checkStart(c *rules.Clusters, R, M, C int) error {
	for _, rows := range [][][]float64{c.Centers, c.Spreads} {
		if len(rows) != R || len(c.Targets) != R*C || slices.ContainsFunc(rows, func(row []float64) bool { return len(row) != M }) {
			return &recipe.Error{Key: "model.init", Message: fmt.Sprintf("the clusters of Run.Start are not those of %d rules over %d features with %d outputs", R, M, C)}
		}
	}
	return nil
}

// onGrid places the rules on a grid over the samples.
func onGrid(set *TrainingSet, r recipe.Recipe) (*rules.RuleBase, error) {
	x := set.antecedents()
	rb, err := rules.Grid(r.Model.Membership, x, set.data.Weights)
	switch M := len(x[0]); {
	case errors.Is(err, rules.ErrGrid):
		return nil, &recipe.Error{Key: "model.init", With: []string{"data.pca"}, Message: fmt.Sprintf("a grid over %d inputs would have 2^%d rules; it is limited to %d inputs: "+
			"set data.pca, such as 5, or leave features out (data.ignore)", M, M, rules.MaxGridInputs)}
	case err != nil:
		return nil, err
	case r.Model.Rules != 0 && r.Model.Rules != rb.Rules():
		return nil, &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but a grid over %d inputs has 2^%d = %d: leave it out", r.Model.Rules, M, M, rb.Rules())}
	}
	return rb, nil
}
