package predicting

import (
	"context"
	"io"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// ReadTable reads a table for a model, of a large one a sample. If Lenient, missing cells and unknown categories are filled in and
// reported to w.
func ReadTable(ctx context.Context, w io.Writer, m *model.Model, path string, how data.Options) (*data.Dataset, error) {
	parts, err := LoadTable(ctx, w, m, path, how)
	if err != nil {
		return nil, err
	}
	if all := parts.Test.Whole; all != nil {
		Note(w, "%s: a random sample of %d of %d rows is read", escape.Text(path), parts.Test.Len(), all.Len())
	}
	return parts.Test.WithoutWhole(), parts.Close()
}

// LoadTable is ReadTable of all rows of a table of any size, the test part.
func LoadTable(ctx context.Context, w io.Writer, m *model.Model, path string, how data.Options) (*data.Parts, error) {
	parts, err := data.LoadAs(ctx, path, m.Schema, how)
	if err != nil {
		return nil, err
	}
	d := parts.Test
	NoteCommas(w, path, d.Commas)
	NoteWeightless(w, path, d)
	NoteStrange(w, m.ImputeMeans, d.Missing)
	parts.Test = m.Fill(d)
	return parts, nil
}
