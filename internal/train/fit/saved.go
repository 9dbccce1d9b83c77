package fit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// fromModel returns a trainer that starts with a model's rules and keeps its
// preprocessing. The features, the target and the shape must be the model's.
func fromModel(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job) (*trainer, error) {
	if j.Start != nil {
		return nil, &recipe.Error{Key: "model.init", Message: "Run.Start does not apply to the rules of a saved model"}
	}
	if err := agrees(m, j.Recipe); err != nil {
		return nil, err
	}
	for _, d := range []*data.Dataset{train, validation} {
		if d == nil {
			continue
		}
		if err := matches(m, d); err != nil {
			return nil, &data.Error{Message: err.Error(), Err: err}
		}
	}
	prep := m.Preprocessing
	if err := prep.Narrow((*[2]float64)(j.Recipe.Model.Range)); err != nil {
		return nil, err
	}
	set, err := scaled(prep, train)
	if err != nil {
		return nil, err
	}
	t, err := newTrainer(set, validation, j)
	if err != nil {
		return nil, err
	}
	t.rules = m.RuleBase.Clone()
	if err := j.Recipe.Model.Bound(t.rules, prep); err != nil {
		return nil, err
	}
	return t, set.addCurves(ctx, t.rules, j.Recipe.Model)
}

// agrees checks that a recipe matches the model that training continues from.
func agrees(m *model.Model, r recipe.Recipe) error {
	if err := recipe.RefuseCommittee(m); err != nil {
		return err
	}
	const source = "the saved model"
	rb, k := m.RuleBase, len(m.Components)
	norm, defuzzification := inference.OrProduct(rb.TNorm).Name(), inference.OrTSK(rb.Defuzzification).Name()
	switch {
	case r.Model.Rules != 0 && r.Model.Rules != rb.Rules():
		return &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but the saved model has %d: leave it out", r.Model.Rules, rb.Rules())}
	case !reflect.DeepEqual(r.Model.Membership, rb.Shape):
		return differs("model.membership", r.Model.Membership.Name(), source, rb.Shape.Name())
	case r.Model.TNorm != norm:
		return differs("model.tnorm", r.Model.TNorm, source, norm)
	case r.Model.Defuzzification != defuzzification:
		return differs("model.defuzzification", r.Model.Defuzzification, source, defuzzification)
	case rb.Curves != nil && recipe.CurvesOf(rb) != r.Model.Curves && (rb.Rules() > 1 || r.Model.Curves == recipe.NoCurves):
		return otherCurves(r.Model, source, rb)
	case r.Model.PCA != 0 && r.Model.PCA != k && (k > 0 || r.Model.PCA < len(m.Used())):
		return &recipe.Error{Key: "data.pca", Message: fmt.Sprintf("%d, but the saved model has %d components: leave it out", r.Model.PCA, k)}
	}
	return nil
}

// differs returns the error about a value of a recipe that the source of its rules has otherwise.
func differs(key, is, source, stated string) error {
	return &recipe.Error{Key: key, Message: fmt.Sprintf("%s, but %s has %s: use the same", is, source, stated)}
}

func otherCurves(m recipe.Model, source string, rb *rules.RuleBase) error {
	return &recipe.Error{Key: "model.curves", Message: fmt.Sprintf("%s, but the curves of %s are %s: use the same", m.Curves, source,
		recipe.CurvesOf(rb))}
}

