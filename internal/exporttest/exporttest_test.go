package exporttest_test

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// The form has all that a prediction needs: evaluated literally, it predicts as the model does.
func TestFormPredicts(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		var got [][]float64
		for n := range table.Cells {
			got = append(got, table.Form.Predict(table.Features(n)))
		}
		table.Compare(t, got, exporttest.Tolerance)
	})
}
