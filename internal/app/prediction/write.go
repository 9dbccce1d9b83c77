package prediction

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
)

// Write writes a table with the predictions to w, in the format that the name of the output asks for: Parquet, or delimited text,
// which .gz and .zst compress. o.Delimiter is that of the table.
func Write(ctx context.Context, m *model.Model, in data.Input, o model.TableOptions, name string, w io.Writer) (counts model.TableCounts,
	err error) {
	if to := table.Writable(name); to != nil {
		return WriteAs(ctx, m, in, o, to, w)
	}
	text := compressor(name, w)
	if counts, err = m.PredictTable(ctx, in, o, text); err == nil {
		err = text.Close()
	}
	return counts, err
}

// WriteAs is Write in a format other than delimited text.
func WriteAs(ctx context.Context, m *model.Model, in data.Input, o model.TableOptions, to *table.Format, w io.Writer) (
	counts model.TableCounts, err error) {
	numbers, err := numbersOf(m, o)
	if err != nil {
		return counts, err
	}
	r, text := io.Pipe()
	done := make(chan error, 1)
	go func() {
		var err error
		counts, err = m.PredictTable(ctx, in, o, text)
		done <- err
		_ = text.CloseWithError(err)
	}()
	err = table.Convert(w, to, data.Input{Name: in.Name + " with predictions", Reader: r},
		table.Conversion{Delimiter: o.Delimiter, Numbers: numbers, NA: m.Schema.NA})
	_ = r.CloseWithError(errStopped) // what is not read is not written
	if predicted := <-done; predicted != nil && !errors.Is(predicted, errStopped) {
		err = predicted
	}
	return counts, err
}

var errStopped = errors.New("writing the predictions has stopped")

// numbersOf returns the columns of the output that hold numbers: those of the model's schema, and the predictions.
func numbersOf(m *model.Model, o model.TableOptions) ([]string, error) {
	added, err := o.Columns(m)
	if err != nil {
		return nil, err
	}
	numbers := slices.DeleteFunc(added, func(name string) bool {
		return m.Schema.Classes != nil && name == m.Schema.Target+"_predicted" || o.Sets != 0 && name == m.Schema.Target+"_set" ||
			o.Flags && name == m.Schema.Target+"_flags"
	})
	for _, c := range m.Schema.Columns {
		if c.Numbers() && !c.Unused {
			numbers = append(numbers, c.Name)
		}
	}
	if m.Schema.Classes == nil {
		numbers = append(numbers, m.Schema.Targets()...)
	}
	return numbers, nil
}

// compressor returns a writer to w that compresses as the extension of a name says. Closing it does not close w. The bytes depend
// on what is written only, not on the sizes of the writes.
func compressor(name string, w io.Writer) io.WriteCloser {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return gzip.NewWriter(w)
	case ".zst":
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err == nil { // the options are valid
			return z
		}
	}
	return plain{w}
}

// plain writes text as it is.
type plain struct{ io.Writer }

func (plain) Close() error { return nil }
