package prediction

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// Tables says how the tables of a run are read; notes about them go to Notes.
type Tables struct {
	Notes   io.Writer
	Options data.Options
}

// Read reads a table with the columns of a model; of samples of a table of time stamps also when they are.
func (t Tables) Read(ctx context.Context, m *model.Model, path string) (*data.Dataset, error) {
	d, err := ReadTable(ctx, t.Notes, m, path, t.Options)
	if err != nil || m.Schema.Time == nil || d.Clock != nil || path == "-" {
		return d, err
	}
	timed := *d
	if timed.Clock, err = table.ReadClock(t.Options.Input(path), t.Options.Delimiter, m.Schema); err != nil {
		message.Note(t.Notes, "forecasts are not drawn: %v", err)
		return d, nil
	}
	return &timed, nil
}

// Run returns what a page on the model of a run shows, from the files in its directory without those that were removed: errors are
// measured on the test part or, without one, on the validation part. If held is false it reads neither, and Data is empty.
func (t Tables) Run(ctx context.Context, m *model.Model, dir string, held bool) (in page.Input, err error) {
	in.Model = m
	if in.Summary, err = runs.ReadPriced(dir, m); err != nil {
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
		in.Train = &page.Part{Name: in.Summary.Part(report.TrainingPart), Dataset: train}
	}
	for _, of := range [][2]string{{"test.csv", report.TestPart}, {"validation.csv", report.ValidationPart}} {
		if path := PartTable(dir, of[0]); held && path != "" {
			part, err := t.Read(ctx, m, path)
			in.Data = page.Part{Name: in.Summary.Part(of[1]), Dataset: part}
			return in, err
		}
	}
	return in, nil
}

// ErrNoTables says that a run has no part to measure a model on.
var ErrNoTables = errors.New("the run has no tables (output.tables is false, or they were removed)")

// IsRun reports whether a path of a model may be the directory of a run.
func IsRun(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir()
}

// Page returns what a page shows of the model at a path, a file or the directory of a run: with errors on a table or, if it is empty, on
// what [Tables.Run] measures, else on the training part. Without any part the error is ErrNoTables.
func (t Tables) Page(ctx context.Context, m *model.Model, path, of string) (in page.Input, err error) {
	if in.Model = m; IsRun(path) {
		in, err = t.Run(ctx, m, path, of == "")
	}
	in.Promises = certify.Beside(path, m).Sentences()
	switch {
	case err != nil:
	case of != "":
		in.Data.Name = filepath.Base(of)
		if of == "-" {
			in.Data.Name = "standard input"
		}
		in.Data.Dataset, err = t.Read(ctx, m, of)
	case in.Data.Dataset != nil:
	case in.Train == nil:
		err = ErrNoTables
	default:
		in.Data = *in.Train
	}
	return in, err
}
