package tskgraph_test

import (
	"io"
	"testing"

	"github.com/tskgraph/tskgraph"
)

// BenchmarkCheckpoints measures training without checkpoints and with one every five
// seconds, as `train` writes them, and the cost of one.
func BenchmarkCheckpoints(b *testing.B) {
	var run tskgraph.Run
	d := table(b, 2000)
	o := tskgraph.Paper()
	o.Train.Iterations = 2000
	for name, tell := range map[string]func(*tskgraph.Checkpoint){
		"off": nil,
		"on":  func(*tskgraph.Checkpoint) {},
	} {
		b.Run(name, func(b *testing.B) {
			run.OnCheckpoint = tell
			for b.Loop() {
				train(b, d, nil, with(run, o))
			}
		})
	}
	b.Run("encode", func(b *testing.B) {
		var last *tskgraph.Checkpoint
		run.CheckpointEvery = 1
		run.OnCheckpoint = func(c *tskgraph.Checkpoint) {
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
