package contract

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"github.com/tskgraph/tskgraph/data"
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
