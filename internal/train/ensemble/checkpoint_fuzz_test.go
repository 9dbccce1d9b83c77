package ensemble_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/slow"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// FuzzCheckpoint: any bytes, as a file or as a content with a valid checksum, give an error
// that wraps ErrCheckpoint or a checkpoint that is encoded as it was read. Training resumes
// or refuses any checkpoint of its identity. Nothing panics.
func FuzzCheckpoint(f *testing.F) {
	racedetector.Skip(f)
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
	all := fuzzedRecipes()
	for _, r := range all {
		made := 0
		run := ensemble.Run{Recipe: r, CheckpointEvery: 1, OnCheckpoint: func(c *checkpoint.Checkpoint) {
			if made++; made%slow.Cases(4, 1) != 0 {
				return
			}
			var b bytes.Buffer
			if err := c.Encode(&b); err != nil {
				f.Error(err)
			}
			f.Add(b.Bytes())
			f.Add(b.Bytes()[bytes.IndexByte(b.Bytes(), '\n')+1:])
		}}
		if _, err := run.Train(context.Background(), d, nil); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		decoded(t, b)
		for _, r := range all {
			id, err := checkpoint.Of(r, map[string]*data.Dataset{"training part": d, "validation part": nil, "watched part": nil, "test part": nil})
			if err != nil {
				t.Fatal(err)
			}
			c := decoded(t, sealed(b, id)) // otherwise its identity is refused
			if c == nil {
				continue
			}
			c.Iterations()
			_, err = ensemble.Run{Recipe: r, Resume: c}.Train(context.Background(), d, nil)
			var fault *recipe.Error
			if err != nil && !errors.Is(err, checkpoint.ErrCheckpoint) && !errors.Is(err, optim.ErrDiverged) && !errors.As(err, &fault) {
				t.Fatalf("%T: %v", err, err)
			}
		}
	})
}

// fuzzedRecipes are recipes of short trainings: a single model, a race with a committee,
// least squares, and a tree.
func fuzzedRecipes() []recipe.Recipe {
	single := recipe.Paper()
	single.Model.Rules, single.Train.Iterations, single.Train.Batch, single.Prune.Rounds = 3, 6, 4, 1
	committee := recipe.Robust()
	committee.Model.Rules, committee.Train.Batch, committee.Train.Members = 2, 4, 2
	committee.Train.Race, committee.Train.RaceSplits, committee.Model.Antecedents = []recipe.Setting{{"iterations": 4},
		{"iterations": 6}}, 1, 1
	leastSquares := single
	leastSquares.Model.Init, leastSquares.Model.Consequents, leastSquares.Prune.Rounds = "genfis", recipe.LeastSquares, 0
	leastSquares.Train.Optimizer, leastSquares.Train.Batch, leastSquares.Train.DropRule, leastSquares.Train.L2 = "anfis", 0, 1, 0
	tree := single
	tree.Model.Init, tree.Model.Membership = recipe.Tree, membership.Sigmoid{}
	return []recipe.Recipe{single, committee, leastSquares, tree}
}

// decoded returns the checkpoint of a file, nil if it is refused. The checkpoint must be
// encoded as it was read.
func decoded(t *testing.T, file []byte) *checkpoint.Checkpoint {
	c, err := checkpoint.Decode(bytes.NewReader(file))
	if err != nil {
		if !errors.Is(err, checkpoint.ErrCheckpoint) {
			t.Fatalf("%T: %v", err, err)
		}
		return nil
	}
	var again bytes.Buffer
	if err := c.Encode(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
		t.Fatalf("encoded differently from what was read: %v", err)
	}
	return c
}

// sealed returns a file with the given content, a valid checksum and an identity.
func sealed(b []byte, id checkpoint.Identity) []byte {
	var content struct {
		Of     map[string]string `json:"of"`
		Race   json.RawMessage   `json:"race,omitempty"`
		Models json.RawMessage   `json:"models,omitempty"`
	}
	if json.Unmarshal(b, &content) != nil {
		return nil
	}
	content.Of = id
	text, err := json.Marshal(content)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(text)
	return fmt.Appendf(nil, "{\"format\":\"tskgraph checkpoint\",\"version\":1,\"size\":%d,\"checksum\":\"sha256:%s\"}\n%s\n", len(text),
		hex.EncodeToString(sum[:]), text)
}
