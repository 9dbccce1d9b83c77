package ensemble_test

import (
	"io"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// BenchmarkCheckpoints measures training without checkpoints and with one every five
// seconds, as `train` writes them, and the cost of one.
func BenchmarkCheckpoints(b *testing.B) {
	var run ensemble.Run
	d := table(b, 2000)
	o := recipe.Paper()
	o.Train.Iterations = 2000
	for name, tell := range map[string]func(*checkpoint.Checkpoint){
		"off": nil,
		"on":  func(*checkpoint.Checkpoint) {},
	} {
		b.Run(name, func(b *testing.B) {
			run.OnCheckpoint = tell
			for b.Loop() {
				train(b, d, nil, with(run, o))
			}
		})
	}
	b.Run("encode", func(b *testing.B) {
		var last *checkpoint.Checkpoint
		run.CheckpointEvery = 1
		run.OnCheckpoint = func(c *checkpoint.Checkpoint) {
			if last == nil || c.Iterations()[0] == 1000 {
				last = c
			}
		}
		train(b, d, nil, with(run, o))
		for b.Loop() {
			if err := last.Encode(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}
