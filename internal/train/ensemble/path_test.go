package ensemble_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

func pathParts(t *testing.T) *data.Parts {
	t.Helper()
	parts, err := table(t, 300).Split(data.Split{Train: 0.7, Validation: 0.3, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func prunePath(t *testing.T, train, validation *data.Dataset, run ensemble.Run, r *ensemble.Result, least int) *fit.Path {
	t.Helper()
	p, err := run.PrunePath(context.Background(), r.Model, train, validation, least)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPrunePath(t *testing.T) {
	var run ensemble.Run
	parts := pathParts(t)
	o := quick()
	o.Model.Rules = 9
	r := train(t, parts.Train, nil, with(run, o))
	before := encoded(t, r.Model)
	o, err := recipe.Of(r.Model)
	if err != nil {
		t.Fatal(err)
	}
	o.Train.Iterations = 15
	seen := iterations(&run)
	p := prunePath(t, parts.Train, parts.Validation, with(run, o), r, 1)
	if len(p.Steps) != 9 || p.Training.Iterations != 8*15 || len(*seen) != 8*15 || (*seen)[119] != 120 {
		t.Fatalf("%d steps, %+v, %d iterations seen", len(p.Steps), p.Training, len(*seen))
	}
	for i, s := range p.Steps {
		if s.Rules != 9-i || s.Model.RuleBase.Rules() != s.Rules || (s.Decision == "") != (i == 0) {
			t.Errorf("step %d: %+v", i, s)
		}
		e, err := s.Model.Evaluate(t.Context(), parts.Train)
		if err != nil || e.RMSE != s.LossTrain {
			t.Errorf("step %d: RMSE %v, it says %v; %v", i, e.RMSE, s.LossTrain, err)
		}
		alone, err := model.MeasureReadability(context.Background(), s.Model, parts.Validation, nil)
		if err != nil || s.Fidelity == nil || *s.Fidelity != *alone.Fidelity {
			t.Errorf("step %d: fidelity %v, it says %v; %v", i, alone.Fidelity, s.Fidelity, err)
		}
		v, _ := s.Model.Evaluate(t.Context(), parts.Validation)
		if v.RMSE != *s.LossValidation {
			t.Errorf("step %d: validation RMSE %v, it says %v", i, v.RMSE, *s.LossValidation)
		}
	}
	if encoded(t, p.Steps[0].Model) != before {
		t.Error("the saved model was changed")
	}
	if again := prunePath(t, parts.Train, parts.Validation, with(run, o), r, 1); !reflect.DeepEqual(again.Steps, p.Steps) {
		t.Error("the same seed gave a different path")
	}
	if p := prunePath(t, parts.Train, nil, with(run, o), r, 5); len(p.Steps) != 5 || p.Steps[4].Rules != 5 ||
		p.Steps[0].LossValidation != nil {
		t.Errorf("down to 5: %d steps", len(p.Steps))
	}
	if p := prunePath(t, parts.Train, nil, with(run, o), r, 9); len(p.Steps) != 1 ||
		p.Training != (optim.Result{Stopped: optim.StoppedCompleted}) {
		t.Errorf("down to all rules: %+v", p)
	}
	var option *recipe.Error
	for _, least := range []int{0, 10} {
		if _, err := with(run, o).PrunePath(context.Background(), r.Model, parts.Train, nil, least); !errors.As(err, &option) {
			t.Errorf("down to %d: %v", least, err)
		}
	}

	ctx, cancel := context.WithCancel(context.Background())
	run.OnIteration = func(m optim.Metrics) error {
		if m.Iteration == 35 {
			cancel()
		}
		return nil
	}
	short, err := with(run, o).PrunePath(ctx, r.Model, parts.Train, parts.Validation, 1)
	if !errors.Is(err, context.Canceled) || len(short.Steps) != 3 || short.Training.Iterations != 35 ||
		short.Training.Stopped != optim.StoppedInterrupted {
		t.Errorf("interrupted: %v, %+v", err, short)
	}
}

// steps makes a path of validation RMSEs, from many rules to one.
func steps(se float64, rmse ...float64) *fit.Path {
	p := &fit.Path{}
	for i := range rmse {
		p.Steps = append(p.Steps, fit.PathStep{Rules: len(rmse) - i, LossTrain: float64(i), LossValidation: &rmse[i], StandardError: &se})
	}
	return p
}

func TestOneSE(t *testing.T) {
	for _, c := range []struct {
		path      *fit.Path
		best, one int
	}{
		{steps(0.1, 1.2, 1.0, 1.05, 1.11, 1.09, 1.2), 5, 2}, // 4 and 2 are within, 3 is not
		{steps(0.125, 1, 1.125, 1.5), 3, 2},                 // exactly one standard error
		{steps(0, 1, 1, 1.5), 2, 2},                         // of equals the one of fewer rules
		{steps(9, 1, 2, 3), 3, 1},
		{steps(1, 5), 1, 1},
	} {
		one, err := c.path.OneSE()
		if err != nil || c.path.Best().Rules != c.best || one.Rules != c.one {
			t.Errorf("best %d, one standard error %d, want %d and %d; %v", c.path.Best().Rules, one.Rules, c.best, c.one, err)
		}
	}
	p := steps(0.1, 1, 2)
	for i := range p.Steps {
		p.Steps[i].LossValidation, p.Steps[i].StandardError = nil, nil
	}
	var option *recipe.Error
	if _, err := p.OneSE(); !errors.As(err, &option) || p.Best().Rules != 2 {
		t.Errorf("without a validation part: %v, best %d", err, p.Best().Rules)
	}
}

// TestStandardError compares the standard error with the standard deviation of RMSEs over
// many validation parts of independent samples.
func TestStandardError(t *testing.T) {
	all := table(t, 30000)
	m := train(t, all.Subset(upTo(200)), nil, quick())
	o, err := recipe.Of(m.Model)
	if err != nil {
		t.Fatal(err)
	}
	var rmses []float64
	mean := 0.0
	for part := range 200 {
		rows := upTo(100)
		for i := range rows {
			rows[i] += 1000 + 100*part
		}
		p := prunePath(t, all.Subset(upTo(200)), all.Subset(rows), ensemble.Run{Recipe: o}, m, 4)
		rmses = append(rmses, *p.Steps[0].LossValidation)
		mean += *p.Steps[0].StandardError / 200
	}
	center, spread := 0.0, 0.0
	for _, v := range rmses {
		center += v / 200
	}
	for _, v := range rmses {
		spread += (v - center) * (v - center) / 199
	}
	if spread = math.Sqrt(spread); math.Abs(mean/spread-1) > 0.15 {
		t.Errorf("mean standard error %v, the RMSEs' standard deviation is %v", mean, spread)
	}
	one := prunePath(t, all.Subset(upTo(200)), all.Subset([]int{500}), ensemble.Run{Recipe: o}, m, 4)
	if *one.Steps[0].StandardError != 0 || one.Steps[0].Rules != 4 {
		t.Errorf("a single sample: %+v", one.Steps[0])
	}
}

func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
