package readable

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

func TestTwinsInASentence(t *testing.T) {
	for _, c := range []struct {
		twins, rows int
		want        string
	}{
		{94, 480, "94 of 480 rows of the test part have the features of a training row: RMSE 0.66123 without, 0.5 with."},
		{1, 9, "1 of 9 rows of the test part has the features of a training row: RMSE 0.66123 without, 0.5 with."},
		{9, 9, "Each of the 9 rows of the test part has the features of a training row: no row shows how the model predicts new ones."},
	} {
		twins := Twins{On: "the test part", Rows: c.rows, Metric: "RMSE", Loss: 0.5, Samples: c.twins}
		if c.twins < c.rows {
			twins.Without = &model.Metrics{Loss: 0.661234567}
		}
		if got := twins.String(); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestNoPartsNoTwins: where a part does not exist there is nothing to measure.
func TestNoPartsNoTwins(t *testing.T) {
	if twins, err := MeasureTwins(t.Context(), nil, Part{}, Part{}, model.Metrics{}); twins != nil || err != nil {
		t.Errorf("%+v, %v", twins, err)
	}
}

// trained returns a model of a number, a category of two levels, and another number.
func trained(t *testing.T) *model.Model {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Encoding: data.Numeric}, {Name: "c", Encoding: data.OneHot, Levels: []string{"p", "q"}}, {Name: "b", Encoding: data.Numeric},
	}}, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4}}
	p, err := model.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, Parameters: rules.NewParameters(2, 1, 4), SpreadFloor: 1e-3}
	for i := range 4 {
		rb.Flatten(0, i)
	}
	m, err := model.New(t.Context(), p, rb, d.X, nil, model.Training{Samples: d.Len()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func measured(t *testing.T, m *model.Model, d, training *data.Dataset) (*Twins, error) {
	return MeasureTwins(t.Context(), m, Part{Dataset: d}, Part{Dataset: training}, model.Metrics{})
}

// TestMeasureTwins: of five samples two have the features of a training sample, whatever the targets; errors are measured
// on the other three.
func TestMeasureTwins(t *testing.T) {
	m := trained(t)
	nan := math.NaN()
	part := func(x [][]float64, y []float64) *data.Dataset {
		return &data.Dataset{Schema: m.Schema, Missing: data.Missing{Policy: "mean"}, X: x, Y: y}
	}
	training := part([][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {nan, 0, 1, 3}}, []float64{1, 2, 4})
	d := part([][]float64{{1, 0, 1, 1}, {1, 1, 0, 1}, {nan, 0, 1, 3}, {2, 1, 0, 3}, {5, 0, 1, 3}}, []float64{9, 1, 4, 2, 8})
	got, err := measured(t, m, d, training)
	if err != nil || got == nil || got.Samples != 2 {
		t.Fatalf("%+v, %v; want two twins", got, err)
	}
	want, err := m.Evaluate(t.Context(), d.Subset([]int{1, 3, 4}))
	if err != nil || !reflect.DeepEqual(*got.Without, want) {
		t.Errorf("%+v without twins, %v; want %+v", got.Without, err, want)
	}
	if !math.IsNaN(d.X[2][0]) || !math.IsNaN(training.X[2][0]) {
		t.Error("a data set has changed")
	}
	if got, err := measured(t, m, d.Subset([]int{1, 3}), training); got != nil || err != nil {
		t.Errorf("without twins: %+v, %v", got, err)
	}
	if got, err := measured(t, m, d.Subset([]int{0, 2}), training); err != nil || got == nil || got.Samples != 2 || got.Without != nil {
		t.Errorf("only twins: %+v, %v", got, err)
	}
}

// TestTwinsOfWeightZero: samples of weight zero neither have twins nor are twins.
func TestTwinsOfWeightZero(t *testing.T) {
	m := trained(t)
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4}, Weights: []float64{1, 2, 0}}
	training := &data.Dataset{Schema: m.Schema, X: d.X, Y: d.Y, Weights: []float64{0, 1, 1}}
	got, err := measured(t, m, d, training)
	if err != nil || got == nil || got.Samples != 1 || got.Without.Samples != 1 {
		t.Fatalf("%+v, %v; want a twin of two samples", got, err)
	}
}

// TestTwinsOfOtherColumns: a part with other columns is refused.
func TestTwinsOfOtherColumns(t *testing.T) {
	m := trained(t)
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{1, 0, 1, 1}}, Y: []float64{1}}
	other, err := data.New([]string{"b"}, "y", [][]float64{{1}}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	var fault *data.Error
	if _, err := measured(t, m, d, other); !errors.As(err, &fault) {
		t.Errorf("other columns in training: %v, want a *data.Error", err)
	}
	if _, err := measured(t, m, other, d); !errors.As(err, &fault) {
		t.Errorf("other columns: %v, want a *data.Error", err)
	}
}
