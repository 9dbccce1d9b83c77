// Command agreement trains a model on a built-in table by settings such as preset=paper data.builtin=sinc train.iterations=9, and writes
// model.json, metrics.json and predictions.json of the test part to the current directory. Its test compares what builds of it for two
// processors write. It links what trains and nothing else, so that it takes little time to compile.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

func main() {
	log.SetFlags(0)
	if err := train(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func train(settings []string) error {
	source, run, err := read(settings)
	if err != nil {
		return err
	}
	var metrics []optim.Metrics
	run.OnIteration = func(m optim.Metrics) error {
		metrics = append(metrics, m)
		return nil
	}
	ctx := context.Background()
	parts, err := source.Load(ctx)
	if err != nil {
		return err
	}
	result, err := run.Train(ctx, parts.Train, parts.Validation)
	if err != nil {
		return err
	}
	if parts.Calibration != nil {
		if err := result.Model.Calibrate(ctx, parts.Calibration, parts.Train); err != nil {
			return err
		}
	}
	predicted, err := result.Model.Predict(parts.Test.X)
	if err != nil {
		return err
	}
	if err := result.Model.Save("model.json"); err != nil {
		return err
	}
	// The members of a committee train concurrently.
	slices.SortStableFunc(metrics, func(a, b optim.Metrics) int { return cmp.Compare(a.Member, b.Member) })
	for name, value := range map[string]any{"metrics.json": metrics, "predictions.json": predicted} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// read returns the table and the recipe of settings; a preset comes first, and formula is a shape of
// one's own.
func read(settings []string) (source data.Source, run tskgraph.Run, err error) {
	source.Builtin, run.Recipe = "mackey-glass", recipe.Robust()
	for _, setting := range settings {
		key, value, _ := strings.Cut(setting, "=")
		switch key {
		case "preset":
			run.Recipe, err = recipe.Preset(value)
		case "data.builtin":
			source.Builtin = value
		case "data.calibration":
			source.Split.Calibration, err = strconv.ParseFloat(value, 64)
		case "formula":
			var f membership.Formula
			if err = json.Unmarshal([]byte(value), &f); err == nil {
				run.Recipe.Model.Membership, err = f.Shape()
			}
		default:
			err = run.Recipe.Set(key, value)
		}
		if err != nil {
			return source, run, err
		}
	}
	return source, run, nil
}
