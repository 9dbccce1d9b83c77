package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/readable"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// named is the largest number of columns that a warning names.
const named = 6

// warnings returns warnings about the data: missing cells, constant columns, twins, repeated rows, values outside the training range, samples that no rule covers, predictions that were
// limited.
func warnings(in Input, predicted model.Predictions, twins *readable.Twins) []string {
	var all []string
	say := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	d := in.Data
	standIn, readAs := report.StandIn(in.Model.ImputeMeans)
	if missing := missingCells(in); missing.Cells > 0 {
		say("Missing values: %d, in %s. Rows left out for them: %d; cells filled with the training mean: %d.",
			missing.Cells, perColumn(missing.Columns), missing.Dropped, missing.Imputed)
	}
	if n := d.Missing.Columns; d.Missing.First != "" && in.Summary != nil && len(n) > 0 {
		say("Missing cells of %s: %s; %s.", d.Name, perColumn(n), standIn)
	}
	if n := d.Missing.Unknown; len(n) > 0 {
		say("Categories of %s that the model does not know: %s; read as %s.", d.Name, perColumn(n), readAs)
	}
	if names := in.Model.Dropped(); len(names) > 0 {
		say("Not used because constant in training: %s.", list(names))
	}
	whole := d
	if in.Train != nil && in.Train.Name != d.Name {
		whole = *in.Train
	}
	if twins != nil {
		say("%s", twins)
	}
	if n := data.Duplicates(whole.Dataset); n > 0 {
		say("Rows of %s that repeat an earlier one, including the target: %d.", whole.Name, n)
	}
	if n := predicted.OutOfRange; n > 0 {
		say("Rows of %s with a value outside the training range: %d (%s), by feature: %s. There the model extrapolates.",
			d.Name, n, percent(float64(n)/float64(d.Len())), perColumn(outside(in)))
	}
	if n := predicted.Uncovered; n > 0 {
		say("Rows of %s that no rule covers: %d. %s in for a prediction.", d.Name, n, stoodIn(in.Model))
	}
	if n := predicted.Limited; n > 0 {
		say("Predictions for %s kept within the limits of the target: %d.", d.Name, n)
	}
	return all
}

// missingCells returns the missing cells of the whole table, as the run counted them, or of the
// data.
func missingCells(in Input) data.Missing {
	if in.Summary != nil {
		return in.Summary.Missing
	}
	return in.Data.Missing
}

// outside returns the number of values outside the training range, by feature.
func outside(in Input) map[string]int {
	counts := map[string]int{}
	for _, row := range in.Data.X {
		for m, f := range in.Model.Features {
			if !f.Constant && (row[m] < f.Min || row[m] > f.Max) {
				counts[f.Name]++
			}
		}
	}
	return counts
}

// perColumn formats counts by column, in descending order.
func perColumn(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%d)", name, counts[name])
	}
	return list(names)
}

func list(names []string) string {
	if len(names) > named {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
	}
	return strings.Join(names, ", ")
}

// stoodIn begins a sentence on what stands in for a prediction.
func stoodIn(m *model.Model) string {
	words := m.Words()
	if words.Plural {
		return "The " + words.Constant + " stand"
	}
	return "The " + words.Constant + " stands"
}
