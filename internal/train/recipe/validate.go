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
)

// checkTable checks limits and choices.
func checkTable(r *Recipe) (found faults) {
	for _, k := range Keys() {
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
	for _, k := range Keys() {
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
		found.add(&Error{Key: "model.engine", With: []string{"train.rule_dropout", "train.batch_norm"}, Message: "engine fused has no Rule Dropout (train.rule_dropout) and no batch normalisation (train.batch_norm): choose auto or autodiff"})
	}
	engine, err := graph.Engine(r.Model.Engine, r.Model.Membership, inference.OrProduct(norm))
	if err != nil && slices.Contains([]string{"auto", "fused", "autodiff"}, r.Model.Engine) {
		found.add(&Error{Key: "model.engine", With: []string{"model.membership", "model.tnorm"}, Message: strings.TrimPrefix(err.Error(), graph.ErrGraph.Error()+": ")})
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
				Message: fmt.Sprintf("%d: optimizer %s (train.optimizer) needs the loss on all samples: set it to 0", r.Train.Batch, r.Train.Optimizer)})
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
