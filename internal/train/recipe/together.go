package recipe

import (
	"fmt"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// checkTogether checks combinations of values, which the table does not describe.
func checkTogether(r *Recipe) (found faults) {
	if p := r.Train.DropRule; p > 0 && p < optim.LeastKeep {
		found.add(&Error{Key: "train.droprule", Message: fmt.Sprintf("%v: the probability that a rule is kept must be at least %v", p, optim.LeastKeep)})
	}
	if b := r.Model.Bounds; b != nil && !(b[0] < b[1]) {
		found.add(&Error{Key: "model.bounds", Message: fmt.Sprintf("%v to %v: the first must be less than the second", b[0], b[1])})
	}
	found = append(found, checkLoss(r.Train)...)
	leastSquares := r.Model.Consequents == LeastSquares
	yeoJohnson := r.Model.Transform == "yeo-johnson"
	anfis := r.Train.Optimizer == "anfis"
	dropout, batchNorm := withRuleDropout(r), r.Train.BatchNorm
	for _, c := range []struct {
		bad                bool
		key, with, message string
	}{
		{leastSquares && r.Train.Batch != 0, "train.batch", "model.consequents", fmt.Sprintf("%d: least squares (model.consequents) requires all samples: set it to 0", r.Train.Batch)},
		{leastSquares && r.Train.DropRule != 1, "train.droprule", "model.consequents", fmt.Sprintf("%v: least squares (model.consequents) requires all rules: set it to 1", r.Train.DropRule)},
		{r.Model.Antecedents > 0 && !rules.CanBeFlat(r.Model.Membership), "model.antecedents", "model.membership", r.Model.Membership.Name() + " (model.membership) cannot be flat, so a rule has to mention every feature: set it to 0"},
		{r.Model.Init == Tree && !rules.CanBeFlat(r.Model.Membership), "model.init", "model.membership", r.Model.Membership.Name() + " (model.membership) cannot be flat, so rules cannot start from a tree: choose kmeans"},
		{withSigns(r) && r.Model.PCA > 0, "model.signs", "data.pca", "rules over principal components (data.pca) have no slopes of columns: remove the key"},
		{withSigns(r) && r.Model.Order == 0, "model.signs", "model.order", "constant THEN parts (model.order 0) have no slopes: remove the key"},
		{withSigns(r) && batchNorm, "model.signs", "train.batch_norm", "batch normalisation (train.batch_norm) changes the slopes after training: set it to false"},
		{r.Model.PCA > 0 && yeoJohnson, "model.transform", "data.pca", "principal components (data.pca) are not transformed: set it to none"},
		{r.Model.Init == "genfis" && yeoJohnson, "model.transform", "model.init", "init genfis (model.init) requires untransformed features: set it to none"},
		{r.Model.Init == Grid && r.Model.Antecedents > 0, "model.antecedents", "model.init", "the rules of a grid share their membership functions: set it to 0"},
		{r.Model.Terms > 0 && r.Model.Order == 0, "model.terms", "model.order", "constant THEN parts (model.order 0) have no terms: set it to 0"},
		{leastSquares && r.Model.Terms > 0, "model.terms", "model.consequents", "least squares (model.consequents) estimates all terms: set it to 0"},
		{leastSquares && r.Model.Curves != NoCurves, "model.curves", "model.consequents", "least squares (model.consequents) estimates linear THEN parts: set it to none"},
		{leastSquares && r.Model.Order == 0, "model.order", "model.consequents", "least squares (model.consequents) requires linear consequents: set it to 1"},
		{leastSquares && yeoJohnson, "model.transform", "model.consequents", "least squares (model.consequents) requires untransformed features: set it to none"},
		{leastSquares && r.Train.MeanLoss(), "train.loss", "model.consequents", "least squares (model.consequents) requires the paper's loss: set it to sum"},
		{leastSquares && r.Train.Shrink == "mean", "train.shrink", "model.consequents", "least squares (model.consequents) requires the paper's penalty: set it to zero"},
		{leastSquares && r.Train.Agreement != 0, "train.agreement", "model.consequents", fmt.Sprintf("%v: least squares (model.consequents) requires the paper's penalty: set it to 0", r.Train.Agreement)},
		{dropout && r.Train.DropRule != 1, "train.rule_dropout", "train.droprule", fmt.Sprintf("%v: rules are discarded before or after the normalisation: set it or train.droprule to 1", r.Train.RuleDropout)},
		{dropout && r.Train.Agreement != 0, "train.rule_dropout", "train.agreement", fmt.Sprintf("%v: the disagreement (train.agreement) is of all rules: set it to 0", r.Train.RuleDropout)},
		{dropout && leastSquares, "train.rule_dropout", "model.consequents", fmt.Sprintf("%v: least squares (model.consequents) requires all rules: set it to 1", r.Train.RuleDropout)},
		{batchNorm && leastSquares, "train.batch_norm", "model.consequents", "least squares (model.consequents) estimates the THEN parts without normalisation: set it to false"},
		{batchNorm && r.Model.Terms > 0, "train.batch_norm", "model.terms", "terms (model.terms) are removed from THEN parts without normalisation: set it to false"},
		{batchNorm && r.Model.Order == 0, "train.batch_norm", "model.order", "constant THEN parts (model.order 0) have no inputs: set it to false"},
		{batchNorm && r.Train.Batch == 1, "train.batch_norm", "train.batch", "batches of one sample (train.batch) have no variance: set it to false"},
		{anfis && r.Train.Schedule == "cosine", "train.schedule", "train.optimizer", "optimizer anfis (train.optimizer) adapts its step size itself: set it to constant"},
		{anfis && !r.Train.squared(), "train.loss", "train.optimizer", r.Train.Loss + ": optimizer anfis (train.optimizer) minimises the squared error: set it to sum or mean"},
		{anfis && r.Train.ConsequentRate != 0, "train.consequent_rate", "train.optimizer", "optimizer anfis (train.optimizer) has one step size: set it to 0"},
	} {
		if c.bad {
			found.add(&Error{Key: c.key, With: []string{c.with}, Message: c.message})
		}
	}
	return found
}

// checkRace checks the settings of the race of an otherwise valid recipe.
func checkRace(r Recipe) (found faults) {
	if noRace(&r) {
		return nil
	}
	for i, s := range r.Settings() {
		fail := func(part string, with []string, format string, a ...any) {
			found.add(&Error{Key: "train.race", With: with, Setting: i + 1, Part: part, Message: fmt.Sprintf("setting %d: ", i+1) + fmt.Sprintf(format, a...)})
		}
		candidate, err := r.With(s)
		if err == nil && candidate.Model.FromFile() {
			fail("init", []string{"model.init"}, "a race cannot start from a saved model: remove model.init, or set train.race to []")
			continue
		}
		if err == nil {
			_, err = candidate.Resolve()
		}
		for _, e := range Parts(err) {
			part, with := "", []string(nil)
			if fault, ok := e.(*Error); ok {
				part, with = fault.Part, fault.With
				if fault.Key != "train.race" {
					with = append([]string{fault.Key}, with...)
				}
				if k, ok := Lookup(fault.Key); ok && k.Race {
					part = k.Own()
				}
			}
			fail(part, with, "%v", e)
		}
		if text := s.Text(LeastSamples); text != "" && s.LeastSamples() <= 0 {
			fail(LeastSamples, nil, "%s: %s: must be a whole number above 0", LeastSamples, text)
		}
	}
	for _, classes := range []bool{false, true} {
		if len(r.Entrants(0, classes)) == 0 {
			found.add(&Error{Key: "train.race", Message: "every setting has least_samples, or every one without it has classes: remove it from at least one"})
			break
		}
	}
	return found
}