// matches checks that training can continue from a model on a data set.
func matches(m *model.Model, d *data.Dataset) error {
	if d.Schema.Target != m.Schema.Target {
		return fmt.Errorf("the target is %q, that of the saved model %q", d.Schema.Target, m.Schema.Target)
	}
	if got, want := d.Schema.Offset, m.Schema.Offset; got != want {
		return fmt.Errorf("the exposure is %q, that of the saved model %q: use the same (data.offset), and loss", got.Column, want.Column)
	}
	if got, want := d.Schema.Targets(), m.Schema.Targets(); !slices.Equal(got, want) {
		return fmt.Errorf("the targets are %q, those of the saved model %q: list the same (data.target)", got, want)
	}
	if got, want := d.Schema.Classes, m.Schema.Classes; !slices.Equal(got, want) {
		return fmt.Errorf("the classes of the target are %s, those of the saved model %s: give rows of the same classes", escape.List(got),
			escape.List(want))
	}
	got, want := d.Schema.Features(), m.Schema.Features()
	for _, name := range want {
		if !slices.Contains(got, name) {
			return fmt.Errorf("feature %q of the saved model is missing", name)
		}
	}
	for i, name := range got {
		if !slices.Contains(want, name) {
			return fmt.Errorf("feature %q is not in the saved model: leave it out (data.ignore)", name)
		}
		if name != want[i] {
			return fmt.Errorf("the features are not in the order of the saved model: list them in its order (data.features: [%s])",
				strings.Join(want, ", "))
		}
	}
	for i, c := range m.Schema.Columns {
		if o := d.Schema.Columns[i]; o.Encoding != c.Encoding || !slices.Equal(o.Levels, c.Levels) {
			return fmt.Errorf("column %q is %s %v, but %s %v in the saved model: set data.categorical to match it", c.Name, o.Encoding, o.Levels,
				c.Encoding, c.Levels)
		}
	}
	if d.Missing.Policy == "mean" && !m.ImputeMeans {
		return fmt.Errorf("missing values are filled with the mean, but the saved model does not accept them: set data.missing to error or drop")
	}
	return nil
}

// onRules places the rules of a file and, if the recipe has more, those on clusters of the samples that
// the rules of the file cover least: each sample counts with its weight times one minus the largest
// firing level of these rules. Consequents of the file are on the scale of the link already.
func onRules(ctx context.Context, set *TrainingSet, r recipe.Recipe) (placed, error) {
	book, err := byhand.ReadFile(r.Model.Init)
	if err != nil {
		return placed{}, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	if err := suits(book, r.Model); err != nil {
		return placed{}, err
	}
	rb, err := book.Start(set.prep, r.Model.Membership)
	if err != nil {
		return placed{}, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	if rb.Curves != nil && recipe.CurvesOf(rb) != r.Model.Curves {
		return placed{}, otherCurves(r.Model, r.Model.Init, rb)
	}
	if r.Model.Order == 0 && rb.Terms() > 0 {
		return placed{}, &recipe.Error{Key: "model.order", Message: fmt.Sprintf("0, but rules of %s have slopes: set it to 1", r.Model.Init)}
	}
	rb.TNorm, rb.Defuzzification = r.Model.Inference()
	at := placed{rules: rb}
	switch more := r.Model.Rules - rb.Rules(); {
	case r.Model.Rules != 0 && more < 0:
		return placed{}, &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but %s has %d: set it to at least that, or leave it out",
			r.Model.Rules, r.Model.Init, rb.Rules())}
	case more > 0 && len(rb.Curves) > rb.OutputCount():
		return placed{}, &recipe.Error{Key: "model.rules",
			Message: fmt.Sprintf("%d, but the rules of %s have curves of their own: leave it out", r.Model.Rules, r.Model.Init)}
	case r.Model.Rules != 0 && more > 0:
		if at, err = onRest(ctx, set, r, rb, more); err != nil {
			return at, err
		}
	}
	if r.Model.SpreadFloor > 0 { // no spread of the file is below it
		at.rules.SpreadFloor = min(at.rules.SpreadFloor, r.Model.SpreadFloor)
	}
	return at, nil
}

// suits checks that a recipe has the shape, the t-norm and the defuzzification that a file of rules
// states.
func suits(b *byhand.Rulebook, m recipe.Model) error {
	switch {
	case b.Shape != nil && !reflect.DeepEqual(b.Shape, m.Membership):
		return differs("model.membership", m.Membership.Name(), m.Init, b.Shape.Name())
	case b.TNorm != "" && b.TNorm != m.TNorm:
		return differs("model.tnorm", m.TNorm, m.Init, b.TNorm)
	case b.Defuzzification != "" && b.Defuzzification != m.Defuzzification:
		return differs("model.defuzzification", m.Defuzzification, m.Init, b.Defuzzification)
	}
	return nil
}

