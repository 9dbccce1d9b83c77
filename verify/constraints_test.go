package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/membership"
)

// TestConstraints: every engine of every shape passes, and every mistake is caught.
func TestConstraints(t *testing.T) {
	racedetector.Skip(t)
	for _, name := range membership.Names() {
		shape, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, engine := range graph.Engines(shape, inference.Product{}) {
			c, err := Constraints(shape, engine, NetworkUpdate(engine), rand.New(rand.NewPCG(1, 3)))
			if err != nil || !c.Passed {
				t.Errorf("%s, %s: %s, %v", name, engine, c.Mismatch, err)
			}
		}
		trials, err := tryConstraints(shape, rand.New(rand.NewPCG(1, 4)))
		if err != nil || len(trials) != len(wrongUpdates) {
			t.Errorf("%s: %d trials, %v", name, len(trials), err)
		}
		for _, trial := range trials {
			if !trial.Caught {
				t.Errorf("%s: not caught: %s", name, trial.Wrong)
			}
		}
	}
}
