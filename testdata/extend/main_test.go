package main

import (
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/cli"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference/inferencetest"
	"github.com/tskgraph/tskgraph/loss/losstest"
	"github.com/tskgraph/tskgraph/membership/membershiptest"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/optim/optimtest"
)

// What is added keeps to what tskgraph expects of its own.

func TestSech(t *testing.T)    { membershiptest.Run(t, Sech{}) }
func TestLogCosh(t *testing.T) { losstest.Run(t, LogCosh{}) }
func TestLion(t *testing.T)    { optimtest.Run(t, func() optim.Method { return new(Lion) }) }
func TestSharp(t *testing.T)   { inferencetest.Defuzzification(t, Sharp{}) }

// TestCommand runs command.txt: this program as its user sees it.
func TestCommand(t *testing.T) {
	testscript.Run(t, testscript.Params{Files: []string{"command.txt"}})
}

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"extend": cli.Main}) }

// TestLibrary trains in a program, and compares the predictions of the model with those of its file.
func TestLibrary(t *testing.T) {
	parts, err := data.Source{Builtin: "mackey-glass"}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	recipe := tskgraph.Paper()
	recipe.Model.Membership, recipe.Model.Defuzzification, recipe.Model.Rules = Sech{}, "sharp", 8
	recipe.Train.Loss, recipe.Train.Optimizer, recipe.Train.Iterations = "logcosh", "lion", 100
	result, err := tskgraph.Train(t.Context(), parts.Train, nil, recipe)
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/model.json"
	if err := result.Model.Save(file); err != nil {
		t.Fatal(err)
	}
	loaded, err := model.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	before, err := result.Model.Predict(parts.Test.X)
	if err != nil {
		t.Fatal(err)
	}
	after, err := loaded.Predict(parts.Test.X)
	if err != nil || !slices.Equal(after.Values, before.Values) {
		t.Errorf("the model of the file predicts %v, %v; before it was saved %v", after.Values[:3], err, before.Values[:3])
	}
}
