package report

import (
	"fmt"

	"github.com/tskgraph/tskgraph/model"
)

// Verdict compares a model with what any model must beat, on rows that it has not learned from.
type Verdict struct {
	Part      string   `json:"part"` // the test part, the validation part where there is none, or the table that was evaluated
	RMSE      float64  `json:"rmse"`
	RMSEMean  float64  `json:"rmse_mean"`          // of predicting the training mean
	RMSEOLS   *float64 `json:"rmse_ols,omitempty"` // of ordinary least squares; null: not known
	BeatsMean bool     `json:"beats_mean"`
	BeatsOLS  *bool    `json:"beats_ols,omitempty"`
}

// Compare returns the verdict on a model of errors e, by those of the training mean and, unless nil, of least squares. A
// model without error beats everything.
func Compare(part string, e, mean model.Metrics, ols *model.Metrics) *Verdict {
	beats := func(other model.Metrics) bool { return e.RMSE < other.RMSE || e.RMSE == 0 }
	v := &Verdict{Part: part, RMSE: e.RMSE, RMSEMean: mean.RMSE, BeatsMean: beats(mean)}
	if ols != nil {
		better := beats(*ols)
		v.RMSEOLS, v.BeatsOLS = &ols.RMSE, &better
	}
	return v
}

// Warning says what the model does not beat; nothing if it beats all.
func (v *Verdict) Warning() string {
	switch {
	case v == nil:
		return ""
	case !v.BeatsMean:
		return fmt.Sprintf("the model is no better than the training mean on %s: RMSE %s, that of the mean %s. "+
			"Do not trust its predictions: try fewer rules (model.rules), more rows, or limits of predictions (model.margin: 0, model.bounds)",
			v.Part, figure(v.RMSE), figure(v.RMSEMean))
	case v.BeatsOLS != nil && !*v.BeatsOLS:
		return fmt.Sprintf("the model does not beat least squares, one linear formula, on %s: RMSE %s, that of least squares %s", v.Part, figure(v.RMSE), figure(*v.RMSEOLS))
	}
	return ""
}
