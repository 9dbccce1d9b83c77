package words

import (
	"testing"

	"github.com/tskgraph/tskgraph/model"
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
		twins := Twins{On: "the test part", Rows: c.rows, Metric: "RMSE", Loss: 0.5, Twins: model.Twins{Samples: c.twins}}
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
