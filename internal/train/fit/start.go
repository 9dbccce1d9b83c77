package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// initialisers are the initialisers by their names in recipe.Model.Init.
var initialisers = map[string]rules.Initialiser{"fcm": rules.FuzzyCMeans, "kmeans": rules.KMeans, recipe.ByClass: rules.KMeansByClass,
	"one-feature": rules.OneFeature, "genfis": genfis}

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
		return at, startsItself(init)
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
		knots := columns.Knots(m.Knots)
		for k, name := range recipe.ColumnsOf(s.prep) {
			if m.Roles.Lacks(name)&rules.KeepThen != 0 {
				knots[k] = nil
			}
		}
		rules.AddCurves(rb, knots, m.Curves == recipe.OwnCurves)
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
	confineUnits(rb, set.units(r.Model))
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
			return &recipe.Error{Key: "model.init",
				Message: fmt.Sprintf("the clusters of Run.Start are not those of %d rules over %d features with %d outputs", R, M, C)}
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
		return nil, &recipe.Error{Key: "model.init", With: []string{"data.pca"},
			Message: fmt.Sprintf("a grid over %d inputs would have 2^%d rules; it is limited to %d inputs: "+
				"set data.pca, such as 5, or leave features out (data.ignore)", M, M, rules.MaxGridInputs)}
	case err != nil:
		return nil, err
	case r.Model.Rules != 0 && r.Model.Rules != rb.Rules():
		return nil, &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but a grid over %d inputs has 2^%d = %d: leave it out",
			r.Model.Rules, M, M, rb.Rules())}
	}
	return rb, nil
}

// leastVariance is the ratio to the largest variance below which the variance of a
// component counts as rounding error.
const leastVariance = 1e-12

// principalComponents returns the first k principal components of the z-scores of the
// training samples x [N][M] with weights [N] (nil: all one); fewer for collinear features,
// none if there are at most k features. The sign of a component makes its largest loading,
// the first of equals, positive.
func principalComponents(ctx context.Context, prep model.Preprocessing, x [][]float64, weights []float64, k int) ([]model.Component,
	error) {
	M := len(prep.Used())
	if k == 0 || M <= k {
		return nil, nil
	}
	x, err := prep.Scale(x)
	if err != nil {
		return nil, &data.Error{Message: err.Error(), Err: err}
	}
	z := mat.NewDense(len(x), M, nil)
	for n, row := range x {
		z.SetRow(n, row)
	}
	var pc stat.PC
	found := false
	if err := parallel.Await(ctx, func() { found = pc.PrincipalComponents(z, weights) }); err != nil {
		return nil, interrupted(ctx)
	}
	if !found {
		return nil, &data.Error{Message: "the principal components of the features could not be computed: set data.pca to 0"}
	}
	variances := pc.VarsTo(nil)
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	var components []model.Component
	for i, v := range variances[:min(k, len(variances))] {
		if !(v > leastVariance*variances[0]) {
			break
		}
		c := model.Component{Loadings: mat.Col(nil, i, &vectors), SD: math.Sqrt(v), Min: math.Inf(1), Max: math.Inf(-1)}
		direct(c.Loadings)
		for _, row := range x {
			score := 0.0
			for m, v := range row {
				score += float64(c.Loadings[m] * v)
			}
			c.Min, c.Max = min(c.Min, score), max(c.Max, score)
		}
		components = append(components, c)
	}
	return components, nil
}

// direct makes the largest loading positive; of those equal up to rounding, the first.
func direct(loadings []float64) {
	largest := 0.0
	for _, v := range loadings {
		largest = max(largest, math.Abs(v))
	}
	for _, v := range loadings {
		if math.Abs(v) < largest*(1-1e-9) {
			continue
		}
		if v < 0 {
			for m := range loadings {
				loadings[m] = -loadings[m]
			}
		}
		return
	}
}

// spreadQuantiles adds to the bias of each output the quantile of its level of the residuals of
// the samples that fire a rule most. A rule with less than one sample beyond a quantile has that of all samples.
// The consequents of all outputs are equal before. x is [N][M] or [N][2M], y [N C], weights [N] (nil: all one).
func spreadQuantiles(rb *rules.RuleBase, x [][]float64, y, weights, levels []float64) {
	C, width, first := len(levels), rb.Features()+1, rb.Output(0)
	all, own := residuals{}, make([]residuals, rb.Rules())
	var which []int
	for n, f := range rb.FiringLevels(x, nil) {
		if which = rules.Strongest(f, which[:0]); len(which) == 0 {
			continue
		}
		r := which[0]
		e, w := y[n*C]-first.Consequent(r, x[n]), numeric.WeightAt(weights, n)
		all.add(e, w)
		own[r].add(e, w)
	}
	all.sort()
	for r, w := range rb.Consequents {
		own[r].sort()
		for c, level := range levels {
			from := own[r]
			if float64(len(from.e))*min(level, 1-level) < 1 {
				from = all
			}
			w[c*width] += from.quantile(level)
		}
	}
}

// residuals are weighted residuals.
type residuals struct{ e, w []float64 }

func (s *residuals) add(e, w float64) { s.e, s.w = append(s.e, e), append(s.w, w) }

func (s *residuals) sort() { stat.SortWeighted(s.e, s.w) }

func (s *residuals) quantile(level float64) float64 {
	if len(s.e) == 0 {
		return 0
	}
	return stat.Quantile(level, stat.Empirical, s.e, s.w)
}
