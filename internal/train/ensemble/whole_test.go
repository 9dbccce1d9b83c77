package ensemble_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
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
			from := testenv.Cases(10, 1000)
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

// generated returns n rows of Friedman's first function of ten features, with noise of a standard deviation.
func generated(b *testing.B, n int, noise float64, seed uint64) *data.Dataset {
	b.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, 10)
		for m := range x[i] {
			x[i][m] = rng.Float64()
		}
		y[i] = float64(10*math.Sin(math.Pi*x[i][0]*x[i][1])) + float64(20*(x[i][2]-0.5)*(x[i][2]-0.5)) + float64(10*x[i][3]) +
			float64(5*x[i][4]) + float64(noise*rng.NormFloat64())
	}
	d := must(data.New([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, "y", x, y))
	return d
}

// BenchmarkWhole trains on a million rows from buckets and in memory, from the same initial clusters with as many draws, with
// another seed each time, and reports the mean RMSE of both on fresh rows, with the noise and without it, as a ratio.
func BenchmarkWhole(b *testing.B) {
	const noise = 0.5
	all, fresh := generated(b, 1_000_000, noise, 1), generated(b, 100_000, 0, 2)
	robust := recipe.Robust()
	o := must(robust.With(robust.Train.Race[0]))
	prepared := func(d *data.Dataset) *fit.TrainingSet {
		set := must(fit.Prepare(b.Context(), d, o))
		return set
	}
	sample, memory := prepared(all.Sampled(1)), prepared(all)
	var start *rules.Clusters
	square := func(set *fit.TrainingSet) float64 {
		r := must(fit.TrainOn(b.Context(), set, nil, fit.Job{Recipe: o, Start: start}))
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

// weightedParts are a training and a test part with weights 1 to 3, and the same parts with
// rows repeated as often instead.
func weightedParts(t *testing.T) (parts, repeated *data.Parts) {
	t.Helper()
	parts, repeated = friedman(t, data.Split{Validation: 0.2}), &data.Parts{}
	for _, p := range []struct {
		d  *data.Dataset
		to **data.Dataset
	}{{parts.Train, &repeated.Train}, {parts.Validation, &repeated.Validation}, {parts.Test, &repeated.Test}} {
		var rows []int
		for i := range p.d.Y {
			rows = append(rows, slices.Repeat([]int{i}, 1+i%3)...)
		}
		*p.to = p.d.Subset(rows)
		for i := range p.d.Y {
			p.d.Weights = append(p.d.Weights, float64(1+i%3))
		}
	}
	return parts, repeated
}

// TestBaselinesAreWeighted: baselines equal those on repeated rows.
func TestBaselinesAreWeighted(t *testing.T) {
	parts, repeated := weightedParts(t)
	got := must(baseline.Measure(t.Context(), untrained(t, parts.Train), parts.Train, parts.Test))
	want := must(baseline.Measure(t.Context(), untrained(t, repeated.Train), repeated.Train, repeated.Test))
	if math.Abs(got.Linear.RMSE/want.Linear.RMSE-1) > 1e-9 || math.Abs(got.Constant.RMSE/want.Constant.RMSE-1) > 1e-9 ||
		math.Abs(got.Linear.R2-want.Linear.R2) > 1e-9 {
		t.Errorf("%+v, of repeated rows %+v", got, want)
	}
}

// TestValidationIsWeighted: the iteration kept and the errors reported equal those with
// repeated rows in the validation part.
func TestValidationIsWeighted(t *testing.T) {
	var run ensemble.Run
	parts, repeated := weightedParts(t)
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.ValidateEvery = 8, 60, 1
	var watched []float64
	run.OnIteration = func(m optim.Metrics) error { watched = append(watched, m.Watched["test"]); return nil }
	run.Watch = []fit.Watched{{Name: "test", Data: parts.Test}}
	got := train(t, parts.Train, parts.Validation, with(run, o))
	run.Watch[0].Data = repeated.Test
	want := train(t, parts.Train, repeated.Validation, with(run, o))
	if got.Training.Best != want.Training.Best || math.Abs(got.Training.BestValidation/want.Training.BestValidation-1) > 1e-9 {
		t.Errorf("%+v, with repeated rows %+v", got.Training, want.Training)
	}
	for i, v := range watched[60:] {
		if math.Abs(watched[i]/v-1) > 1e-9 {
			t.Fatalf("watched at iteration %d: %v, with repeated rows %v", i+1, watched[i], v)
		}
	}
	m := got.Model
	a, _ := m.Evaluate(t.Context(), parts.Test)
	if b, _ := m.Evaluate(t.Context(), repeated.Test); math.Abs(a.RMSE/b.RMSE-1) > 1e-9 || a.Samples != parts.Test.Len() {
		t.Errorf("%+v, of repeated rows %+v", a, b)
	}
}

// TestRaceIsWeighted: the score of a setting in a race is weighted, so that rows of large
// weight dominate it.
func TestRaceIsWeighted(t *testing.T) {
	d := friedman(t, data.Split{}).Train
	o := recipe.Robust()
	o.Model.Rules, o.Train.RaceSplits = 4, 1
	o.Train.Race = []recipe.Setting{{"iterations": 20}, {"iterations": 21}}
	plain := train(t, d, nil, o)
	d.Weights = make([]float64, d.Len())
	mean := 0.0
	for _, y := range d.Y {
		mean += y / float64(d.Len())
	}
	for i, y := range d.Y {
		d.Weights[i] = 1e-3 // far from the mean errors are large
		if math.Abs(y-mean) < 2 {
			d.Weights[i] = 1
		}
	}
	heavy := train(t, d, nil, o)
	for k, s := range heavy.Race {
		if !(s.Loss < 0.9*plain.Race[k].Loss) {
			t.Errorf("setting %d: weighted %v, without weights %v", k+1, s.Loss, plain.Race[k].Loss)
		}
	}
}

// TestPrunesByWeight: rules that fire only for samples of low weight are removed.
func TestPrunesByWeight(t *testing.T) {
	d := friedman(t, data.Split{}).Train
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 8, 30
	m := train(t, d, nil, o).Model
	x, err := m.Scale(d.X)
	if err != nil {
		t.Fatal(err)
	}
	heavy := 0 // the rule that fires most but one
	for r, rule := range m.Rules {
		stronger := 0
		for _, other := range m.Rules {
			if other.Share > rule.Share {
				stronger++
			}
		}
		if stronger == 1 {
			heavy = r
		}
	}
	d.Weights = make([]float64, d.Len())
	for n, f := range m.RuleBase.FiringLevels(x, nil) {
		d.Weights[n] = 1e-6
		if f[heavy] == slices.Max(f) {
			d.Weights[n] = 1
		}
	}
	o, err = recipe.Of(m)
	if err != nil {
		t.Fatal(err)
	}
	o.Prune = recipe.Prune{Rounds: 1, Gamma: 1e6, Theta: 1} // the strongest is left
	o.Train.Iterations = 1
	r := must(runOf(o).Prune(context.Background(), m, d, nil))
	for _, removed := range r.Prune[0].Removed {
		if removed.Rule == heavy+1 {
			t.Errorf("rule %d was removed: %v", heavy+1, r.Prune[0].Account)
		}
	}
}
