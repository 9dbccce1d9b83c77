package tskgraph_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/optim"
)

// Load data, train, measure, save, load, predict.
func Example() {
	parts, err := data.Source{Builtin: "mackey-glass"}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	result, err := tskgraph.Train(context.Background(), parts.Train, nil, tskgraph.Paper())
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(os.TempDir(), "mackey-glass.json")
	if err := result.Model.Save(path); err != nil {
		log.Fatal(err)
	}
	m, err := tskgraph.Load(path)
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(parts.Test.X[:1])
	fmt.Printf("predicted %.1f, observed %.1f, %v\n", p.Values[0], parts.Test.Y[0], err)
	// Output: predicted 1.1, observed 1.1, <nil>
}

// Remove one rule after the other from a model and compare the errors.
func ExamplePrunePath() {
	parts, err := data.Source{Builtin: "mackey-glass", Split: data.Split{Validation: 0.2}}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	o := tskgraph.Paper()
	o.Model.Rules = 6
	result, err := tskgraph.Train(context.Background(), parts.Train, parts.Validation, o)
	if err != nil {
		log.Fatal(err)
	}
	if o, err = tskgraph.RecipeOf(result.Model); err != nil {
		log.Fatal(err)
	}
	o.Train.Iterations = 100 // of each refinement
	path, err := tskgraph.PrunePath(context.Background(), result.Model, parts.Train, parts.Validation, o, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range path.Steps {
		fmt.Printf("%d rules: validation RMSE below 0.1: %t\n", step.Rules, *step.LossValidation < 0.1)
	}
	// Output:
	// 6 rules: validation RMSE below 0.1: true
	// 5 rules: validation RMSE below 0.1: true
	// 4 rules: validation RMSE below 0.1: true
	// 3 rules: validation RMSE below 0.1: true
	// 2 rules: validation RMSE below 0.1: true
}

// An interrupted training resumes from its last checkpoint and ends with the same model as
// without the interruption.
func ExampleDecodeCheckpoint() {
	parts, err := data.Source{}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	run := tskgraph.Run{Recipe: tskgraph.Paper()}
	var file bytes.Buffer // a program writes a file
	run.OnCheckpoint = func(c *tskgraph.Checkpoint) {
		file.Reset()
		if err := c.Encode(&file); err != nil {
			log.Print(err)
		}
	}
	ctx, interrupt := context.WithCancel(context.Background())
	run.OnIteration = func(m optim.Metrics) error {
		if m.Iteration == 200 {
			interrupt()
		}
		return nil
	}
	_, err = run.Train(ctx, parts.Train, nil)
	fmt.Println(errors.Is(err, context.Canceled))

	if run.Resume, err = tskgraph.DecodeCheckpoint(&file); err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Resume.Iterations())
	result, err := run.Train(context.Background(), parts.Train, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Training.Iterations)
	// Output:
	// true
	// [200]
	// 500
}
