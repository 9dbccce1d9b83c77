package model

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/loss"
)

// manyOf returns samples of a model's schema, some of them outside the ranges and where no rule fires, with values
// of a target times unit.
func manyOf(m *Model, rng *rand.Rand, weigh bool, unit float64) *data.Dataset {
	const N = 3000
	x, y, others := make([]float64, N), make([]float64, N), make([]float64, N)
	for n := range N {
		x[n], y[n], others[n] = 10+4*rng.NormFloat64(), unit*(2+rng.Float64()), 100+10*rng.NormFloat64()
		if K := len(m.Schema.Classes); K > 0 {
			y[n] = float64(rng.IntN(K))
		}
	}
	d := samplesOf(m, x, y)
	if m.Schema.Others != nil {
		d.Others = [][]float64{others}
	}
	if weigh {
		d.Schema.Weight, d.Weights = "w", make([]float64, N)
		for n := range N {
			d.Weights[n] = float64(1 + rng.IntN(20))
		}
	}
	return d
}

// TestMeasuresOfWhole compares the errors of a sample with a Whole, which are merged over its buckets, with those of
// all rows in one data set, for every response.
func TestMeasuresOfWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	models := withResponses()
	models["one"], models["uncovered"] = small(), smallTrapezoid()
	gamma := smallCounts()
	gamma.Training.Options = map[string]string{"train.loss": "gamma"}
	absolute := small()
	absolute.Training.Options = map[string]string{"train.loss": "absolute"}
	tweedie := smallCounts()
	tweedie.Response.Power = 1.3
	models["costs"], models["absolute"], models["amounts"] = gamma, absolute, tweedie
	for name, m := range models {
		for _, weigh := range []bool{false, true} {
			all := manyOf(m, rng, weigh, 1)
			sample := wholetest.Every(all, 10)
			noError(m.Calibrate(t.Context(), sample, nil))
			merged := m.Calibration
			want, err := m.Evaluate(t.Context(), all)
			if err == nil {
				err = m.Calibrate(t.Context(), all, nil)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if merged.Samples != m.Calibration.Samples || !equal(merged.Residuals, m.Calibration.Residuals) {
				t.Errorf("%s: calibration %v, want %v", name, merged.Residuals[:9], m.Calibration.Residuals[:9])
			}
			for _, evaluate := range []func(context.Context, *data.Dataset) (Metrics, error){m.Evaluate, m.EvaluateTraining} {
				got := testenv.Must(evaluate(t.Context(), sample))
				compareMetrics(t, name, got, want)
			}
			share, size, err := m.Coverage(t.Context(), sample, 0.8, BothSides)
			wantShare, wantSize, wantErr := m.Coverage(t.Context(), all, 0.8, BothSides)
			if err != nil || wantErr != nil || !equal([]float64{share, size}, []float64{wantShare, wantSize}) {
				t.Errorf("%s: coverage %v, %v, %v; want %v, %v", name, share, size, err, wantShare, wantSize)
			}
			got, err := m.MeasureMean(t.Context(), sample)
			if want, wantErr = m.MeasureMean(t.Context(), all); err != nil || wantErr != nil {
				t.Fatal(name, err, wantErr)
			}
			compareMetrics(t, name+", mean", got, want)
		}
	}
}

// compareMetrics compares all numbers to 1e-12, but AUC within its bound and calibration by its weight.
func compareMetrics(t *testing.T, name string, got, want Metrics) {
	t.Helper()
	if c, w := got.Classes, want.Classes; c != nil {
		if math.Abs(*c.AUC-*w.AUC) > c.AUCError+1e-12 || c.AUCError > 0.01 {
			t.Errorf("%s: AUC %v, want %v within %v", name, *c.AUC, *w.AUC, c.AUCError)
		}
		weight := 0.0
		for _, b := range c.Calibration {
			weight += b.Weight
		}
		if !equal([]float64{weight}, []float64{float64(want.Samples)}) {
			t.Errorf("%s: bins of weight %v", name, weight)
		}
		c.AUC, c.AUCError, c.Calibration, c.CalibrationError = w.AUC, 0, w.Calibration, w.CalibrationError
	}
	if !equal(numbersIn(reflect.ValueOf(got)), numbersIn(reflect.ValueOf(want))) {
		t.Errorf("%s:\n%+v, want\n%+v", name, got, want)
	}
}

