package table

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/data/series"
)

// ReadHistory reads a table of time stamps into memory.
func ReadHistory(in Input, delimiter string) (*series.History, error) {
	spec := in.Samples
	in.Samples = nil
	t, err := OpenTable(in, delimiter)
	if err != nil {
		return nil, err
	}
	return history(t, *spec)
}

// history reads the rows of a table, and closes it.
func history(t *Cursor, spec series.Spec) (h *series.History, err error) {
	defer func() { err = errors.Join(err, t.Close()) }()
	h, err = series.New(spec, t.Header.Names, func() ([]string, int, error) {
		if err := t.Next(); err == io.EOF {
			return nil, 0, nil
		} else if err != nil {
			return nil, 0, err
		}
		cells := make([]string, len(t.Header.Names))
		for i := range cells {
			cells[i] = strings.Clone(t.Cell(i))
		}
		return cells, t.Line(), nil
	})
	if h != nil {
		h.Delimiter = t.Header.Delimiter
	}
	return h, inTable(t, spec, err)
}

// ReadClock returns when the rows of a table of samples of a schema are.
func ReadClock(in Input, delimiter string, schema Schema) (*series.Clock, error) {
	in.Samples = &series.Spec{Time: schema.Time.Time, Series: schema.Time.Series, Step: schema.Time.Step}
	h, err := ReadHistory(in, delimiter)
	if err != nil {
		return nil, err
	}
	return h.Clock(), nil
}

// ReadSamples returns the features [N][M] of samples of a history by a schema; NaN is a missing cell, under Missing "mean".
func ReadSamples(name string, all *series.Samples, delimiter byte, schema Schema, missing string) ([][]float64, error) {
	t := NewTable(name, NewSamples(all, delimiter), NoFile{})
	if err := t.ReadNames(); err != nil {
		return nil, err
	}
	r, err := knownRows(t, schema, missing)
	if err != nil {
		return nil, err
	}
	var x [][]float64
	for err = r.Next(); err == nil; err = r.Next() {
		x = append(x, make([]float64, r.Width()))
		r.Encode(x[len(x)-1], r.Raw)
	}
	if err != io.EOF {
		return nil, err
	}
	return x, nil
}

// inTable returns a fault of a history as one of its table, or in training of a key if no row is at fault.
func inTable(t *Cursor, spec series.Spec, err error) error {
	fault := (*series.Fault)(nil)
	switch {
	case !errors.As(err, &fault):
		return err
	case fault.Line == 0 && fault.Key != "" && spec.Step == "":
		return KeyFault(fault.Key, "%s", fault.Message)
	}
	at := Faultf(t.Name, "%s", fault.Message)
	at.Line = fault.Line
	return at
}

// samplesOf returns the table of the samples of a table of time stamps.
func (in Input) samplesOf(t *Cursor) (*Cursor, error) {
	if in.LinesBefore > 0 {
		return nil, errors.Join(Faultf(in.Name, "part of a table of time stamps, whose past is in other parts: use predict or train"), t.Close())
	}
	h, err := history(t, *in.Samples)
	if err != nil {
		return nil, err
	}
	all, err := h.Samples(in.Learn)
	if err != nil {
		return nil, inTable(t, *in.Samples, err)
	}
	of := NewTable(in.Name, NewSamples(all, t.Header.Delimiter), NoFile{})
	of.Spec, of.Clock, of.unread = &h.Spec, all.Clock, t.Header.Names
	return of, of.ReadNames()
}

// sampled is a [RowSource] of samples in one block.
type sampled struct {
	header Header
	block  *Block // nil after it was read
}

// NewSamples returns the rows of samples, whose numbers are written as in delimited text of a delimiter.
func NewSamples(all *series.Samples, delimiter byte) RowSource {
	b := &Block{Rows: len(all.Cells), Columns: make([]Values, len(all.Columns)), Lines: all.Lines}
	for i := range b.Columns {
		b.Columns[i].Cells = make([]string, b.Rows)
		for n, cells := range all.Cells {
			b.Columns[i].Cells[n] = cells[i]
		}
	}
	return &sampled{Header{Names: all.Columns, Delimiter: delimiter}, b}
}

// Header, Next and Close make sampled a RowSource.
func (s *sampled) Header() Header { return s.header }
func (s *sampled) Close() error   { return nil }

func (s *sampled) Next(b *Block) error {
	if s.block == nil {
		return io.EOF
	}
	*b, s.block = *s.block, nil
	return nil
}

// Samples returns how the rows of a table of time stamps become samples of the schema; nil if they are.
func (s Schema) Samples() *series.Spec {
	if s.Time == nil {
		return nil
	}
	spec := *s.Time
	spec.Target, spec.Weight, spec.Blank = s.Target, s.Weight, s.NA.blank(s.Target)
	return spec.Chosen()
}

// samples is Samples of options.
func (o Options) samples() *series.Spec {
	return Schema{Time: o.Time, Target: o.Target, Weight: o.Weight, NA: o.NA}.Samples()
}

// blank returns whether a cell of a column is missing.
func (n NA) blank(column string) func(string) bool {
	marks := n.of(column)
	return func(cell string) bool {
		cell = strings.TrimSpace(cell)
		return IsMissing(cell) || marks.text(cell) || marks.numberOf(cell)
	}
}

// over returns the options of the samples of a table of time stamps: what they say of a column holds for its past values.
func (o Options) over(t *Cursor) Options {
	if t.Spec == nil {
		return o
	}
	o.Units, o.NA, o.Categorical, o.Limits = maps.Clone(o.Units), maps.Clone(o.NA), maps.Clone(o.Categorical), maps.Clone(o.Limits)
	for _, l := range t.Spec.Lags {
		for _, lag := range l.Steps {
			name := t.Spec.Name(l.Column, lag)
			spread(o.Units, l.Column, name)
			spread(o.NA, l.Column, name)
			spread(o.Categorical, l.Column, name)
			spread(o.Limits, l.Column, name)
		}
	}
	unread := func(name string) bool {
		_, there := t.index[name]
		return !there && slices.Contains(t.unread, name)
	}
	for _, name := range t.unread {
		if unread(name) {
			delete(o.Units, name)
			delete(o.NA, name)
			delete(o.Categorical, name)
			delete(o.Limits, name)
		}
	}
	o.Ignore = append(slices.DeleteFunc(slices.Clone(o.Ignore), unread), t.Spec.Time)
	return o
}

// spread gives the value of a column to one of its past values.
func spread[T any](values map[string]T, column, past string) {
	if value, ok := values[column]; ok {
		values[past] = value
	}
}
