package fit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Two trainings on the same samples share a training set.
func ExampleTrainOn() {
	parts, err := data.Source{Builtin: "sinc"}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	r, err := recipe.Paper().Resolve()
	if err != nil {
		log.Fatal(err)
	}
	r.Model.Rules = 6
	set, err := fit.Prepare(context.Background(), parts.Train, r)
	if err != nil {
		log.Fatal(err)
	}
	for _, iterations := range []int{100, 500} {
		r.Train.Iterations = iterations
		result, err := fit.TrainOn(context.Background(), set, nil, fit.Job{Recipe: r})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Training.Best, "iterations,", result.Model.RuleBase.Rules(), "rules")
	}
	// Output:
	// 100 iterations, 6 rules
	// 500 iterations, 6 rules
}
