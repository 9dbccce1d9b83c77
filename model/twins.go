package model

import (
	"context"

	"github.com/tskgraph/tskgraph/data"
)

// Twins are the samples of a data set that have a twin in the training part, a sample with the same features: a model
// that has memorised it errs less on them than on new samples.
type Twins struct {
	Samples int      `json:"samples"`           // that have a twin
	Without *Metrics `json:"without,omitempty"` // errors on the other samples; nil if there are none
}

// MeasureTwins counts the samples of a data set that have a twin in the training part, see [data.Twins], and measures
// the errors on the others; nil if none has a twin. Missing values are filled in first, see [Preprocessing.Fill], and
// samples of weight zero are ignored. Of data sets with a Whole it compares the samples. Its errors are those of
// [Model.Evaluate], for either data set.
func MeasureTwins(ctx context.Context, m *Model, d, training *data.Dataset) (*Twins, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	for _, part := range []**data.Dataset{&d, &training} {
		if err := m.CheckFeatures(*part); err != nil {
			return nil, err
		}
		weighed, err := (*part).Weighed()
		if err != nil {
			return nil, err
		}
		*part = m.Fill(weighed)
	}
	var others []int
	for i, twin := range data.Twins(d, training) {
		if !twin {
			others = append(others, i)
		}
	}
	t := &Twins{Samples: d.Len() - len(others)}
	switch {
	case t.Samples == 0:
		return nil, nil
	case len(others) == 0:
		return t, nil
	}
	e, err := m.Evaluate(ctx, d.Subset(others))
	t.Without = &e
	return t, err
}
