package words

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// Twins says, in a sentence, how many rows of a data set have a twin in the training part, a row with the same features, and how
// a model errs on the others: one that has memorised them errs less on them than on new rows.
type Twins struct {
	On      string         `json:"on"`                // the rows measured, such as "the test part"
	Rows    int            `json:"rows"`              // number of them
	Sampled bool           `json:"sampled,omitempty"` // compared with a sample of the training part: more rows may have a twin
	RMSE    float64        `json:"rmse"`              // of all rows measured
	Samples int            `json:"samples"`           // that have a twin
	Without *model.Metrics `json:"without,omitempty"` // errors on the other samples; nil if there are none

	Metric string  `json:"-"` // name of the criterion of the model, see model.Criterion
	Loss   float64 `json:"-"` // its figure of all rows
}

// MeasureTwins measures the twins of a part, see [data.Twins], given the errors on all of it; nil if there are none, or if the part
// or the training part does not exist. Missing values are filled in first, see [model.Preprocessing.Fill], and samples of
// weight zero are ignored. Of parts with a Whole it compares the samples. Its errors are those of [model.Model.Evaluate], for either part.
func MeasureTwins(ctx context.Context, m *model.Model, part, training Part, all model.Metrics) (*Twins, error) {
	if part.Dataset == nil || training.Dataset == nil {
		return nil, nil
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	d, err := filled(m, part.Dataset)
	if err != nil {
		return nil, err
	}
	train, err := filled(m, training.Dataset)
	if err != nil {
		return nil, err
	}
	var others []int
	for i, twin := range data.Twins(d, train) {
		if !twin {
			others = append(others, i)
		}
	}
	if len(others) == d.Len() {
		return nil, nil
	}
	t := &Twins{On: part.Name, Samples: d.Len() - len(others), Sampled: training.Whole != nil || training.Len() <= m.Training.Sample,
		Metric: m.Criterion().Name}
	if len(others) > 0 {
		without, err := m.Evaluate(ctx, d.Subset(others))
		if err != nil {
			return nil, err
		}
		t.Without = &without
	}
	if part.Whole != nil {
		t.On = "a sample of " + t.On
		if all, err = m.Evaluate(ctx, part.WithoutWhole()); err != nil {
			return nil, err
		}
	}
	t.Rows, t.RMSE, t.Loss = all.Samples, all.RMSE, all.Loss
	return t, nil
}

// filled returns the samples with a weight, and means for missing values.
func filled(m *model.Model, d *data.Dataset) (*data.Dataset, error) {
	if err := m.CheckFeatures(d); err != nil {
		return nil, err
	}
	weighed, err := d.Weighed()
	if err != nil {
		return nil, err
	}
	return m.Fill(weighed), nil
}

// TwinsAdvice tells what to do about twins in a table that is split into parts.
const TwinsAdvice = "If they are copies, remove them, or name the column that they share (data.group)."

// String returns a sentence.
func (t *Twins) String() string {
	twin := "a training row"
	if t.Sampled {
		twin = "a row of a sample of the training part"
	}
	if t.Without == nil {
		return fmt.Sprintf("Each of the %d rows of %s has the features of %s: no row shows how the model predicts new ones.", t.Rows, t.On, twin)
	}
	which := fmt.Sprintf("%d of %d rows of %s have", t.Samples, t.Rows, t.On)
	if t.Samples == 1 {
		which = fmt.Sprintf("1 of %d rows of %s has", t.Rows, t.On)
	}
	return fmt.Sprintf("%s the features of %s: %s %s without, %s with.",
		which, twin, t.Metric, numeric.Show(t.Without.Loss, 5), numeric.Show(t.Loss, 5))
}
