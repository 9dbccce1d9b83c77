package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// checkTable checks limits and choices.
func checkTable(r *Recipe) (found faults) {
	for _, k := range table() {
		if message := k.Field(r).fault(k, r); message != "" {
			found.add(&Error{Key: k.Name, Message: message})
		}
	}
	return found
}

// OneOf lists choices as in "choose a, b or c", with the file of a saved model if orModel.
func OneOf(choices []string, orModel bool) string {
	last := len(choices) - 1
	text := strings.Join(choices[:last], ", ") + " or " + choices[last]
	if orModel {
		text += ", or the file of a saved model, such as runs/no2-gaussian-001/model.json"
	}
	return text
}

// resolveChoices replaces empty strings by the choices of [Paper].
func resolveChoices(r *Recipe) {
	paper := Paper()
	for _, k := range table() {
		if f := k.Field(r); k.Choices != nil && f.Text() == "" {
			_ = f.Parse(k.Field(&paper).Text()) // any text is a choice
		}
	}
}

// resolveNames resolves the initialiser, the engine and the options of the optimizer.
func resolveNames(r *Recipe) (found faults) {
	if r.Model.Init == "auto" {
		r.Model.Init = Clustering(r.Model.Membership)
	}
	norm, _ := r.Model.Inference()
	if stock := withRuleDropout(r) || r.Train.BatchNorm; stock && r.Model.Engine == "auto" {
		r.Model.Engine = "autodiff"
	} else if stock && r.Model.Engine == "fused" {
		found.add(&Error{Key: "model.engine", With: []string{"train.rule_dropout", "train.batch_norm"},
			Message: "engine fused has no Rule Dropout (train.rule_dropout) and no batch normalisation (train.batch_norm): choose auto or autodiff"})
	}
	engine, err := graph.Engine(r.Model.Engine, r.Model.Membership, inference.OrProduct(norm))
	if err != nil && slices.Contains([]string{"auto", "fused", "autodiff"}, r.Model.Engine) {
		found.add(&Error{Key: "model.engine", With: []string{"model.membership", "model.tnorm"},
			Message: strings.TrimPrefix(err.Error(), graph.ErrGraph.Error()+": ")})
	} else if err == nil {
		r.Model.Engine = engine
	}
	if slices.Contains(optim.Solvers(), r.Train.Optimizer) {
		found = append(found, resolveSolver(r)...)
	}
	return found
}

// resolveSolver fills in the options of the optimizer.
func resolveSolver(r *Recipe) (found faults) {
	method, err := r.Train.Method()
	if err != nil {
		for _, err := range Parts(err) {
			if fault := new(optim.OptionError); errors.As(err, &fault) {
				found.add(&Error{Key: "train." + fault.Option, With: []string{"train.optimizer"}, Message: fault.Message})
			} else {
				found = append(found, err)
			}
		}
		return found
	}
	r.Train.Solver = optim.ValuesOf(method)
	if solver, _ := optim.New(method); r.Train.Batch != 0 {
		if _, ok := solver.(optim.LossSolver); ok {
			found.add(&Error{Key: "train.batch", With: []string{"train.optimizer"},
				Message: fmt.Sprintf("%d: optimizer %s (train.optimizer) needs the loss on all samples: set it to 0", r.Train.Batch,
					r.Train.Optimizer)})
		}
	}
	return found
}

// Clustering returns the initialiser that Model.Init auto stands for: fcm or, for a shape of bounded
// support, kmeans, whose clusters cover every sample.
func Clustering(f membership.Function) string {
	if bounded(f) {
		return "kmeans"
	}
	return "fcm"
}

// bounded reports whether a shape has bounded support: whether its grade is zero fifteen
// spreads from its center.
func bounded(f membership.Function) bool {
	g := []float64{-15, 15}
	f.Grades(g, g, f.Place(0, 1))
	return g[0] == 0 && g[1] == 0
}

