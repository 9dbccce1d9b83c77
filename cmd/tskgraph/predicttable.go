package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// write writes the table with the predictions to w: delimited text or, by the extension of the output, another format.
func (p *predicting) write(ctx context.Context, m *model.Model, in data.Input, w io.Writer) (counts model.TableCounts, err error) {
	to := data.Writable(p.out)
	if to == nil {
		return m.PredictTable(ctx, in, p.options, w)
	}
	numbers, err := p.numbers(m)
	if err != nil {
		return counts, err
	}
	r, text := io.Pipe()
	done := make(chan error, 1)
	go func() {
		var err error
		counts, err = m.PredictTable(ctx, in, p.options, text)
		done <- err
		_ = text.CloseWithError(err)
	}()
	err = data.Convert(w, to, data.Input{Name: in.Name + " with predictions", Reader: r}, data.Conversion{Delimiter: p.options.Delimiter, Numbers: numbers, NA: m.Schema.NA})
	_ = r.CloseWithError(errStopped) // what is not read is not written
	if predicted := <-done; predicted != nil && !errors.Is(predicted, errStopped) {
		err = predicted
	}
	return counts, err
}

var errStopped = errors.New("writing the predictions has stopped")

// numbers are the columns of the output that hold numbers: those of the model's schema, and the predictions.
func (p *predicting) numbers(m *model.Model) ([]string, error) {
	added, err := p.options.Columns(m)
	if err != nil {
		return nil, err
	}
	numbers := slices.DeleteFunc(added, func(name string) bool {
		return m.Schema.Classes != nil && name == m.Schema.Target+"_predicted" || p.options.Sets != 0 && name == m.Schema.Target+"_set"
	})
	for _, c := range m.Schema.Columns {
		if c.Encoding == data.Numeric && !c.Unused {
			numbers = append(numbers, c.Name)
		}
	}
	if m.Schema.Classes == nil {
		numbers = append(numbers, m.Schema.Targets()...)
	}
	return numbers, nil
}
