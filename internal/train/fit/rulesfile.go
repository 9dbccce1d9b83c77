package fit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

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
		return placed{}, &recipe.Error{Key: "model.curves", Message: fmt.Sprintf("%s, but the curves of %s are %s: use the same", r.Model.Curves, r.Model.Init, recipe.CurvesOf(rb))}
	}
	if r.Model.Order == 0 && rb.Terms() > 0 {
		return placed{}, &recipe.Error{Key: "model.order", Message: fmt.Sprintf("0, but rules of %s have slopes: set it to 1", r.Model.Init)}
	}
	rb.TNorm, rb.Defuzzification = r.Model.Inference()
	at := placed{rules: rb}
	switch more := r.Model.Rules - rb.Rules(); {
	case r.Model.Rules != 0 && more < 0:
		return placed{}, &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but %s has %d: set it to at least that, or leave it out", r.Model.Rules, r.Model.Init, rb.Rules())}
	case more > 0 && len(rb.Curves) > rb.OutputCount():
		return placed{}, &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but the rules of %s have curves of their own: leave it out", r.Model.Rules, r.Model.Init)}
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
	differs := func(key, is, stated string) error {
		return &recipe.Error{Key: key, Message: fmt.Sprintf("%s, but %s has %s: use the same", is, m.Init, stated)}
	}
	switch {
	case b.Shape != nil && !reflect.DeepEqual(b.Shape, m.Membership):
		return differs("model.membership", m.Membership.Name(), b.Shape.Name())
	case b.TNorm != "" && b.TNorm != m.TNorm:
		return differs("model.tnorm", m.TNorm, b.TNorm)
	case b.Defuzzification != "" && b.Defuzzification != m.Defuzzification:
		return differs("model.defuzzification", m.Defuzzification, b.Defuzzification)
	}
	return nil
}

// onRest returns the given rules and more on clusters of the samples that they cover least.
func onRest(ctx context.Context, set *TrainingSet, r recipe.Recipe, rb *rules.RuleBase, more int) (placed, error) {
	rng := rand.New(rand.NewPCG(r.Train.Seed, initStream))
	samples := set.clustered(more, rng)
	weights, uncovered := weighted.Each(samples.Weight, len(samples.X)), coverage(rb, samples.X)
	total := 0.0
	for n, c := range uncovered {
		uncovered[n] = float64(weights[n] * max(leastUncovered, 1-c))
		total += uncovered[n]
	}
	for n := range uncovered {
		uncovered[n] *= float64(len(uncovered)) / total // mean one
	}
	samples.Weight = uncovered
	clusters, err := initialisers[recipe.Clustering(rb.Shape)](ctx, samples, more, rng)
	if err != nil {
		return placed{}, err
	}
	found := rules.New(rb.Shape, clusters)
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
