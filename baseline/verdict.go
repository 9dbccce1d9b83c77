package baseline

import (
	"fmt"

	"github.com/tskgraph/tskgraph/model"
)

// Verdict compares a model with the baselines on rows outside its training part.
type Verdict struct {
	Part      string   `json:"part"` // the test part, without one the validation part, or the table that was evaluated
	RMSE      float64  `json:"rmse"`
	RMSEMean  float64  `json:"rmse_mean"`          // of predicting the training mean
	RMSEOLS   *float64 `json:"rmse_ols,omitempty"` // of ordinary least squares; null: unknown
	BeatsMean bool     `json:"beats_mean"`
	BeatsOLS  *bool    `json:"beats_ols,omitempty"`
}

// Compare returns the verdict on a model with the errors e, given those of the training mean and of least squares
// (nil: unknown). A model with RMSE zero beats both.
func Compare(part string, e, mean model.Metrics, ols *model.Metrics) *Verdict {
	beats := func(other model.Metrics) bool { return e.RMSE < other.RMSE || e.RMSE == 0 }
	v := &Verdict{Part: part, RMSE: e.RMSE, RMSEMean: mean.RMSE, BeatsMean: beats(mean)}
	if ols != nil {
		better := beats(*ols)
		v.RMSEOLS, v.BeatsOLS = &ols.RMSE, &better
	}
	return v
}

// Warning names the baseline that the model does not beat; it is empty if the model beats both, and for nil.
func (v *Verdict) Warning() string {
	switch {
	case v == nil:
		return ""
	case !v.BeatsMean:
		return fmt.Sprintf("the model is no better than the training mean on %s: RMSE %.5g, that of the mean %.5g. "+
			"Do not trust its predictions: try fewer rules (model.rules), more rows, or limits of predictions (model.margin: 0, model.bounds)",
			v.Part, v.RMSE, v.RMSEMean)
	case v.BeatsOLS != nil && !*v.BeatsOLS:
		return fmt.Sprintf("the model does not beat least squares, one linear formula, on %s: RMSE %.5g, that of least squares %.5g", v.Part, v.RMSE, *v.RMSEOLS)
	}
	return ""
}