// onRest returns the given rules and more on clusters of the samples that they cover least.
func onRest(ctx context.Context, set *TrainingSet, r recipe.Recipe, rb *rules.RuleBase, more int) (placed, error) {
	rng := rand.New(rand.NewPCG(r.Train.Seed, initStream))
	samples := set.clustered(more, rng)
	weights, uncovered := numeric.EachWeight(samples.Weight, len(samples.X)), coverage(rb, samples.X)
	total := 0.0
	for n, c := range uncovered {
		uncovered[n] = float64(weights[n] * max(leastUncovered, 1-c))
		total += uncovered[n]
	}
	for n := range uncovered {
		uncovered[n] *= float64(len(uncovered)) / total // mean one
	}
	samples.Weight = uncovered
	clusters, err := set.clustersOf(ctx, r, recipe.Clustering(rb.Shape), samples, more, rng)
	if err != nil {
		return placed{}, err
	}
	found := rules.New(rb.Shape, clusters)
	confineUnits(found, set.units(r.Model))
	if err := onLink(set, found); err != nil {
		return placed{}, err
	}
	return placed{rules: rules.Append(rb, found), notes: clusters.Notes()}, nil
}

// leastUncovered is the least weight of a sample that rules cover, so that there are samples where
// they cover all.
const leastUncovered = 1e-3

// coverage returns the largest firing level of a rule on each of the samples x [N][M], from 0 to 1.
func coverage(rb *rules.RuleBase, x [][]float64) []float64 {
	all, column := make([]float64, len(x)), make([]float64, len(x))
	firing, grades := make([]float64, len(x)), make([]float64, len(x))
	norm, p := inference.OrProduct(rb.TNorm), make([]float64, len(rb.Antecedents))
	for r := range rb.Rules() {
		for n := range firing {
			firing[n] = 1
		}
		for m := range rb.Features() {
			for n, row := range x {
				column[n] = row[m]
			}
			rb.Shape.Grades(grades, column, rb.Function(p, r, m))
			norm.Join(firing, grades)
		}
		for n, f := range firing {
			all[n] = max(all[n], min(f, 1))
		}
	}
	return all
}

// onLink moves the initial consequents of rules, which predict the targets themselves, to
// the scale of the link. With the identity link they stay, and with the ordered link the
// biases move by quantiles of the residuals, see spreadQuantiles. With another link, slopes become
// zero, and the response to the biases is the mean target of each rule.
func onLink(set *TrainingSet, rb *rules.RuleBase) error {
	link, err := loss.LookupLink(set.prep.Link())
	if err != nil || link.Name() == loss.Identity().Name() {
		return err
	}
	if levels := set.prep.Response.Quantiles; levels != nil {
		spreadQuantiles(rb, set.x, set.y, set.data.Weights, levels)
		return nil
	}
	means := meanTargets(set, rb)
	rb.SetOutputs(len(means[0]))
	for r, mean := range means {
		link.Of(mean, mean)
		for c, bias := range mean {
			rb.Output(c).Consequents[r][0] = bias
		}
	}
	return nil
}

// meanTargets returns the mean targets [R][C] of the rules: those of the samples by the
// rule's normalised firing level and weight, and the overall mean with the weight of one
// sample, so that means are inside the range of the responses. That of a class without
// samples is less than half the least mean of a class with one.
func meanTargets(set *TrainingSet, rb *rules.RuleBase) [][]float64 {
	N, R := len(set.x), rb.Rules()
	C := len(set.y) / N
	overall, sums, firing := make([]float64, C), make([][]float64, R), make([]float64, R)
	total := numeric.WeightSum(set.data.Weights, N)
	for n := range N {
		for c, t := range set.y[n*C : (n+1)*C] {
			overall[c] += float64(numeric.WeightAt(set.data.Weights, n) / total * t)
		}
	}
	for r := range sums {
		sums[r] = append([]float64(nil), overall...)
		firing[r] = 1
	}
	const rows = 1024
	for start := 0; start < N; start += rows {
		for i, levels := range rb.FiringLevels(set.x[start:min(start+rows, N)], nil) {
			n := start + i
			for r, level := range levels {
				w := float64(level * numeric.WeightAt(set.data.Weights, n))
				firing[r] += w
				for c, t := range set.y[n*C : (n+1)*C] {
					sums[r][c] += float64(w * t)
				}
			}
		}
	}
	low, high := slices.Min(set.y), slices.Max(set.y)
	if set.data.Schema.Classes != nil {
		low = 0.5 / (float64(N) * float64(N+1))
		high = 1 - low
	}
	for r, sum := range sums {
		for c := range sum {
			sum[c] = min(max(sum[c]/firing[r], low), high) // rounded, the mean of a constant may be outside
		}
	}
	return sums
}
