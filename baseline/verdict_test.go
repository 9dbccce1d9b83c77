package baseline

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/model"
)

// TestVerdict: a model that does not beat the training mean or least squares gets one warning.
func TestVerdict(t *testing.T) {
	rmse := func(v float64) model.Metrics { return model.Metrics{RMSE: v} }
	ols := rmse(3)
	for _, c := range []struct {
		rmse, mean float64
		ols        *model.Metrics
		want       string
	}{
		{1, 4, &ols, ""},
		{3, 4, &ols, "does not beat least squares, one linear formula, on the test part: RMSE 3, that of least squares 3"},
		{3.5, 4, nil, ""},
		{4, 4, nil, "no better than the training mean on the test part: RMSE 4, that of the mean 4."},
		{5, 4, &ols, "no better than the training mean"},
		{0, 0, &model.Metrics{}, ""},
	} {
		v := Compare("the test part", rmse(c.rmse), rmse(c.mean), c.ols)
		if got := v.Warning(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
		if v.BeatsMean == (c.rmse >= c.mean && c.rmse > 0) || (v.BeatsOLS == nil) != (c.ols == nil) {
			t.Errorf("%+v: %+v", c, v)
		}
	}
}
