package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/tskgraph/tskgraph"
)

// lossKey returns what the columns of a table with figures of a criterion are named after:
// rmse, or loss for another criterion.
func lossKey(metric string) string {
	if metric == "RMSE" {
		return "rmse"
	}
	return "loss"
}

// WritePathCSV writes the steps of a pruning path, at least one, as CSV: rules, rmse_train,
// rmse_validation and standard_error (empty without a validation part), fidelity (empty if
// not finite), decision. With another criterion than RMSE the columns are loss_train and
// loss_validation.
func WritePathCSV(w io.Writer, steps []tskgraph.PathStep) error {
	out := csv.NewWriter(w)
	exact := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	figure := lossKey(steps[0].Metric)
	rows := [][]string{{"rules", figure + "_train", figure + "_validation", "standard_error", "fidelity", "decision"}}
	for _, s := range steps {
		rows = append(rows, []string{strconv.Itoa(s.Rules), exact(&s.LossTrain), exact(s.LossValidation), exact(s.StandardError), exact(s.Fidelity), s.Decision})
	}
	return out.WriteAll(rows)
}
