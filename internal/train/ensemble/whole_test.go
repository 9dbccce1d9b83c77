package ensemble_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
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

// bucketed returns the sample of every third row of a table of 300, in buckets of 3, 0, 90, 160 and 47 rows, with a fault of reads or nil.
func bucketed(fault func(read int32) error) *data.Dataset {
	all := table(300)
	d := wholetest.Every(all, 3)
	d.Whole = uneven{Whole: d.Whole, all: all, borders: []int{3, 3, 93, 253, 300}, reads: new(atomic.Int32), fault: fault}
	return d
}

// streamed are trainings of the kinds that keep a place in the buckets.
func streamed() map[string]recipe.Recipe {
	p := recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
	return map[string]recipe.Recipe{
		"single":                  changed(quick(), func(o *recipe.Recipe) { o.Train.Iterations = 50 }), // 800 samples: more than two passes
		"pruned":                  changed(quick(), func(o *recipe.Recipe) { o.Model.Rules, o.Train.Iterations, o.Prune = 8, 60, p }),
		"committee":               changed(quick(), func(o *recipe.Recipe) { o.Train.Iterations, o.Train.Members = 50, 3 }),
		"short and sparse rules":  changed(unraced(30), func(o *recipe.Recipe) { o.Model.Antecedents, o.Model.Terms = 2, 1 }),
		"race, committee, pruned": changed(racing(), racingCommittee(2, 1, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3})),
	}
}

// TestResumeOfBuckets: a training on all rows of a Whole resumes with the same bits from every checkpoint: in the first bucket, at
// the border of two, in later passes, in parts, rounds of pruning and members.
func TestResumeOfBuckets(t *testing.T) {
	v := wholetest.Every(table(90), 3)
	for name, o := range streamed() {
		t.Run(name, func(t *testing.T) {
			from := testenv.CaseNumber(5, 20, 1000)
			if name == "single" {
				from = testenv.CaseNumber(30, 60, 1000) // by make matrix all
			}
			resumes(t, bucketed(nil), v, ensemble.Run{Recipe: o}, from)
		})
	}
}

// TestUnreadableBucketResumes: a bucket that cannot be read ends training with its error, and the checkpoint that is delivered
// then resumes to the same model.
func TestUnreadableBucketResumes(t *testing.T) {
	fault := &data.Error{Message: "the scratch file is damaged"}
	for name, o := range streamed() {
		d := bucketed(nil)
		want := encoded(t, train(t, d, nil, o).Model)
		reads := d.Whole.(uneven).reads.Load()
		for _, at := range []int32{1, 2, reads / 2, reads - 1} {
			broken := bucketed(func(read int32) error {
				if read == at {
					return fault
				}
				return nil
			})
			last, _, err := lastOf(t.Context(), ensemble.Run{Recipe: o}, broken)
			if !errors.Is(err, fault) {
				t.Fatalf("%s, read %d of %d: error is %v", name, at, reads, err)
			}
			if made := last.Iterations(); at > 2 && (len(made) == 0 || slices.Max(made) == 0) {
				t.Errorf("%s, read %d of %d: the checkpoint has no iterations", name, at, reads)
			}
			if encoded(t, train(t, d, nil, ensemble.Run{Recipe: o, Resume: last}).Model) != want {
				t.Errorf("%s, read %d of %d: another model", name, at, reads)
			}
		}
	}
}

// contrary returns a table whose rows beside every third are changed.
func contrary(d *data.Dataset, change func(y float64) float64) *data.Dataset {
	other := *d
	other.Y = slices.Clone(d.Y)
	for n := range other.Y {
		if n%3 != 0 {
			other.Y[n] = change(d.Y[n])
		}
	}
	return &other
}

// TestOtherRowsAreRefused: a checkpoint is not resumed on another Whole with the same sample.
func TestOtherRowsAreRefused(t *testing.T) {
	all, run := table(300), ensemble.Run{Recipe: quick()}
	last, _, err := lastOf(t.Context(), run, wholetest.Every(all, 3))
	if err != nil {
		t.Fatal(err)
	}
	run.Resume = last
	other := wholetest.Every(contrary(all, func(y float64) float64 { return y + 1 }), 3)
	if _, err := run.Train(context.Background(), other, nil); !errors.As(err, new(*checkpoint.ChangedError)) {
		t.Errorf("error is %v", err)
	}
}

// TestRowsBeyondTheSampleAreLearned: rows that are not in the sample change the model.
func TestRowsBeyondTheSampleAreLearned(t *testing.T) {
	all, o := table(300), quick()
	o.Train.Iterations = 400
	of := func(d *data.Dataset) float64 { return rmse(t, train(t, wholetest.Every(d, 3), nil, o).Model, all) }
	if same, other := of(all), of(contrary(all, func(y float64) float64 { return -y })); !(other > 1.3*same) {
		t.Errorf("RMSE %v after rows that agree with the sample, %v after rows that contradict it", same, other)
	}
}

