package ensemble_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/slow"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// uneven deals the rows of a Whole to buckets of other sizes: of row numbers from 0 up to each border.
type uneven struct {
	data.Whole
	all     *data.Dataset
	borders []int
	reads   *atomic.Int32
	fault   func(read int32) error // of the read with this number, from 1; nil: none
}

func (u uneven) Buckets() int { return len(u.borders) }

func (u uneven) Bucket(i int) (*data.Dataset, error) {
	if read := u.reads.Add(1); u.fault != nil {
		if err := u.fault(read); err != nil {
			return nil, err
		}
	}
	var rows []int
	for row := slices.Concat([]int{0}, u.borders)[i]; row < u.borders[i]; row++ {
		rows = append(rows, row)
	}
	if rows == nil {
		return nil, nil
	}
	return u.all.Subset(rows), nil
}

// large returns the sample of every third row of a table of 300, in buckets of 3, 0, 90, 160 and 47 rows.
func large(t *testing.T) *data.Dataset {
	t.Helper()
	all := table(t, 300)
	d := wholetest.Every(all, 3)
	d.Whole = uneven{Whole: d.Whole, all: all, borders: []int{3, 3, 93, 253, 300}, reads: new(atomic.Int32)}
	return d
}

// streamed are trainings of the kinds that keep a place in the buckets.
func streamed() map[string]recipe.Recipe {
	small := quick()
	small.Train.Iterations = 50 // 800 samples: more than two passes
	pruned := quick()
	pruned.Model.Rules, pruned.Train.Iterations = 8, 60
	pruned.Prune = recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
	members := small
	members.Train.Members = 3
	robust := racing()
	robust.Train.Race, robust.Train.RaceSplits = []recipe.Setting{{"iterations": 2}, {"iterations": 30}}, 1
	robust.Train.Members, robust.Prune, robust.Model.Rules = 2, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}, 8
	sparse := racing()
	sparse.Train.Race, sparse.Train.RaceSplits, sparse.Train.Iterations = nil, 0, 30
	sparse.Model.Antecedents, sparse.Model.Terms = 2, 1
	return map[string]recipe.Recipe{"single": small, "pruned": pruned, "committee": members, "race, committee, pruned": robust,
		"short and sparse rules": sparse}
}

// TestResumeOfBuckets: a training on all rows of a Whole resumes with the same bits from every checkpoint: in the first bucket, at
// the border of two, in later passes, in parts, rounds of pruning and members.
func TestResumeOfBuckets(t *testing.T) {
	v := wholetest.Every(table(t, 90), 3)
	for name, o := range streamed() {
		t.Run(name, func(t *testing.T) {
			from := slow.Cases(10, 1000)
			if name == "single" {
				from = 1000 // all
			}
			resumes(t, large(t), v, runOf(o), from)
		})
	}
}

// TestUnreadableBucketResumes: a bucket that cannot be read ends training with its error, and the checkpoint that is delivered
// then resumes to the same model.
func TestUnreadableBucketResumes(t *testing.T) {
	fault := &data.Error{Message: "the scratch file is damaged"}
	for name, o := range streamed() {
		d := large(t)
		want := encoded(t, train(t, d, nil, o).Model)
		whole := d.Whole.(uneven)
		reads := whole.reads.Load()
		for _, at := range []int32{1, 2, reads / 2, reads - 1} {
			broken := *d
			broken.Whole = uneven{Whole: whole.Whole, all: whole.all, borders: whole.borders, reads: new(atomic.Int32),
				fault: func(read int32) error {
					if read == at {
						return fault
					}
					return nil
				}}
			var last *checkpoint.Checkpoint
			run := with(ensemble.Run{OnCheckpoint: func(c *checkpoint.Checkpoint) { last = c }, CheckpointEvery: math.MaxInt64}, o)
			if _, err := run.Train(context.Background(), &broken, nil); !errors.Is(err, fault) {
				t.Fatalf("%s, read %d of %d: error is %v", name, at, reads, err)
			}
			made := 0
			for _, n := range last.Iterations() {
				made += n
			}
			if made == 0 && at > 2 {
				t.Errorf("%s, read %d of %d: the checkpoint has no iterations", name, at, reads)
			}
			again := with(ensemble.Run{Resume: last}, o)
			if got := encoded(t, train(t, d, nil, again).Model); got != want {
				t.Errorf("%s, read %d of %d: another model", name, at, reads)
			}
		}
	}
}

// TestOtherRowsAreRefused: a checkpoint is not resumed on another Whole with the same sample.
func TestOtherRowsAreRefused(t *testing.T) {
	all := table(t, 300)
	d := wholetest.Every(all, 3)
	var last *checkpoint.Checkpoint
	run := with(ensemble.Run{OnCheckpoint: func(c *checkpoint.Checkpoint) { last = c }}, quick())
	train(t, d, nil, run)
	changed := *all
	changed.Y = slices.Clone(all.Y)
	changed.Y[1]++ // not in the sample
	rows := make([]int, 0, 100)
	for row := 0; row < 300; row += 3 {
		rows = append(rows, row)
	}
	run = with(ensemble.Run{Resume: last}, quick())
	if _, err := run.Train(context.Background(), wholetest.Sample(&changed, rows, 7), nil); !errors.As(err, new(*checkpoint.ChangedError)) {
		t.Errorf("error is %v", err)
	}
}

// TestRowsBeyondTheSampleAreLearned: rows that are not in the sample change the model.
func TestRowsBeyondTheSampleAreLearned(t *testing.T) {
	all := table(t, 300)
	changed := *all
	changed.Y = slices.Clone(all.Y)
	for n := range changed.Y {
		if n%3 != 0 {
			changed.Y[n] = -all.Y[n]
		}
	}
	o := quick()
	o.Train.Iterations = 400
	of := func(d *data.Dataset) float64 { return rmse(t, train(t, wholetest.Every(d, 3), nil, o).Model, all) }
	if same, other := of(all), of(&changed); !(other > 1.3*same) {
		t.Errorf("RMSE %v after rows that agree with the sample, %v after rows that contradict it", same, other)
	}
}
