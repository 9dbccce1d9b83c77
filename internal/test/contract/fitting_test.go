package contract_test

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Learns checks that the training error is at least a tenth less than that of the mean.
func Learns(e Estimator) {
	d := table(4 * samples)
	got, mean := learned(e, d, 0), 0.0
	for _, y := range d.Y {
		mean += y / float64(len(d.Y))
	}
	error, spread := scatter(got, d.Y), scatter(slices.Repeat([]float64{mean}, len(d.Y)), d.Y)
	require(error < 0.9*spread, "RMSE %v, that of the mean is %v", error, spread)
}

// FitIsIdempotent checks that repeated training on the same data gives the same file, also
// after training on other data.
func FitIsIdempotent(e Estimator) {
	first := fitted(e, table(samples))
	require(fitted(e, table(samples)) == first, "the same data gave a different model")
	fitted(e, table(samples/2))
	require(fitted(e, table(samples)) == first, "after training on other data, the same data gave a different model")
}

// WorkersChangeNothing checks that training and prediction give the same bits on one
// processor and on seven. The table is longer than every block of rows.
func WorkersChangeNothing(e Estimator) {
	d := table(2200)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m := must(e.Fit(d, 0))
	want := values(m, d.X)
	runtime.GOMAXPROCS(7)
	same(values(m, d.X), want, "predicted on 7 processors: ")
	same(learned(e, d, 0), want, "trained on 7 processors: ")
}

// FitLeavesItsInputs checks that training does not change the table, and that the model
// does not depend on the table afterwards.
func FitLeavesItsInputs(e Estimator) {
	full := func() *data.Dataset {
		d := weighted()
		for i := range d.X {
			d.Groups = append(d.Groups, i/4)
		}
		return d
	}
	d := full()
	m := must(e.Fit(d, 0))
	require(reflect.DeepEqual(d, full()), "training changed the table")
	x := table(samples).X
	want := values(m, x)
	for i := range d.X {
		clear(d.X[i])
		d.Y[i], d.Weights[i] = 0, 0
	}
	same(values(m, x), want, "after the training table was cleared: ")
}

// weighted returns the table of most checks with weights 1, 2 and 3.
func weighted() *data.Dataset {
	d := table(samples)
	for i := range d.X {
		d.Weights = append(d.Weights, 1+float64(i%3))
	}
	return d
}

// UnitWeightsChangeNothing checks that weights of one are equivalent to no weights.
func UnitWeightsChangeNothing(e Estimator) {
	d := table(samples)
	want := learned(e, d, 0)
	d.Weights = slices.Repeat([]float64{1}, samples)
	same(learned(e, d, 0), want, "")
}

// ZeroWeightsLeaveNoTrace checks that additional rows of weight zero, with any values and
// at any place, do not change the file.
func ZeroWeightsLeaveNoTrace(e Estimator) {
	d := weighted()
	with := d.Subset(nil)
	for i, x := range d.X {
		with.X, with.Y, with.Weights = append(with.X, x), append(with.Y, d.Y[i]), append(with.Weights, d.Weights[i])
		for range i % 2 {
			with.X, with.Y, with.Weights = append(with.X, []float64{100, -50, float64(i)}), append(with.Y, 1e4), append(with.Weights, 0)
		}
	}
	with.Rows = nil
	require(fitted(e, with) == fitted(e, weighted()), "rows of weight zero changed the model")
}

// WeightsHaveNoUnit checks that a common factor of all weights does not change the file.
func WeightsHaveNoUnit(e Estimator) {
	want := fitted(e, weighted())
	for _, factor := range []float64{0.01, 100, 1.0 / 3} {
		d := weighted()
		for i := range d.Weights {
			d.Weights[i] *= factor
		}
		require(fitted(e, d) == want, "the factor %v in all weights changed the model", factor)
	}
}

