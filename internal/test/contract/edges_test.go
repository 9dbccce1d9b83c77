package contract_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// OneSample checks that training on a single sample is refused with a data error that says
// so.
func OneSample(e Estimator) error {
	_, err := e.Fit(table(1), 0)
	if !errors.As(err, new(*data.Error)) || !strings.Contains(err.Error(), "1 sample)") {
		return fmt.Errorf("want a data error about 1 sample, got: %v", err)
	}
	return nil
}

// OneFeature checks that M = 1 can be learned.
func OneFeature(e Estimator) error {
	d := made([]string{"a"}, samples, func(x []float64) float64 { return 2 * x[0] })
	_, err := learned(e, d, 0, d.X)
	return err
}

// OneRule checks that R = 1 can be learned, or is refused by an initialiser that
// determines the number of rules.
func OneRule(e Estimator) error {
	d := table(samples)
	if _, err := learned(e, d, 1, d.X); err != nil && !declined(err, "model.rules") {
		return err
	}
	return nil
}

// MoreRulesThanSamples checks that R = 8 rules can be learned from two, three and seven
// samples, or are refused: by an initialiser that determines the number of rules, or
// because no rule fires for any sample.
func MoreRulesThanSamples(e Estimator) error {
	for _, n := range []int{2, 3, 7} {
		d := table(n)
		if _, err := learned(e, d, 8, d.X); err != nil && !declined(err, "model.rules", "model.membership") {
			return fmt.Errorf("%d samples: %w", n, err)
		}
	}
	return nil
}

// NoSamples checks that training without samples is refused, and that predicting no
// samples returns no predictions.
func NoSamples(e Estimator) error {
	empty := table(1).Subset(nil)
	for _, d := range []*data.Dataset{nil, empty} {
		if _, err := e.Fit(d, 0); !errors.As(err, new(*data.Error)) {
			return fmt.Errorf("training on no samples: want a data error, got: %v", err)
		}
	}
	m, err := e.Fit(table(samples), 0)
	if err != nil {
		return err
	}
	for _, x := range [][][]float64{nil, {}} {
		if _, err := values(m, x); err != nil {
			return fmt.Errorf("predicting no samples: %w", err)
		}
	}
	return nil
}

// ConstantTarget checks that a constant target is predicted bit for bit.
func ConstantTarget(e Estimator) error {
	for _, c := range []float64{0, 0.1, -7e150} {
		d := changed(table(samples), func(_ [][]float64, y []float64) {
			for i := range y {
				y[i] = c
			}
		})
		got, err := learned(e, d, 0, d.X)
		if err != nil {
			return err
		}
		if err := same(got, d.Y); err != nil {
			return fmt.Errorf("target %v: %w", c, err)
		}
	}
	return nil
}

// ConstantFeature checks that a feature that is constant in training has no effect: the
// predictions are those of the other features, for any later value of the feature.
func ConstantFeature(e Estimator) error {
	d := table(samples)
	want, err := learned(e, d, 0, d.X)
	if err != nil {
		return err
	}
	wider := made([]string{"a", "b", "c", "constant"}, samples, func([]float64) float64 { return 0 })
	for i, row := range d.X {
		copy(wider.X[i], row)
		wider.X[i][3], wider.Y[i] = 5, d.Y[i]
	}
	m, err := e.Fit(wider, 0)
	if err != nil {
		return err
	}
	for _, c := range []float64{5, 1e9} {
		for i := range wider.X {
			wider.X[i][3] = c
		}
		got, err := values(m, wider.X)
		if err != nil {
			return err
		}
		if err := same(got, want); err != nil {
			return fmt.Errorf("with a feature that was 5 in training and is %v: %w", c, err)
		}
	}
	return nil
}

// DuplicateRows checks that a table of two rows, repeated, can be learned, or is refused
// because no rule fires, and that equal rows have equal predictions.
func DuplicateRows(e Estimator) error {
	d := changed(table(samples), func(x [][]float64, y []float64) {
		for i := range x {
			copy(x[i], x[i%2])
			y[i] = y[i%2]
		}
	})
	got, err := learned(e, d, 0, d.X)
	if declined(err, "model.membership") {
		return nil
	}
	if err != nil {
		return err
	}
	return same(got, slices.Repeat(got[:2], samples/2))
}

// CollinearFeatures checks that features that are multiples and sums of others can be
// learned.
func CollinearFeatures(e Estimator) error {
	d := changed(table(samples), func(x [][]float64, _ []float64) {
		for i := range x {
			x[i][1], x[i][2] = -2*x[i][0], x[i][0]
		}
	})
	_, err := learned(e, d, 0, d.X)
	return err
}

// TenThousandFeatures checks that M = 10,000 can be learned, with every sample covered by
// a rule and every prediction finite, or is refused by an estimator that is not Wide, with
// an error that names the number of features.
func TenThousandFeatures(e Estimator) error {
	const M = 10_000
	names := make([]string, M)
	for m := range names {
		names[m] = fmt.Sprintf("x%d", m)
	}
	d := made(names, 12, func(x []float64) float64 { return x[0] })
	m, err := e.Fit(d, 0)
	if err != nil {
		if !e.Wide && declined(err, "model.membership", "model.init", "model.consequents") && strings.Contains(err.Error(), "10000") {
			return nil
		}
		return err
	}
	if _, err := values(m, d.X); err != nil {
		return err
	}
	p, err := m.Predict(d.X)
	if err == nil && p.Uncovered > 0 {
		err = fmt.Errorf("%d of %d samples are uncovered, without an error", p.Uncovered, len(d.X))
	}
	return err
}

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
