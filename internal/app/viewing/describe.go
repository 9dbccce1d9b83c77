package viewing

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/readable"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/predicting"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// ExportedRows is the number of rows that an export describes rules on at most; more would take as long as a short training.
const ExportedRows = 5000

// Spread says which rows of the training table rules are described on; the zero value: on all.
type Spread struct {
	Most int // rows at equal distances, if there are more; 0: all
	Step int // the table has every step-th row of the training table, whose rows are numbered; 0 and 1: it is that table
}

// Of returns the rows to describe rules on.
func (s Spread) Of(samples *data.Dataset) *data.Dataset {
	if n := samples.Len(); s.Most > 0 && n > s.Most {
		chosen := make([]int, s.Most)
		for i := range chosen {
			chosen[i] = i * n / s.Most
		}
		samples = samples.Subset(chosen)
	}
	for i, row := range samples.Rows {
		samples.Rows[i] = (row-1)*max(1, s.Step) + 1
	}
	return samples
}

// Describe describes the model, and what its rules do on a table, "" for none, which is read with the options. The figures that say whether the rules can be
// read one by one are those that the run recorded; nil: those of the rows.
func Describe(ctx context.Context, notes io.Writer, m *model.Model, table string, how data.Options, rows Spread, recorded *readable.Readability) (words.Description, error) {
	if table == "" {
		d := words.Model(m)
		d.Readability = recorded
		return d, nil
	}
	samples, err := predicting.ReadTable(ctx, notes, m, table, how)
	if err != nil {
		return words.Description{}, err
	}
	samples = rows.Of(samples)
	d, err := words.ModelOn(m, samples)
	if err != nil {
		return d, err
	}
	if d.Readability = recorded; recorded == nil {
		d.Readability, err = readable.Measure(context.Background(), m, readable.Part{}, readable.Part{Name: escape.Text(filepath.Base(table)), Dataset: samples})
	}
	return d, err
}

// Readability returns the figures of the summary of the run at path; nil without one and for a member of a committee.
func Readability(path string, member int) (*readable.Readability, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || member != 0 {
		return nil, nil
	}
	summary, err := runs.ReadSummary(path)
	if err != nil || summary == nil {
		return nil, err
	}
	return summary.Readability, nil
}