// WeightsAreRepetitions checks that a row of weight k counts as k rows in standardisation
// and centring: the means are the same up to rounding.
func WeightsAreRepetitions(e Estimator) {
	d := weighted()
	var rows []int
	for i, w := range d.Weights {
		rows = append(rows, slices.Repeat([]int{i}, int(w))...)
	}
	repeated := d.Subset(rows)
	repeated.Weights, repeated.Rows = nil, nil
	means := func(d *data.Dataset) (all []float64) {
		m := must(model.Decode(strings.NewReader(fitted(e, d))))
		for _, f := range m.Features {
			all = append(all, f.Mean)
		}
		return append(all, m.Target.Mean)
	}
	a, b := means(d), means(repeated)
	near := func(v, w float64) bool { return math.Abs(v-w) <= 1e-12 }
	require(slices.EqualFunc(a, b, near), "means by weights: %v, by repeated rows: %v", a, b)
}

// far is a scale near 1e150, a power of two, so that scaling by it is exact.
var far = math.Ldexp(1, 498)

// ScaleOfFeatures checks that scaling the features by 1e150 or 1e-150 changes no bit of the
// predictions, or is refused because no page has a number so large.
func ScaleOfFeatures(e Estimator) {
	scaled := changed(func(x []float64, _ *float64, _ int) { x[0], x[1] = x[0]*far, x[1]/far })
	mayExceedPages(func() { same(learned(e, scaled, 0), learned(e, table(samples), 0), "") })
}

// ScaleOfTarget checks that, for any scale of the target, predictions are finite, or
// training reports divergence or a number larger than those of pages.
func ScaleOfTarget(e Estimator) {
	for _, scale := range []float64{1e300, far, 1 / far, 1e-300} {
		d := changed(func(_ []float64, y *float64, _ int) { *y *= scale })
		m, err := e.Fit(d, 0)
		if errors.Is(err, optim.ErrDiverged) {
			continue
		}
		mayExceedPages(func() {
			p, failed := must(m, err).Predict(d.X)
			require(failed == nil, "target times %.3g: %w", scale, failed)
			for i, v := range p.Values {
				require(!math.IsNaN(v) && !math.IsInf(v, 0), "target times %.3g: sample %d: the prediction is %v", scale, i, v)
			}
		})
	}
}

// NotFiniteIsRefused checks that values that are not finite are refused, in training with a
// data error, in prediction with an error about the sample, unless the feature is constant
// and so has no effect.
func NotFiniteIsRefused(e Estimator) {
	m := must(e.Fit(table(samples), 0))
	at7 := func(feature, target float64) *data.Dataset {
		d := table(samples)
		d.X[7][1] += feature
		d.Y[7] += target
		return d
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		refused(e, at7(v, 0), "", "training with a feature of %v", v)
		refused(e, at7(0, v), "", "training with a target of %v", v)
		wrongSample(m, at7(v, 0).X, 7, "predicting a feature of %v", v)
	}
	// A finite value far away gives a finite prediction or an error.
	if _, err := m.Predict(at7(math.MaxFloat64, 0).X); !errors.As(err, new(*model.SampleError)) {
		values(m, at7(math.MaxFloat64, 0).X)
	}
}

// WrongWidthIsRefused checks that samples with too few or too many features are refused,
// in training and in prediction.
func WrongWidthIsRefused(e Estimator) {
	m := must(e.Fit(table(samples), 0))
	for _, row := range [][]float64{nil, {1, 2}, {1, 2, 3, 4}} {
		d := table(samples)
		d.X[7] = row
		refused(e, d, "", "training with %d of 3 features", len(row))
		wrongSample(m, d.X, 7, "predicting %d of 3 features", len(row))
	}
}

// wrongSample checks that prediction returns an error about that sample.
func wrongSample(m Model, x [][]float64, sample int, format string, a ...any) {
	_, err := m.Predict(x)
	var fault *model.SampleError
	require(errors.As(err, &fault) && fault.Sample == sample, format+": want an error about sample %d, got: %v", append(a, sample, err)...)
}
