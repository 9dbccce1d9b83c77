package words

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/model"
)

// Twins says, in a sentence, how many rows of a data set have a twin in the training part, and how a model errs on the others.
type Twins struct {
	On      string  `json:"on"`                // the rows measured, such as "the test part"
	Rows    int     `json:"rows"`              // number of them
	Sampled bool    `json:"sampled,omitempty"` // compared with a sample of the training part: more rows may have a twin
	RMSE    float64 `json:"rmse"`              // of all rows measured
	model.Twins

	Metric string  `json:"-"` // name of the criterion of the model, see model.Criterion
	Loss   float64 `json:"-"` // its figure of all rows
}

// MeasureTwins measures the twins of a part, given the errors on all of it; nil if there are none, or if the part or the
// training part does not exist. Of parts with a Whole it compares the samples. Its errors are those of [model.MeasureTwins].
func MeasureTwins(ctx context.Context, m *model.Model, part, training Part, all model.Metrics) (*Twins, error) {
	if part.Dataset == nil || training.Dataset == nil {
		return nil, nil
	}
	t, err := model.MeasureTwins(ctx, m, part.Dataset, training.Dataset)
	if t == nil || err != nil {
		return nil, err
	}
	on := part.Name
	if part.Whole != nil {
		on = "a sample of " + on
		if all, err = m.Evaluate(ctx, part.WithoutWhole()); err != nil {
			return nil, err
		}
	}
	return &Twins{
		On: on, Rows: all.Samples, Sampled: training.Whole != nil || training.Len() <= m.Training.Sample, RMSE: all.RMSE, Metric: m.Criterion().Name, Loss: all.Loss, Twins: *t,
	}, nil
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
		which, twin, t.Metric, digits.Show(t.Without.Loss, 5), digits.Show(t.Loss, 5))
}
