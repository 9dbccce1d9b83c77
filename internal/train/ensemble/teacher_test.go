package ensemble_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// learner returns a recipe that fits noise closely, with a teacher or without.
func learner(teacher string) recipe.Recipe {
	o := quick()
	o.Model.Rules, o.Train.Iterations, o.Train.Optimizer, o.Train.Teacher = 12, 300, "adam", teacher
	o.Train.L2, o.Train.DropRule = 0, 1
	o.Train.Solver.Set("learning_rate", 0.05)
	return o
}

// spread returns the root mean square of the predictions.
func spread(t *testing.T, m *model.Model, d *data.Dataset) float64 {
	sum := 0.0
	for _, v := range testenv.Must(m.Predict(d.X)).Values {
		sum += v * v
	}
	return math.Sqrt(sum / float64(d.Len()))
}

// A committee that has not seen a sample does not know its noise: the taught model follows noise less. One that had seen it would
// predict the target nearly, and teach nothing.
func TestTeacherIsBlind(t *testing.T) {
	d := noise(200)
	own, taught := train(t, d, nil, learner(recipe.NoTeacher)), train(t, d, nil, learner(recipe.CommitteeTeacher))
	if own.Teaching != nil || taught.Teaching == nil {
		t.Fatalf("%v, %v", own.Teaching, taught.Teaching)
	}
	if d := taught.Teaching; !d.Kept || !(d.With < d.Without) || d.Metric != "RMSE" || d.Samples != 120 {
		t.Errorf("%+v of noise", d)
	}
	if a, b := spread(t, own.Model, d), spread(t, taught.Model, d); !(b < 0.8*a) {
		t.Errorf("predictions of noise spread by %v, taught by %v", a, b)
	}
	if e := taught.Model.Training.Metrics["rmse_train"]; !near(e, rmse(t, taught.Model, d), 1e-9) {
		t.Errorf("%v is not the error on the targets", e)
	}
}

// Of a target without noise there is nothing to learn from a committee of fewer rows: the model is that without a teacher, to the bit.
func TestTeacherLeftOut(t *testing.T) {
	d := wavy(200, 3, [2]uint64{1, 2}, 0)
	with, without := learner(recipe.CommitteeTeacher), learner(recipe.NoTeacher)
	with.Train.Iterations, without.Train.Iterations = 1500, 1500
	taught, own := train(t, d, nil, with), train(t, d, nil, without)
	if d := taught.Teaching; d == nil || d.Kept || d.With < d.Without {
		t.Errorf("%+v of a target without noise", d)
	}
	if rmse(t, taught.Model, d) != rmse(t, own.Model, d) {
		t.Error("the model without its teacher is another one")
	}
}

// In time order, the first block has no earlier rows to be predicted from, and keeps its targets.
func TestTeacherInTimeOrder(t *testing.T) {
	d := noise(120)
	d.Ordered = true
	if r := train(t, d, nil, learner(recipe.CommitteeTeacher)); r.Teaching == nil || !r.Teaching.Kept {
		t.Errorf("%+v", r.Teaching)
	}
}

// TestTeacherRefused has what cannot be taught.
func TestTeacherRefused(t *testing.T) {
	file := saved(t, train(t, table(60), nil, quick()).Model)
	for name, change := range map[string]func(o *recipe.Recipe){
		"a committee":   func(o *recipe.Recipe) { o.Train.Members = 2 },
		"a saved model": func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = file, 0 },
		"a log link":    func(o *recipe.Recipe) { o.Train.Loss = "poisson" },
	} {
		o := learner(recipe.CommitteeTeacher)
		change(&o)
		d := table(60)
		for i := range d.Y {
			d.Y[i] = math.Abs(d.Y[i])
		}
		_, err := ensemble.Run{Recipe: o}.Train(t.Context(), d, nil)
		testenv.FailsAs[*recipe.Error](t, err, "train.teacher: committee", name)
	}
}