// checkTogether checks combinations of values, which the table does not describe.
func checkTogether(r *Recipe) (found faults) {
	if p := r.Train.DropRule; p > 0 && p < optim.LeastKeep {
		found.add(&Error{Key: "train.droprule", Message: fmt.Sprintf("%v: the probability that a rule is kept must be at least %v", p,
			optim.LeastKeep)})
	}
	if b := r.Model.Range; b != nil && !(b[0] < b[1]) {
		found.add(&Error{Key: "model.range", Message: fmt.Sprintf("%v to %v: the first must be less than the second", b[0], b[1])})
	}
	found = append(append(found, checkLoss(r.Train)...), rolesClash(r)...)
	yeoJohnson := r.Model.Transform == "yeo-johnson"
	anfis := r.Train.Optimizer == "anfis"
	dropout, batchNorm := withRuleDropout(r), r.Train.BatchNorm
	for _, c := range append(slices.Concat(leastSquaresClashes(r), pageClashes(r), structureClashes(r)), []clash{
		{r.Model.Antecedents > 0 && !rules.CanBeFlat(r.Model.Membership), "model.antecedents", "model.membership", r.Model.Membership.Name() +
			" (model.membership) cannot be flat, so a rule has to mention every feature: set it to 0"},
		{r.Model.Init == Tree && !rules.CanBeFlat(r.Model.Membership), "model.init", "model.membership", r.Model.Membership.Name() +
			" (model.membership) cannot be flat, so rules cannot start from a tree: choose kmeans"},
		{r.Model.PCA > 0 && yeoJohnson, "model.transform", "data.pca", "principal components (data.pca) are not transformed: set it to none"},
		{r.Model.Init == "genfis" && yeoJohnson, "model.transform", "model.init",
			"init genfis (model.init) requires untransformed features: set it to none"},
		{r.Model.Init == Grid && r.Model.Antecedents > 0, "model.antecedents", "model.init",
			"the rules of a grid share their membership functions: set it to 0"},
		{r.Model.Terms > 0 && r.Model.Order == 0, "model.terms", "model.order", "constant THEN parts (model.order 0) have no terms: set it to 0"},
		{withTeacher(r) && r.Train.Members > 1, "train.teacher", "train.members",
			"committee: a committee (train.members) has no teacher: set it to none, or train.members to 1"},
		{dropout && r.Train.DropRule != 1, "train.rule_dropout", "train.droprule",
			fmt.Sprintf("%v: rules are discarded before or after the normalisation: set it or train.droprule to 1", r.Train.RuleDropout)},
		{dropout && r.Train.Agreement() != 0, "train.rule_dropout", "train.agreement",
			fmt.Sprintf("%v: the disagreement (train.agreement) is of all rules: set it to 0", r.Train.RuleDropout)},
		{batchNorm && r.Model.Terms > 0, "train.batch_norm", "model.terms",
			"terms (model.terms) are removed from THEN parts without normalisation: set it to false"},
		{batchNorm && r.Model.Order == 0, "train.batch_norm", "model.order",
			"constant THEN parts (model.order 0) have no inputs: set it to false"},
		{batchNorm && r.Train.Batch == 1, "train.batch_norm", "train.batch",
			"batches of one sample (train.batch) have no variance: set it to false"},
		{anfis && r.Train.Schedule == "cosine", "train.schedule", "train.optimizer",
			"optimizer anfis (train.optimizer) adapts its step size itself: set it to constant"},
		{anfis && !r.Train.squared(), "train.loss", "train.optimizer", r.Train.Loss +
			": optimizer anfis (train.optimizer) minimises the squared error: set it to sum or mean"},
		{anfis && r.Train.ConsequentRate != 0, "train.consequent_rate", "train.optimizer",
			"optimizer anfis (train.optimizer) has one step size: set it to 0"},
	}...) {
		if c.bad {
			found.add(&Error{Key: c.key, With: []string{c.with}, Message: c.message})
		}
	}
	return found
}

