package tskgraph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/optim"
)

// FuzzCheckpoint: whatever the bytes, as a file or as a content under its checksum: no
// panic; an error that wraps ErrCheckpoint, or a checkpoint that is written as it was
// read. Whatever a checkpoint says, training goes on from it or refuses it.
func FuzzCheckpoint(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, 12), make([]float64, 12)
	for i := range x {
		x[i] = []float64{rng.NormFloat64(), rng.NormFloat64()}
		y[i] = x[i][0] * x[i][1]
	}
	d, err := data.New([]string{"a", "b"}, "y", x, y)
	if err != nil {
		f.Fatal(err)
	}
	single := Paper()
	single.Model.Rules, single.Train.Iterations, single.Train.Batch, single.Prune.Rounds = 3, 6, 4, 1
	committee := Robust()
	committee.Model.Rules, committee.Train.Iterations, committee.Train.Batch, committee.Train.Members = 2, 6, 4, 2
	committee.Train.Race, committee.Train.RaceSplits, committee.Model.Antecedents = []Setting{{Iterations: 4}, {Iterations: 6}}, 1, 1
	hybrid := single
	hybrid.Model.Init, hybrid.Model.Consequents, hybrid.Prune.Rounds = "genfis", leastSquaresConsequents, 0
	hybrid.Train.Optimizer, hybrid.Train.Batch, hybrid.Train.DropRule, hybrid.Train.L2 = "anfis", 0, 1, 0
	all := []Options{single, committee, hybrid}
	for _, o := range all {
		o.CheckpointEvery = 1
		o.OnCheckpoint = func(c *Checkpoint) {
			var b bytes.Buffer
			if err := c.Encode(&b); err != nil {
				f.Error(err)
			}
			f.Add(b.Bytes())
			f.Add(b.Bytes()[bytes.IndexByte(b.Bytes(), '\n')+1:])
		}
		if _, err := Train(context.Background(), d, nil, o); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, file := range [][]byte{b, sealed(b)} {
			c, err := DecodeCheckpoint(bytes.NewReader(file))
			if err != nil {
				if !errors.Is(err, ErrCheckpoint) {
					t.Fatalf("%T: %v", err, err)
				}
				continue
			}
			var again bytes.Buffer
			if err := c.Encode(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
				t.Fatalf("written otherwise than read: %v", err)
			}
			c.Iterations()
			for _, o := range all {
				if o.Train.Members > 1 != (len(c.content.Models) > 1 || c.content.Race != nil) {
					continue
				}
				c.content.Of, _ = o.origin(d, nil) // else it is refused for that
				o.Resume = c
				_, err := Train(context.Background(), d, nil, o)
				if err != nil && !errors.Is(err, ErrCheckpoint) && !errors.Is(err, optim.ErrDiverged) {
					var option *OptionError
					if !errors.As(err, &option) {
						t.Fatalf("%T: %v", err, err)
					}
				}
			}
		}
	})
}

// sealed puts a content, as the program would write it, under its checksum.
func sealed(b []byte) []byte {
	var content checkpointContent
	if json.Unmarshal(b, &content) != nil {
		return nil
	}
	text, err := json.Marshal(content)
	if err != nil {
		return nil
	}
	head, err := headOf(text)
	if err != nil {
		return nil
	}
	return append(append(head, text...), '\n')
}
