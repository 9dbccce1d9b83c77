package contract

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// weighted returns the table of most checks with weights 1, 2 and 3.
func weighted() *data.Dataset {
	d := table(samples)
	d.Weights = make([]float64, samples)
	for i := range d.Weights {
		d.Weights[i] = 1 + float64(i%3)
	}
	return d
}

// ZeroWeightsLeaveNoTrace checks that additional rows of weight zero, with any values and
// at any place, do not change the file.
func ZeroWeightsLeaveNoTrace(e Estimator) error {
	want, err := fitted(e, weighted())
	if err != nil {
		return err
	}
	d := weighted()
	with := d.Subset(nil)
	for i, x := range d.X {
		with.X, with.Y, with.Weights = append(with.X, x), append(with.Y, d.Y[i]), append(with.Weights, d.Weights[i])
		for range i % 2 {
			with.X, with.Y, with.Weights = append(with.X, []float64{100, -50, float64(i)}), append(with.Y, 1e4), append(with.Weights, 0)
		}
	}
	with.Rows = nil
	got, err := fitted(e, with)
	if err != nil {
		return err
	}
	if got != want {
		return errors.New("rows of weight zero changed the model")
	}
	return nil
}

// WeightsHaveNoUnit checks that a common factor of all weights does not change the file.
func WeightsHaveNoUnit(e Estimator) error {
	want, err := fitted(e, weighted())
	if err != nil {
		return err
	}
	for _, factor := range []float64{0.01, 100, 1.0 / 3} {
		d := weighted()
		for i := range d.Weights {
			d.Weights[i] *= factor
		}
		got, err := fitted(e, d)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("the factor %v in all weights changed the model", factor)
		}
	}
	return nil
}

// WeightsAreRepetitions checks that a row of weight k counts as k rows in standardisation
// and centring: the means are the same up to rounding.
func WeightsAreRepetitions(e Estimator) error {
	d := weighted()
	var rows []int
	for i, w := range d.Weights {
		rows = append(rows, slices.Repeat([]int{i}, int(w))...)
	}
	repeated := d.Subset(rows)
	repeated.Weights, repeated.Rows = nil, nil
	var means [2][]float64
	for k, d := range []*data.Dataset{d, repeated} {
		text, err := fitted(e, d)
		if err != nil {
			return err
		}
		m, err := model.Decode(strings.NewReader(text))
		if err != nil {
			return err
		}
		means[k] = []float64{m.Target.Mean}
		for _, f := range m.Features {
			means[k] = append(means[k], f.Mean)
		}
	}
	for i, want := range means[1] {
		if math.Abs(means[0][i]-want) > 1e-12 {
			return fmt.Errorf("means by weights: %v, by repeated rows: %v", means[0], means[1])
		}
	}
	return nil
}

// fitted trains a model and returns its file.
func fitted(e Estimator, d *data.Dataset) (string, error) {
	m, err := e.Fit(d, 0)
	if err != nil {
		return "", err
	}
	return file(m)
}
