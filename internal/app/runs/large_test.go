package runs

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// large returns a short job on parts with a Whole.
func large(t *testing.T) Job {
	j := small(t, 1)
	j.Parts.Train, j.Parts.Validation, j.Parts.Test = wholetest.Every(j.Parts.Train, 3), wholetest.Every(j.Parts.Validation, 2), wholetest.Every(j.Parts.Test, 2)
	return j
}

// ending is a Whole that ends a context when a bucket is read.
type ending struct {
	data.Whole
	end func()
}

func (e ending) Bucket(i int) (*data.Dataset, error) {
	e.end()
	return e.Whole.Bucket(i)
}

// TestTrainLarge: a run on samples with a Whole measures all rows.
func TestTrainLarge(t *testing.T) {
	j := large(t)
	r := created(t, t.TempDir(), func(note string) { t.Error(note) })
	result, s, err := r.Train(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		d              *data.Dataset
		sample, counts int
		rmse           *float64
		key            string
	}{
		{j.Parts.Train, s.SampleTrain, s.SamplesTrain, s.Figures["rmse_train"], "rmse_train"},
		{j.Parts.Validation, s.SampleValidation, s.SamplesValidation, s.Figures["rmse_validation"], "rmse_validation"},
		{j.Parts.Test, s.SampleTest, s.SamplesTest, s.Figures["rmse_test"], "rmse_test"},
	} {
		e, err := result.Model.Evaluate(t.Context(), part.d)
		if err != nil || part.sample != part.d.Len() || part.counts != part.d.Whole.Len() || *part.rmse != e.RMSE || result.Model.Training.Metrics[part.key] != e.RMSE {
			t.Errorf("%s: %d of %d rows, %v in the summary, %v in the model; want %v, %v", part.key, part.sample, part.counts, *part.rmse, result.Model.Training.Metrics[part.key], e.RMSE, err)
		}
	}
	if m, err := model.Load(r.Path()); err != nil || m.Training.Samples != j.Parts.Train.Whole.Len() || m.Training.Sample != j.Parts.Train.Len() {
		t.Errorf("the model file: %+v, %v", m.Training, err)
	}
}

// TestTrainLargeInterrupted: a run whose context ends while all rows are measured keeps model, summary and checkpoint, and resumes
// after its last iteration.
func TestTrainLargeInterrupted(t *testing.T) {
	j := large(t)
	whole := created(t, t.TempDir(), nil)
	if _, _, err := whole.Train(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	test := j.Parts.Test.Whole
	j.Parts.Test.Whole = ending{test, cancel}
	r := created(t, t.TempDir(), nil)
	result, s, err := r.Train(ctx, j)
	if !errors.Is(err, context.Canceled) || result == nil || s == nil || !r.Resumable() {
		t.Fatalf("%v, resumable: %t", err, r.Resumable())
	}
	if s.SampleTest != 0 || s.SamplesTest != j.Parts.Test.Len() {
		t.Errorf("measured on %d test rows of a sample of %d", s.SamplesTest, s.SampleTest)
	}
	dir := r.Path()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	j.Parts.Test.Whole = test
	j.Training.OnIteration = func(m optim.Metrics) error { t.Errorf("iteration %d is made again", m.Iteration); return nil }
	again, err := Resume(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, _, err := again.Train(t.Context(), j); err != nil || again.Resumable() {
		t.Fatalf("%v, resumable: %t", err, again.Resumable())
	}
	if !bytes.Equal(read(t, again, model.FileName), read(t, whole, model.FileName)) {
		t.Error("the resumed run has another model")
	}
}

// TestPruneLarge: a pruned model and the one before are measured on all rows.
func TestPruneLarge(t *testing.T) {
	j := large(t)
	r := created(t, t.TempDir(), nil)
	result, _, err := r.Train(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	o, err := tskgraph.RecipeOf(result.Model)
	if err != nil {
		t.Fatal(err)
	}
	o.Prune.Rounds, o.Train.Iterations = 1, 10
	j.Training = tskgraph.Run{Recipe: o}
	pruned := created(t, t.TempDir(), nil)
	_, s, err := pruned.Prune(t.Context(), j, Saved{Model: result.Model, Path: "model.json"})
	if err != nil {
		t.Fatal(err)
	}
	if s.SamplesTrain != j.Parts.Train.Whole.Len() || s.Before.Errors.Test.Samples != j.Parts.Test.Whole.Len() {
		t.Errorf("measured on %d training rows, and %d test rows before pruning", s.SamplesTrain, s.Before.Errors.Test.Samples)
	}
}
