// Package dataset sends data sets to workers, which may train on them.
package dataset

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
)

// sent is a data set as it is written. Values are stored by rows, with all their bits.
type sent struct {
	Schema     data.Schema
	Features   int
	X          []float64 // [N*M]
	Y          []float64
	Others     [][]float64
	Weights    []float64
	Groups     []int
	Ordered    bool
	Rows       []int
	Missing    data.Missing
	Commas     []string
	Weightless int
	Of         *of // of a sample
}

// Write writes a data set to a file that [Read] reads: all that its trainings and its fingerprint depend on. Of a sample it
// writes the sample and what is known about all rows, not these.
func Write(ctx context.Context, path string, d *data.Dataset) error {
	s := sent{
		Schema: d.Schema, Features: len(d.Schema.Features()), Y: d.Y, Others: d.Others, Weights: d.Weights, Groups: d.Groups, Ordered: d.Ordered,
		Rows: d.Rows, Missing: d.Missing, Commas: d.Commas, Weightless: d.Weightless,
	}
	s.X = make([]float64, 0, d.Len()*s.Features)
	for _, row := range d.X {
		s.X = append(s.X, row...)
	}
	if d.Whole != nil {
		s.Of = ofWhole(d.Whole)
	}
	return files.Write(ctx, path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(s) })
}

// Read reads a data set that [Write] has written.
func Read(ctx context.Context, path string) (*data.Dataset, error) {
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var s sent
	if err := gob.NewDecoder(f).Decode(&s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Features < 1 || len(s.X) != len(s.Y)*s.Features {
		return nil, fmt.Errorf("%s: %w", path, errors.New("not a data set"))
	}
	d := &data.Dataset{
		Schema: s.Schema, X: make([][]float64, len(s.Y)), Y: s.Y, Others: s.Others, Weights: s.Weights, Groups: s.Groups, Ordered: s.Ordered,
		Rows: s.Rows, Missing: s.Missing, Commas: s.Commas, Weightless: s.Weightless,
	}
	for i := range d.X {
		d.X[i] = s.X[i*s.Features : (i+1)*s.Features : (i+1)*s.Features]
	}
	if s.Of != nil {
		d.Whole = s.Of
	}
	if err := d.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}
