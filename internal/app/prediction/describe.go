package prediction

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// Saved says where a saved model, or a member of it, is from, and where its rules are described.
type Saved struct {
	Path   string // of the model: a file, or the directory of a run
	Member int    // from 1; 0: the model itself
	Table  string // that it was trained on; empty: the training part of the run, if there is one
	Most   int    // rows at equal distances, if the table has more; 0: all
	Step   int    // the table has every step-th row of the training table, whose rows are numbered; 0 and 1: it is that table

	// Brief leaves out what the rules do on the training part of a run whose figures are recorded.
	Brief bool

	ofRun bool // the figures that the run recorded hold for a given table, too
}

// Spread returns the rows to describe rules on, which it numbers.
func (s Saved) Spread(samples *data.Dataset) *data.Dataset {
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

// Describe describes the model, and what its rules do on the table. The figures that say whether the rules can be read one by one
// are those that the run recorded or, for a member of a committee and with a table, those of the rows. Notes go to w.
func Describe(ctx context.Context, w io.Writer, m *model.Model, s Saved) (d words.Description, err error) {
	recorded, err := s.recorded(m)
	if err != nil {
		return d, err
	}
	how := data.Options{Lenient: true, Run: s.Table == ""}
	if s.Table == "" && !(s.Brief && recorded != nil) {
		s.Table = TrainingTable(s.Path)
	}
	if s.Table == "" {
		d = words.Model(m)
		d.Readability = recorded
		return d, nil
	}
	samples, err := ReadTable(ctx, w, m, s.Table, how)
	if err != nil {
		return d, err
	}
	samples = s.Spread(samples)
	if d, err = words.ModelOn(m, samples); err != nil {
		return d, err
	}
	if d.Readability = recorded; recorded == nil {
		d.Readability, err = words.Measure(ctx, m, words.Part{},
			words.Part{Name: escape.Text(filepath.Base(s.Table)), Dataset: samples})
	}
	return d, err
}

// recorded returns the figures of the summary of the run; nil without one, for a member of a committee and with a table.
func (s Saved) recorded(m *model.Model) (*words.Readability, error) {
	if info, err := os.Stat(s.Path); err != nil || !info.IsDir() || s.Member != 0 || s.Table != "" && !s.ofRun {
		return nil, nil
	}
	summary, err := runs.ReadPriced(s.Path, m)
	if err != nil || summary == nil {
		return nil, err
	}
	return summary.Readability, nil
}

// Rules returns the rules of a model as a file to edit, and notes on what the file does not have.
func Rules(m *model.Model) (*byhand.Rulebook, []string, error) {
	b, err := byhand.FromModel(m)
	if err != nil {
		return nil, nil, message.Usage(err)
	}
	var notes []string
	if m.Neighbours != nil {
		notes = append(notes, "the file has the rules, without the model's neighbours")
	}
	if m.Calibration != nil {
		notes = append(notes, "the file has the rules, without the calibration of prediction intervals")
	}
	return b, notes, nil
}

// ExportedRows is the number of rows that an export describes rules on at most; more would take as long as a short training.
const ExportedRows = 5000

// Export writes a model as a target, with its rules described if the target has them. Notes on the table go to w, those on what the
// target cannot express are in the result.
func Export(ctx context.Context, w io.Writer, m *model.Model, target export.Target, o export.Options, s Saved) (*export.Result, error) {
	form, err := export.New(m)
	if err != nil {
		return nil, message.Usagef("cannot export the model: %w", err)
	}
	if c := certify.Beside(s.Path, m); c != nil {
		form.Promises = append([]string{"", "What this model promises:"}, c.Sentences()...)
	}
	if slices.Contains(target.Options, export.OptionData) {
		s.Most, s.ofRun = ExportedRows, true
		d, err := Describe(ctx, w, m, s)
		if err != nil {
			return nil, err
		}
		if r := d.Readability; r != nil && r.Page != nil {
			r.Page.Price = nil // which depends on the runs that are beside it now
		}
		o.Described = &d
	}
	result, err := target.Write(form, o)
	if err != nil {
		return nil, message.Usage(err)
	}
	return result, nil
}
