package prediction

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// Tables says how the tables of a run are read; notes about them go to Notes.
type Tables struct {
	Notes   io.Writer
	Options data.Options
}

// Read reads a table with the columns of a model.
func (t Tables) Read(ctx context.Context, m *model.Model, path string) (*data.Dataset, error) {
	return ReadTable(ctx, t.Notes, m, path, t.Options)
}

// Run returns what a page on the model of a run shows, from the files in its directory without those that were removed: errors are
// measured on the test part or, without one, on the validation part. If held is false it reads neither, and Data is empty.
func (t Tables) Run(ctx context.Context, m *model.Model, dir string, held bool) (in page.Input, err error) {
	in.Model = m
	if in.Summary, err = runs.ReadSummary(dir); err != nil {
		return in, err
	}
	if in.Metrics, err = runs.ReadMetrics(dir); err != nil {
		return in, err
	}
	t.Options.Run = true
	if path := TrainingTable(dir); path != "" {
		train, err := t.Read(ctx, m, path)
		if err != nil {
			return in, err
		}
		in.Train = &page.Part{Name: fileOf("train.csv", in.Summary), Dataset: train}
	}
	for _, name := range []string{"test.csv", "validation.csv"} {
		if path := PartTable(dir, name); held && path != "" {
			part, err := t.Read(ctx, m, path)
			in.Data = page.Part{Name: fileOf(name, in.Summary), Dataset: part}
			return in, err
		}
	}
	return in, nil
}

// fileOf names the file of a part of a run, and its rows if it has a sample of them.
func fileOf(name string, s *report.Summary) string {
	if s == nil {
		return name
	}
	rows := map[string]int{"train.csv": s.SamplesTrain, "validation.csv": s.SamplesValidation, "test.csv": s.SamplesTest}[name]
	sample := map[string]int{"train.csv": s.SampleTrain, "validation.csv": s.SampleValidation, "test.csv": s.SampleTest}[name]
	if sample == 0 {
		return name
	}
	return fmt.Sprintf("%s (a sample of %d rows)", name, rows)
}

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

// Describe describes the model, and what its rules do on a table, "" for none, which is read with the options. The
// figures that say whether the rules can be read one by one are those that the run recorded; nil: those of the rows.
func Describe(ctx context.Context, notes io.Writer, m *model.Model, table string, how data.Options, rows Spread,
	recorded *words.Readability) (words.Description, error) {
	if table == "" {
		d := words.Model(m)
		d.Readability = recorded
		return d, nil
	}
	samples, err := ReadTable(ctx, notes, m, table, how)
	if err != nil {
		return words.Description{}, err
	}
	samples = rows.Of(samples)
	d, err := words.ModelOn(m, samples)
	if err != nil {
		return d, err
	}
	if d.Readability = recorded; recorded == nil {
		d.Readability, err = words.Measure(context.Background(), m, words.Part{},
			words.Part{Name: escape.Text(filepath.Base(table)), Dataset: samples})
	}
	return d, err
}

// Readability returns the figures of the summary of the run at path; nil without one and for a member of a committee.
func Readability(path string, member int) (*words.Readability, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || member != 0 {
		return nil, nil
	}
	summary, err := runs.ReadSummary(path)
	if err != nil || summary == nil {
		return nil, err
	}
	return summary.Readability, nil
}
