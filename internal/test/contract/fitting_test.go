package contract_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Learns checks that the training error is at least a tenth less than that of the mean.
func Learns(e Estimator) error {
	d := table(4 * samples)
	got, err := learned(e, d, 0, d.X)
	if err != nil {
		return err
	}
	mean := 0.0
	for _, y := range d.Y {
		mean += y / float64(len(d.Y))
	}
	if error, spread := scatter(got, d.Y), scatter(slices.Repeat([]float64{mean}, len(d.Y)), d.Y); !(error < 0.9*spread) {
		return fmt.Errorf("RMSE %v, that of the mean is %v", error, spread)
	}
	return nil
}

// FitIsIdempotent checks that repeated training on the same data gives the same file, also
// after training on other data.
func FitIsIdempotent(e Estimator) error {
	var files []string
	for _, n := range []int{samples, samples, samples / 2, samples} {
		m, err := e.Fit(table(n), 0)
		if err != nil {
			return err
		}
		f, err := file(m)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	switch {
	case files[0] != files[1]:
		return errors.New("the same data gave a different model")
	case files[0] != files[3]:
		return errors.New("after training on other data, the same data gave a different model")
	}
	return nil
}

// WorkersChangeNothing checks that training and prediction give the same bits on one
// processor and on seven. The table is longer than every block of rows.
func WorkersChangeNothing(e Estimator) error {
	d := table(4500)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m, err := e.Fit(d, 0)
	if err != nil {
		return err
	}
	want, err := values(m, d.X)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(7)
	got, err := values(m, d.X)
	if err != nil {
		return err
	}
	if err := same(got, want); err != nil {
		return fmt.Errorf("predicted on 7 processors: %w", err)
	}
	if got, err = learned(e, d, 0, d.X); err != nil {
		return err
	}
	if err := same(got, want); err != nil {
		return fmt.Errorf("trained on 7 processors: %w", err)
	}
	return nil
}

// FitLeavesItsInputs checks that training does not change the table, and that the model
// does not depend on the table afterwards.
func FitLeavesItsInputs(e Estimator) error {
	full := func() *data.Dataset {
		d := table(samples)
		d.Weights, d.Groups = make([]float64, samples), make([]int, samples)
		for i := range d.Weights {
			d.Weights[i], d.Groups[i] = 1+float64(i%3), i/4
		}
		return d
	}
	d := full()
	m, err := e.Fit(d, 0)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(d, full()) {
		return errors.New("training changed the table")
	}
	x := table(samples).X
	want, err := values(m, x)
	if err != nil {
		return err
	}
	for i := range d.X {
		clear(d.X[i])
		d.Y[i], d.Weights[i] = 0, 0
	}
	got, err := values(m, x)
	if err != nil {
		return err
	}
	if err := same(got, want); err != nil {
		return fmt.Errorf("after the training table was cleared: %w", err)
	}
	return nil
}

// UnitWeightsChangeNothing checks that weights of one are equivalent to no weights.
func UnitWeightsChangeNothing(e Estimator) error {
	d := table(samples)
	want, err := learned(e, d, 0, d.X)
	if err != nil {
		return err
	}
	d.Weights = slices.Repeat([]float64{1}, samples)
	got, err := learned(e, d, 0, d.X)
	if err != nil {
		return err
	}
	return same(got, want)
}

// far is a scale near 1e150, a power of two, so that scaling by it is exact.
var far = math.Ldexp(1, 498)

// ScaleOfFeatures checks that scaling the features by 1e150 or 1e-150 changes no bit of the
// predictions.
func ScaleOfFeatures(e Estimator) error {
	d := table(samples)
	want, err := learned(e, d, 0, d.X)
	if err != nil {
		return err
	}
	for _, x := range d.X {
		x[0] *= far
		x[1] /= far
	}
	got, err := learned(e, d, 0, d.X)
	if err != nil {
		return err
	}
	return same(got, want)
}

// ScaleOfTarget checks that, for any scale of the target, predictions are finite or
// training reports divergence.
func ScaleOfTarget(e Estimator) error {
	for _, scale := range []float64{1e300, far, 1 / far, 1e-300} {
		d := changed(table(samples), func(_ [][]float64, y []float64) {
			for i := range y {
				y[i] *= scale
			}
		})
		if _, err := learned(e, d, 0, d.X); err != nil && !errors.Is(err, optim.ErrDiverged) {
			return fmt.Errorf("target times %.3g: %w", scale, err)
		}
	}
	return nil
}

// NotFiniteIsRefused checks that values that are not finite are refused, in training with a
// data error, in prediction with an error about the sample, unless the feature is constant
// and so has no effect.
func NotFiniteIsRefused(e Estimator) error {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, d := range map[string]*data.Dataset{
			"feature": changed(table(samples), func(x [][]float64, _ []float64) { x[7][1] = v }),
			"target":  changed(table(samples), func(_ [][]float64, y []float64) { y[7] = v }),
		} {
			if _, err := e.Fit(d, 0); !errors.As(err, new(*data.Error)) {
				return fmt.Errorf("training with a %s of %v: want a data error, got: %v", name, v, err)
			}
		}
	}
	m, err := e.Fit(table(samples), 0)
	if err != nil {
		return err
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		d := changed(table(samples), func(x [][]float64, _ []float64) { x[7][1] = v })
		if err := wrongSample(m, d.X, 7); err != nil {
			return fmt.Errorf("predicting a feature of %v: %w", v, err)
		}
	}
	// A finite value far away gives a finite prediction or an error.
	d := changed(table(samples), func(x [][]float64, _ []float64) { x[7][1] = math.MaxFloat64 })
	if _, err := values(m, d.X); err != nil && !errors.As(err, new(*model.SampleError)) {
		return fmt.Errorf("predicting a feature of %v: %w", math.MaxFloat64, err)
	}
	return nil
}

// WrongWidthIsRefused checks that samples with too few or too many features are refused,
// in training and in prediction.
func WrongWidthIsRefused(e Estimator) error {
	m, err := e.Fit(table(samples), 0)
	if err != nil {
		return err
	}
	for _, row := range [][]float64{nil, {1, 2}, {1, 2, 3, 4}} {
		d := table(samples)
		d.X[7] = row
		if _, err := e.Fit(d, 0); !errors.As(err, new(*data.Error)) {
			return fmt.Errorf("training with %d of 3 features: want a data error, got: %v", len(row), err)
		}
		if err := wrongSample(m, d.X, 7); err != nil {
			return fmt.Errorf("predicting %d of 3 features: %w", len(row), err)
		}
	}
	return nil
}

// wrongSample checks that prediction returns an error about that sample.
func wrongSample(m Model, x [][]float64, sample int) error {
	_, err := m.Predict(x)
	var fault *model.SampleError
	if !errors.As(err, &fault) || fault.Sample != sample {
		return fmt.Errorf("want an error about sample %d, got: %v", sample, err)
	}
	return nil
}
