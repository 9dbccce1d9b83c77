package prediction

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/model"
)

// Reference returns what new rows are compared with: the table at train or, if it is empty, the training part of the run at path; errors
// with those of its test part or, without one, its calibration or validation part, or of the table at held.
func Reference(m *model.Model, path, train, held string) (*drift.Reference, error) {
	run := train == ""
	if run {
		if train = TrainingTable(path); train == "" {
			return nil, message.Usagef("--train is required without train.csv in the directory of a run: the table that the model was trained on")
		}
	}
	read := func(table string, run bool) (*data.Dataset, error) {
		return data.ReadAs(table, m.Schema, data.Options{Delimiter: "auto", Lenient: true, Run: run})
	}
	training, err := read(train, run)
	if err != nil {
		return nil, err
	}
	inside := false
	for _, part := range []string{"test.csv", "calibration.csv", "validation.csv"} {
		if held == "" && run {
			held = PartTable(path, part)
			inside = held != ""
		}
	}
	var out *data.Dataset
	if held != "" {
		if out, err = read(held, inside); err != nil {
			return nil, err
		}
	}
	return drift.New(m, training, out)
}

// Watch compares a table with a reference at a level: all its rows and, where the table has the targets, the errors of those whose
// targets are known, of a large table those of a random sample. Notes go to w.
func Watch(ctx context.Context, w io.Writer, r *drift.Reference, path string, how data.Options, level float64) (*drift.Report, error) {
	counts, header, err := count(ctx, r, path, how)
	if err != nil {
		return nil, err
	}
	m := r.Model()
	needed := m.Schema.Targets()
	if m.Schema.Weight != "" {
		needed = append(slices.Clone(needed), m.Schema.Weight)
	}
	for _, name := range needed {
		if !slices.Contains(header, name) {
			message.Note(w, "%s has no column %s: errors are not compared", escape.Text(path), escape.Quote(name))
			return r.Compare(counts, level)
		}
	}
	if !r.HeldOut() {
		message.Note(w, "no rows held out from training are known: errors are not compared; name a table of them with --held-out")
		return r.Compare(counts, level)
	}
	how.Lenient = true
	parts, err := data.LoadAs(ctx, path, m.Schema, how)
	if errors.Is(err, table.ErrNoRow) {
		message.Note(w, "%s has no row with %s: errors are not compared", escape.Text(path), escape.List(needed))
		return r.Compare(counts, level)
	}
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	if err := counts.AddErrors(parts.Test); err != nil {
		return nil, InTable(path, parts.Test, err)
	}
	return r.Compare(counts, level)
}

// count counts all rows of a table, and returns its header.
func count(ctx context.Context, r *drift.Reference, table string, how data.Options) (*drift.Counts, []string, error) {
	in, err := data.NewReader(data.Input{Name: table, Query: how.Query, Context: ctx}, r.Model().Schema,
		data.ReaderOptions{Delimiter: how.Delimiter, Lenient: true})
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	counts := r.Count()
	var b data.Batch
	for {
		if err = in.Next(&b); err == nil {
			err = b.Parse()
		}
		if err == nil {
			err = counts.Add(b.X, b.Missing.Unknown)
		}
		if fault := (*model.SampleError)(nil); errors.As(err, &fault) {
			err = &data.Error{File: b.File, Line: b.Lines[fault.Sample], Message: fault.Message, Err: err}
		}
		if errors.Is(err, io.EOF) {
			return counts, in.Header(), ctx.Err()
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, nil, err
		}
	}
}

// Refit returns what fitting the THEN parts of a model to a table would change; of a large table, to a random sample.
func Refit(ctx context.Context, m *model.Model, path string, how data.Options) (*drift.Refit, error) {
	how.Lenient = true
	parts, err := data.LoadAs(ctx, path, m.Schema, how)
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	made, err := drift.NewRefit(ctx, m, parts.Test.WithoutWhole(), m.Training.Seed)
	err = InTable(path, parts.Test, err)
	if errors.Is(err, drift.ErrRefit) {
		return nil, message.Usagef("--refit: %w", err)
	}
	return made, err
}
