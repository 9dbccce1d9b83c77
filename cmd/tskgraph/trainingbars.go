package main

import (
	"io"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/optim"
)

// trainingBars show the race and then the iterations of a training.
type trainingBars struct {
	w          io.Writer
	all, made  int // iterations of all members together, and those made before the run was resumed
	recipe     tskgraph.Recipe
	race       display
	iterations *progress // nil before the first iteration
}

func newTrainingBars(w io.Writer, r tskgraph.Recipe, all, made int) *trainingBars {
	return &trainingBars{w: w, recipe: r, all: all, made: made}
}

// attach makes the bars show the progress of a run.
func (b *trainingBars) attach(run *tskgraph.Run) { run.OnRace, run.OnIteration = b.raced, b.iterated }

func (b *trainingBars) raced(done, all int) {
	if done == 0 {
		b.race = newDisplay(b.w, "race %d/%d", all, func(decor.Statistics) string { return "" })
	}
	b.race.set(done, all)
}

func (b *trainingBars) iterated(m optim.Metrics) error {
	if b.iterations == nil {
		b.race.stop()
		all := max(b.all, m.Of)
		if b.recipe.Train.Members <= 1 && b.recipe.Prune.Rounds == 0 {
			all = m.Of // of the setting that won the race
		}
		b.iterations = newProgress(b.w, all, b.made)
	}
	b.iterations.show(m)
	return nil
}

// stop ends the bars.
func (b *trainingBars) stop() {
	b.race.stop()
	if b.iterations != nil {
		b.iterations.stop()
	}
}