// numbersIn returns all numbers of a value, and 1 for true.
func numbersIn(v reflect.Value) (all []float64) {
	switch v.Kind() {
	case reflect.Float64:
		return []float64{v.Float()}
	case reflect.Int:
		return []float64{float64(v.Int())}
	case reflect.Bool:
		if v.Bool() {
			return []float64{1}
		}
		return []float64{0}
	case reflect.Pointer:
		if !v.IsNil() {
			return numbersIn(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, numbersIn(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, numbersIn(v.Field(i))...)
		}
	}
	return all
}

// TestMeasuresOfLargeValues: errors near the limit of numbers do not overflow where buckets are merged.
func TestMeasuresOfLargeValues(t *testing.T) {
	m := small()
	all := manyOf(m, rand.New(rand.NewPCG(2, 17)), true, 1e300)
	want := testenv.Must(m.Evaluate(t.Context(), all))
	got, err := m.Evaluate(t.Context(), wholetest.Every(all, 10))
	if err != nil || math.IsInf(want.RMSE, 0) {
		t.Fatal(want, err)
	}
	compareMetrics(t, "large", got, want)
}

// failing is a Whole whose bucket 2 cannot be read.
type failing struct{ data.Whole }

var errBucket = errors.New("bucket damaged")

func (f failing) Bucket(i int) (*data.Dataset, error) {
	if i == 2 {
		return nil, errBucket
	}
	return f.Whole.Bucket(i)
}

// TestEvaluateEnds: a context that ends and a bucket that cannot be read end the evaluation.
func TestEvaluateEnds(t *testing.T) {
	m := small()
	sample := wholetest.Every(manyOf(m, rand.New(rand.NewPCG(3, 17)), false, 1), 10)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Evaluate(ended, sample); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := m.Evaluate(ended, sample.WithoutWhole()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := m.Calibrate(ended, sample, nil); !errors.Is(err, context.Canceled) || m.Calibration != nil {
		t.Error(err)
	}
	sample.Whole = failing{sample.Whole}
	if _, err := m.Evaluate(t.Context(), sample); !errors.Is(err, errBucket) {
		t.Error(err)
	}
	if err := m.Calibrate(t.Context(), sample, nil); !errors.Is(err, errBucket) || m.Calibration != nil {
		t.Error(err)
	}
}

// TestFitOfWhole: of a sample with a Whole, all but the quantiles equals what all rows give.
func TestFitOfWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 17))
	for _, weigh := range []bool{false, true} {
		d, _ := weighted4(t)
		if !weigh {
			d.Weights, d.Schema.Weight = nil, ""
		}
		rows := []int{}
		for n := range d.Len() {
			if rng.Float64() < 0.3 {
				rows = append(rows, n)
			}
		}
		sample := wholetest.Sample(d, rows, 4)
		got, want := fitted(t, sample, loss.Squared{}), fitted(t, d, loss.Squared{})
		for m := range want.Features {
			q := got.Features[m].Quantiles
			if got.Features[m].Constant {
				continue
			}
			if !slices.IsSorted(q) || q[0] != want.Features[m].Min || q[QuantileSteps] != want.Features[m].Max {
				t.Errorf("feature %d: quantiles %v of %v to %v", m, q, want.Features[m].Min, want.Features[m].Max)
			}
			got.Features[m].Quantiles, want.Features[m].Quantiles = nil, nil
		}
		if !equal(numbersIn(reflect.ValueOf(got.Features)), numbersIn(reflect.ValueOf(want.Features))) ||
			!equal(numbersIn(reflect.ValueOf(got.Target)), numbersIn(reflect.ValueOf(want.Target))) {
			t.Errorf("%+v\n%+v, want\n%+v\n%+v", got.Features, got.Target, want.Features, want.Target)
		}
	}
}

// fitted returns the preprocessing of a training part for a loss.
func fitted(t *testing.T, d *data.Dataset, l loss.Loss) Preprocessing {
	t.Helper()
	d = testenv.Must(d.Weighed())
	p, err := Fit(context.Background(), d)
	if err == nil {
		err = p.SetResponse(l, Response{}, d)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Standardise(d)
	return p
}

// TestResponseOfWhole: targets and shares of classes are those of all rows, and the loss is checked on all.
func TestResponseOfWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 17))
	for _, c := range []struct {
		m *Model
		l loss.Loss
	}{{smallTargets(), loss.Squared{}}, {smallClasses(), loss.Softmax{}}, {smallBinary(), loss.Logistic{}}} {
		all := manyOf(c.m, rng, true, 1)
		got, want := fitted(t, wholetest.Every(all, 50), c.l), fitted(t, all, c.l)
		if !equal(numbersIn(reflect.ValueOf(got.Response)), numbersIn(reflect.ValueOf(want.Response))) ||
			!equal(numbersIn(reflect.ValueOf(got.Target)), numbersIn(reflect.ValueOf(want.Target))) {
			t.Errorf("%+v, %+v, want %+v, %+v", got.Response, got.Target, want.Response, want.Target)
		}
	}
	all := manyOf(smallCounts(), rng, false, 1)
	all.Y[7] = -1
	sample := wholetest.Every(all, 50)
	p := testenv.Must(Fit(context.Background(), sample))
	var fault *data.Error
	if err := p.SetResponse(loss.Poisson{}, Response{}, sample); !errors.As(err, &fault) || !strings.Contains(err.Error(), "a value is -1") {
		t.Error(err)
	}
}

// TestFitOfConstantSample: features that are constant or missing in the sample but vary in the Whole are used.
func TestFitOfConstantSample(t *testing.T) {
	x := make([][]float64, 100)
	y := make([]float64, len(x))
	for n := range x {
		x[n], y[n] = []float64{4, math.NaN(), 7}, float64(n)
		if n%10 == 5 {
			x[n] = []float64{float64(n), float64(-n), 7}
		}
	}
	d := &data.Dataset{X: x, Y: y, Schema: data.Schema{Target: "y"}, Missing: data.Missing{Policy: "mean"}}
	for _, name := range []string{"a", "b", "c"} {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: name, Encoding: data.Numeric})
	}
	sample := wholetest.Every(d, 10)
	p := testenv.Must(Fit(context.Background(), sample))
	p.Straighten(context.Background(), sample.X, nil)
	if len(p.Used()) != 2 || !p.HasQuantiles() || p.Features[0].Power != nil || p.Features[1].Mean != -50 {
		t.Errorf("%+v", p.Features)
	}
	for _, f := range p.Used() {
		if err := checkQuantiles(f); err != nil {
			t.Error(f.Name, err)
		}
	}
	scaled, err := p.Scale(sample.X)
	if err != nil || slices.ContainsFunc(scaled[0], math.IsNaN) {
		t.Error(scaled[0], err)
	}
}
