package plot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/model"
)

// Classified are predicted class probabilities of a data set, with the true classes.
type Classified struct {
	Target  string      // name
	Names   []string    // [K] of the classes
	P       [][]float64 // [K][N] probabilities
	Y       []float64   // [N] indices of the true classes
	Weights []float64   // [N]; nil: all one
}

// measure returns the measures of the probabilities; without samples, or fewer than two classes, there are none.
func (c Classified) measure() (metric.Classes, error) {
	if len(c.Y) == 0 || len(c.P) < 2 {
		return metric.Classes{}, errors.New("plot: no classes to draw")
	}
	return metric.MeasureClasses(c.P, c.Y, c.Weights), nil
}

// names returns the names of some classes, escaped for people.
func (c Classified) names(of []int) []string {
	names := make([]string, len(of))
	for i, k := range of {
		names[i] = escape.Text(c.Names[k])
	}
	return names
}

// samplesText is the number of samples in a legend.
func samplesText(c metric.Classes) string {
	return fmt.Sprintf("%d %s", c.Samples, weighted.Samples(c.Weighted))
}

// Classify returns the class probabilities that a model predicts for a data set. It is an error if the model's target is not
// of classes.
func Classify(m *model.Model, d *data.Dataset) (Classified, error) {
	if m.Schema.Classes == nil {
		return Classified{}, fmt.Errorf("plot: the target %s is of numbers, not of classes", escape.Quote(m.Schema.Target))
	}
	if !slices.Equal(d.Schema.Classes, m.Schema.Classes) {
		return Classified{}, &data.Error{Message: "the data have other classes than the model"}
	}
	predicted, d, err := predict(m, d)
	return Classified{m.Schema.Target, m.Schema.Classes, predicted.Outputs, d.Y, d.Weights}, err
}

// Quantify returns the quantiles that a model predicts for a data set. It is an error if the model does not predict quantiles.
func Quantify(m *model.Model, d *data.Dataset) (Quantiled, error) {
	if m.Response.Quantiles == nil {
		return Quantiled{}, errors.New("plot: the model does not predict quantiles: train with train.loss quantile and two levels or more in train.quantiles")
	}
	predicted, d, err := predict(m, d)
	return Quantiled{m.Schema.Target, m.Schema.TargetUnit, m.Response.Quantiles, predicted.Outputs, d.Y, d.Weights}, err
}

// predict predicts the weighed samples of a data set, which it returns.
func predict(m *model.Model, d *data.Dataset) (model.Predictions, *data.Dataset, error) {
	if err := m.CheckFeatures(d); err != nil {
		return model.Predictions{}, d, err
	}
	weighed, err := d.Weighed()
	if err != nil {
		return model.Predictions{}, d, err
	}
	p, err := m.Predict(m.Fill(weighed).X)
	return p, weighed, err
}