// generated returns n rows of Friedman's first function of ten features, with noise of a standard deviation.
func generated(n int, noise float64, seed uint64) *data.Dataset {
	return drawn(n, 10, [2]uint64{seed, 7}, (*rand.Rand).Float64, func(x []float64, rng *rand.Rand) float64 {
		return float64(10*math.Sin(math.Pi*x[0]*x[1])) + float64(20*(x[2]-0.5)*(x[2]-0.5)) + float64(10*x[3]) + float64(5*x[4]) +
			float64(noise*rng.NormFloat64())
	})
}

// BenchmarkWhole trains on a million rows from buckets and in memory, from the same initial clusters with as many draws, with
// another seed each time, and reports the mean RMSE of both on fresh rows, with the noise and without it, as a ratio.
func BenchmarkWhole(b *testing.B) {
	const noise = 0.5
	all, fresh := generated(1_000_000, noise, 1), generated(100_000, 0, 2)
	robust := recipe.Robust()
	o := testenv.Must(robust.With(robust.Train.Race[0]))
	prepared := func(d *data.Dataset) *fit.TrainingSet { return testenv.Must(fit.Prepare(b.Context(), d, o)) }
	sample, memory := prepared(all.Sampled(1)), prepared(all)
	var start *rules.Clusters
	square := func(set *fit.TrainingSet) float64 {
		r := testenv.Must(fit.TrainOn(b.Context(), set, nil, fit.Job{Recipe: o, Start: start}))
		start = r.Start
		e := rmse(b, r.Model, fresh)
		return e * e
	}
	var ofBuckets, inMemory, pairs float64
	for b.Loop() {
		o.Train.Seed++
		ofBuckets += square(sample)
		inMemory += square(memory)
		pairs++
	}
	b.ReportMetric(math.Sqrt(ofBuckets/inMemory), "without-noise")
	b.ReportMetric(math.Sqrt((ofBuckets+pairs*noise*noise)/(inMemory+pairs*noise*noise)), "with-noise")
}

// weighted returns a data set with weights 1 to 3, and the same with rows repeated as often instead.
func weighted(d *data.Dataset) (with, repeated *data.Dataset) {
	var rows []int
	for i := range d.Y {
		rows = append(rows, slices.Repeat([]int{i}, 1+i%3)...)
		d.Weights = append(d.Weights, float64(1+i%3))
	}
	repeated = d.Subset(rows)
	repeated.Weights = nil
	return d, repeated
}

// TestValidationIsWeighted: the iteration kept and the errors reported equal those with
// repeated rows in the validation part.
func TestValidationIsWeighted(t *testing.T) {
	d, _ := weighted(table(200))
	v, often := weighted(table(80))
	o := quick()
	o.Train.Iterations, o.Train.ValidateEvery = 60, 1
	of := func(validation, test *data.Dataset) (r *ensemble.Result, watched []float64) {
		r = train(t, d, validation, ensemble.Run{Recipe: o, Watch: []fit.Watched{{Name: "test", Data: test}},
			OnIteration: func(m optim.Metrics) error { watched = append(watched, m.Watched["test"]); return nil }})
		return r, watched
	}
	got, watched := of(v, v)
	want, repeated := of(often, often)
	if got.Training.Best != want.Training.Best || !near(got.Training.BestValidation, want.Training.BestValidation, 1e-9) {
		t.Errorf("%+v, with repeated rows %+v", got.Training, want.Training)
	}
	if !slices.EqualFunc(watched, repeated, func(a, b float64) bool { return near(a, b, 1e-9) }) {
		t.Errorf("watched %v, with repeated rows %v", watched, repeated)
	}
	if a, b := testenv.Must(got.Model.Evaluate(t.Context(), v)), rmse(t, got.Model, often); !near(a.RMSE, b, 1e-9) || a.Samples != v.Len() {
		t.Errorf("%+v, of repeated rows RMSE %v", a, b)
	}
}

// TestRaceIsWeighted: the score of a setting in a race is weighted, so that rows of large
// weight dominate it.
func TestRaceIsWeighted(t *testing.T) {
	d, o := friedman(data.Split{}).Train, raceOf(recipe.Setting{"iterations": 20}, recipe.Setting{"iterations": 21})
	o.Model.Rules, o.Train.RaceSplits = 4, 1
	plain := train(t, d, nil, o).Race
	d.Weights = make([]float64, d.Len())
	for i, y := range d.Y {
		d.Weights[i] = 1e-3 // far from the mean errors are large
		if math.Abs(y-stat.Mean(d.Y, nil)) < 2 {
			d.Weights[i] = 1
		}
	}
	for k, s := range train(t, d, nil, o).Race {
		if !(s.Loss < 0.9*plain[k].Loss) {
			t.Errorf("setting %d: weighted %v, without weights %v", k+1, s.Loss, plain[k].Loss)
		}
	}
}
