package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/tskgraph/tskgraph"
)

// WritePathCSV writes the steps of a pruning path as CSV: rules, rmse_train,
// rmse_validation and standard_error (empty without a validation part), fidelity (empty if
// not finite), decision.
func WritePathCSV(w io.Writer, steps []tskgraph.PathStep) error {
	out := csv.NewWriter(w)
	exact := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	rows := [][]string{{"rules", "rmse_train", "rmse_validation", "standard_error", "fidelity", "decision"}}
	for _, s := range steps {
		rows = append(rows, []string{strconv.Itoa(s.Rules), exact(&s.RMSETrain), exact(s.RMSEValidation), exact(s.StandardError), exact(s.Fidelity), s.Decision})
	}
	return out.WriteAll(rows)
}
