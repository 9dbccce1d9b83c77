package baseline

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/model"
)

// TestVerdict: a model that does not beat the training mean or least squares gets one warning.
func TestVerdict(t *testing.T) {
	rmse := func(v float64) model.Metrics { return model.Metrics{RMSE: v, Loss: v} }
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
		v := Compare("the test part", &model.Model{}, rmse(c.rmse), Errors{Constant: rmse(c.mean), Linear: c.ols})
		if got := v.Warning(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
		if v.BeatsConstant == (c.rmse >= c.mean && c.rmse > 0) || (v.BeatsLinear == nil) != (c.ols == nil) {
			t.Errorf("%+v: %+v", c, v)
		}
	}
}

// TestVerdictOnClasses: classes are compared by their log loss, with the shares and logistic regression.
func TestVerdictOnClasses(t *testing.T) {
	m := &model.Model{Preprocessing: model.Preprocessing{
		Schema:   data.Schema{Target: "kind", Classes: []string{"no", "yes"}},
		Response: model.Response{Link: "logit", Classes: []model.Class{{Name: "no", Share: 0.5}, {Name: "yes", Share: 0.5}}},
	}}
	of := func(v float64) model.Metrics { return model.Metrics{Loss: v, Classes: &metric.Classes{LogLoss: v}} }
	linear := of(0.3)
	for loss, want := range map[float64]string{
		0.2: "",
		0.4: "does not beat logistic regression, linear in the logarithm of the odds, on t.csv: log loss 0.4, that of logistic regression 0.3",
		0.7: "is no better than the class shares on t.csv: log loss 0.7, that of the class shares 0.69. Do not trust",
	} {
		v := Compare("t.csv", m, of(loss), Errors{Constant: of(0.69), Linear: &linear})
		if got := v.Warning(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q", loss, got, want)
		}
	}
}
