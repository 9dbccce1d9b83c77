package model

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestMeasureTwins: of five samples two have the features of a training sample, whatever the targets; errors are measured
// on the other three.
func TestMeasureTwins(t *testing.T) {
	m := strangeModel(t)
	nan := math.NaN()
	part := func(x [][]float64, y []float64) *data.Dataset {
		return &data.Dataset{Schema: m.Schema, Missing: data.Missing{Policy: "mean"}, X: x, Y: y}
	}
	training := part([][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {nan, 0, 1, 3}}, []float64{1, 2, 4})
	d := part([][]float64{{1, 0, 1, 1}, {1, 1, 0, 1}, {nan, 0, 1, 3}, {2, 1, 0, 3}, {5, 0, 1, 3}}, []float64{9, 1, 4, 2, 8})
	got, err := MeasureTwins(t.Context(), m, d, training)
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
	if got, err := MeasureTwins(t.Context(), m, d.Subset([]int{1, 3}), training); got != nil || err != nil {
		t.Errorf("without twins: %+v, %v", got, err)
	}
	if got, err := MeasureTwins(t.Context(), m, d.Subset([]int{0, 2}), training); err != nil || got == nil || got.Samples != 2 || got.Without != nil {
		t.Errorf("only twins: %+v, %v", got, err)
	}
}

// TestTwinsOfWeightZero: samples of weight zero neither have twins nor are twins.
func TestTwinsOfWeightZero(t *testing.T) {
	m := strangeModel(t)
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4}, Weights: []float64{1, 2, 0}}
	training := &data.Dataset{Schema: m.Schema, X: d.X, Y: d.Y, Weights: []float64{0, 1, 1}}
	got, err := MeasureTwins(t.Context(), m, d, training)
	if err != nil || got == nil || got.Samples != 1 || got.Without.Samples != 1 {
		t.Fatalf("%+v, %v; want a twin of two samples", got, err)
	}
}

// TestTwinsOfOtherColumns: a part with other columns is refused.
func TestTwinsOfOtherColumns(t *testing.T) {
	m := strangeModel(t)
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{1, 0, 1, 1}}, Y: []float64{1}}
	other, err := data.New([]string{"b"}, "y", [][]float64{{1}}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	var fault *data.Error
	if _, err := MeasureTwins(t.Context(), m, d, other); !errors.As(err, &fault) {
		t.Errorf("other columns in training: %v, want a *data.Error", err)
	}
	if _, err := MeasureTwins(t.Context(), m, other, d); !errors.As(err, &fault) {
		t.Errorf("other columns: %v, want a *data.Error", err)
	}
}