// clash is a combination of the values of two keys that cannot be trained.
type clash struct {
	bad                bool
	key, with, message string
}

// leastSquaresClashes returns the combinations with least squares.
func leastSquaresClashes(r *Recipe) []clash {
	if r.Model.Consequents != LeastSquares {
		return nil
	}
	return []clash{
		{r.Train.Batch != 0, "train.batch", "model.consequents",
			fmt.Sprintf("%d: least squares (model.consequents) requires all samples: set it to 0", r.Train.Batch)},
		{r.Train.DropRule != 1, "train.droprule", "model.consequents",
			fmt.Sprintf("%v: least squares (model.consequents) requires all rules: set it to 1", r.Train.DropRule)},
		{r.Model.Terms > 0, "model.terms", "model.consequents",
			"least squares (model.consequents) estimates all terms: set it to 0"},
		{r.Model.Curves != NoCurves, "model.curves", "model.consequents",
			"least squares (model.consequents) estimates linear THEN parts: set it to none"},
		{r.Model.Order == 0, "model.order", "model.consequents",
			"least squares (model.consequents) requires linear consequents: set it to 1"},
		{r.Model.Transform == "yeo-johnson", "model.transform", "model.consequents",
			"least squares (model.consequents) requires untransformed features: set it to none"},
		{r.Train.MeanLoss(), "train.loss", "model.consequents",
			"least squares (model.consequents) requires the paper's loss: set it to sum"},
		{r.Train.Shrink == "mean", "train.shrink", "model.consequents",
			"least squares (model.consequents) requires the paper's penalty: set it to zero"},
		{r.Train.Agreement() != 0, "train.agreement", "model.consequents",
			fmt.Sprintf("%v: least squares (model.consequents) requires the paper's penalty: set it to 0", r.Train.Agreement())},
		{withRuleDropout(r), "train.rule_dropout", "model.consequents",
			fmt.Sprintf("%v: least squares (model.consequents) requires all rules: set it to 1", r.Train.RuleDropout)},
		{r.Train.BatchNorm, "train.batch_norm", "model.consequents",
			"least squares (model.consequents) estimates the THEN parts without normalisation: set it to false"},
	}
}

// checkRace checks the settings of the race of an otherwise valid recipe.
func checkRace(r Recipe) (found faults) {
	if noRace(&r) {
		return nil
	}
	r = r.WithoutPage() // a page has no race
	for i, s := range r.Settings() {
		fail := func(part string, with []string, format string, a ...any) {
			found.add(&Error{Key: "train.race", With: with, Setting: i + 1, Part: part, Message: fmt.Sprintf("setting %d: ", i+1) +
				fmt.Sprintf(format, a...)})
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
		if len(r.entrants(0, classes)) == 0 {
			found.add(&Error{Key: "train.race",
				Message: "every setting has least_samples, or every one without it has classes: remove it from at least one"})
			break
		}
	}
	return found
}

// Error reports an invalid value of a recipe.
type Error struct {
	Key     string   // as config.yaml names it, e.g. "train.batch"
	With    []string // other keys whose values are involved
	Message string   // what is wrong and what to do

	// Setting is the number, from 1, of the faulty setting of a race, and Part the name
	// of the key in it; zero and empty if no setting is at fault.
	Setting int
	Part    string
}

func (e *Error) Error() string { return e.Key + ": " + e.Message }

// Parts returns the errors that [errors.Join] has joined. An error that wraps several in one text is one part.
func Parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if ok && fmt.Sprint(errors.Join(joined.Unwrap()...)) == err.Error() {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, Parts(e)...)
		}
		return all
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// faults collects errors.
type faults []error

func (f *faults) add(e *Error) { *f = append(*f, e) }

func (f faults) join() error { return errors.Join(f...) }
