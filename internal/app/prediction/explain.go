package prediction

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// Explain explains the prediction of a row of a table, from 1, against the table at background or, if it is empty, the training part of
// the run at path: as text and as JSON. Notes go to w. Without a background the error is ErrNoBackground.
func Explain(ctx context.Context, w io.Writer, m *model.Model, path, background string, in data.Input, how data.ReaderOptions,
	row int) (fmt.Stringer, error) {
	against, train, err := ReadBackground(ctx, w, m, path, background)
	if err != nil {
		return nil, err
	}
	s, err := readSample(in, how, m, row)
	if err != nil {
		return nil, err
	}
	message.Strange(w, m, s.missing)
	message.Commas(w, in.Name, s.commas)
	e, err := s.explain(m, against, train, row)
	if fault := (*model.SampleError)(nil); errors.As(err, &fault) {
		err = &data.Error{File: in.Name, Line: s.line, Message: fault.Message, Err: err}
	}
	return e, err
}

// sample is a row of a table.
type sample struct {
	x      []float64
	line   int
	target *float64 // nil if the table has none
	actual []string // cells of all targets; nil if the table lacks one
	commas []string // columns with decimal commas

	missing data.Missing // missing cells and unknown categories of the row
}

func (s sample) explain(m *model.Model, background, train *data.Dataset, row int) (fmt.Stringer, error) {
	if !m.Number() {
		e, err := words.ExplainResponse(m, s.x, background, train)
		if err != nil {
			return nil, err
		}
		e.Row, e.Actual = row, s.actual
		return e, nil
	}
	columns, err := shapley.New(m, background, m.Training.Seed)
	if err != nil {
		return nil, err
	}
	e, err := words.Explain(m, s.x, columns, train)
	if err != nil {
		return nil, err
	}
	e.Row, e.Actual = row, s.target
	return e, nil
}

// readSample reads one row by a model's schema, and its target if the row has one that is a number.
func readSample(in data.Input, how data.ReaderOptions, m *model.Model, row int) (sample, error) {
	reader, err := data.NewReader(in, m.Schema, how)
	if err != nil {
		return sample{}, err
	}
	defer reader.Close()
	var b data.Batch
	for before := 0; ; before += len(b.X) {
		switch err := reader.Next(&b); {
		case err == io.EOF:
			what := fmt.Sprintf("the table has %d rows", before)
			if m.Schema.Time != nil {
				what = fmt.Sprintf("it is none of the %d samples, which have the rows of all lags before them", before)
			}
			return sample{}, &data.Error{File: in.Name, Message: fmt.Sprintf("--row %d: %s", row, what)}
		case err != nil:
			return sample{}, err
		}
		err := b.Parse()
		i := row - before - 1
		if m.Schema.Time != nil { // samples are fewer than the rows of their table
			i = slices.Index(b.Lines, row+1)
		}
		if 0 <= i && i < len(b.X) {
			s := sample{x: b.X[i], line: b.Lines[i]}
			if how.Lenient {
				s.missing = strangeIn(m, s.x, fmt.Sprintf("%s:%d", in.Name, s.line))
				s.x = m.Fill(&data.Dataset{X: [][]float64{s.x}, Missing: s.missing}).X[0]
			}
			s.observe(reader, m.Schema, b.Records[i])
			if len(b.Exposed) > 0 && s.target != nil { // the model says a rate
				s.actual = []string{numeric.Show(*s.target/b.Exposed[i], 5)}
			}
			s.commas, err = reader.Marks().Commas()
			return s, err
		}
		if err != nil {
			return sample{}, err
		}
	}
}

// observe sets the target, if the record has it, and the cells of all targets, if it has all.
func (s *sample) observe(reader *data.Reader, schema data.Schema, text string) {
	record := csv.NewReader(strings.NewReader(text))
	record.Comma = reader.Delimiter()
	cells, err := record.Read()
	if err != nil {
		return
	}
	for _, name := range schema.Targets() {
		at := slices.Index(reader.Header(), name)
		if at < 0 {
			s.actual = nil
			return
		}
		if v, ok := reader.Number(cells[at]); ok && name == schema.Target {
			s.target = &v
		}
		s.actual = append(s.actual, cells[at])
	}
	if slices.Contains(s.actual, "") {
		s.actual = nil
	}
}

// strangeIn counts the missing cells and unknown categories of one row, as a Lenient reader encodes them.
func strangeIn(m *model.Model, x []float64, place string) data.Missing {
	row := data.Missing{Policy: "mean"}
	for _, c := range m.Schema.Columns {
		features := x[:c.Width()]
		x = x[c.Width():]
		column := map[string]int{c.Name: 1}
		at := fmt.Sprintf("%s: column %s: ", place, escape.Quote(c.Name))
		switch {
		case c.Unused || c.Missing && c.Numbers():
		case math.IsNaN(features[0]):
			what := "missing"
			if !c.Numbers() && math.IsNaN(c.Values(-1)[0]) {
				what += ", or no known level"
			}
			row.Add(data.Missing{Cells: 1, Imputed: 1, Columns: column, First: at + what})
		case !c.Numbers() && c.Level(features) < 0:
			row.Add(data.Missing{Unknown: column, First: at + "no known category"})
		}
	}
	return row
}
