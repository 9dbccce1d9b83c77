package workbench

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	tabular "github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
)

// score are the arguments of score: a table, and what is added to it besides the predictions.
type score struct {
	ofRun
	Table    string `json:"table"`
	Interval bool   `json:"interval"`
	Flags    bool   `json:"flags"`
	Firing   bool   `json:"firing"`
	Explain  bool   `json:"explain"`
	Save     string `json:"save"` // extension of the file to write; empty: the first rows are the result
}

// scored has the first rows of a table with predictions.
type scored struct {
	Header []string   `json:"header"`
	Added  int        `json:"added"` // columns, at the end
	Rows   [][]string `json:"rows"`
	Counts string     `json:"counts"`
	Notes  []string   `json:"notes"`
}

// Limits of what is answered.
const (
	firstRows   = 30
	firstBytes  = 1 << 20
	mostWritten = 200e6 // bytes of a file, which is in memory
)

var errTooLarge = errors.New("too large for the page")

// bounded is a buffer that refuses more than some bytes, or passes over them.
type bounded struct {
	bytes.Buffer
	most int
	cut  bool // pass over
}

func (b *bounded) Write(p []byte) (int, error) {
	switch room := b.most - b.Len(); {
	case room >= len(p):
		return b.Buffer.Write(p)
	case !b.cut:
		return 0, errTooLarge
	default:
		_, _ = b.Buffer.Write(p[:room]) // never fails
		return len(p), nil
	}
}

// answerScore predicts the rows of a table.
func answerScore(c call) (any, error) {
	var args score
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	s, err := scorerOf(c, args.Run)
	if err != nil {
		return nil, err
	}
	t, err := find(c.Bench, args.Table)
	if err != nil {
		return nil, err
	}
	if t.path == "" {
		return nil, message.Usagef("table: %s is built in: drop a file with rows to predict", args.Table)
	}
	if args.Save != "" && !slices.Contains(formats(), args.Save) {
		return nil, message.Usagef("save: %q is not a format of files that is written here: choose one of %s", args.Save,
			strings.Join(formats(), ", "))
	}
	in := data.Input{Name: t.path, Context: c.ctx}
	options, added, err := s.options(c, args)
	if err != nil {
		return nil, err
	}
	stem, _ := divide(args.Table)
	name := stem + "-predicted." + args.Save
	out := &bounded{most: mostWritten}
	if args.Save == "" {
		out = &bounded{most: firstBytes, cut: true}
	}
	var counts model.TableCounts
	if to := tabular.Writable(name); to != nil {
		counts, err = prediction.WriteAs(c.ctx, s.model, in, options, to, out)
	} else {
		counts, err = s.model.PredictTable(c.ctx, in, options, out)
	}
	if errors.Is(err, errTooLarge) {
		return nil, &data.Error{File: args.Table, Message: "the predictions are " + errTooLarge.Error() + ": use the command: " +
			escape.ShellLine("tskgraph", "predict", "--model", args.Run, "--data", args.Table, "--out", name)}
	}
	if err != nil {
		return nil, err
	}
	notes := s.notes(t, counts)
	if args.Save != "" {
		return newFile(safefile.Name(name), out.Bytes(), notes), nil
	}
	answer := scored{Added: added, Counts: message.Counts(counts), Notes: notes}
	text := out.Bytes()
	if out.Len() == firstBytes { // the last row is cut
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	err = answer.read(in, s.model, text)
	return answer, err
}

// options returns the options of the predictions, and the number of columns that they add.
func (s *scorer) options(c call, args score) (o model.TableOptions, added int, err error) {
	o = model.TableOptions{Flags: args.Flags, Firing: args.Firing}
	if level := s.level(); args.Interval && level == 0 {
		return o, 0, message.Usagef("interval: the model has no intervals: train with data.calibration")
	} else if args.Interval && s.model.Schema.Classes != nil {
		o.Sets = level
	} else if args.Interval {
		o.Interval = level
	}
	if args.Explain {
		if s.train == nil {
			return o, 0, message.Usagef("explain: contributions of columns compare with training rows, which are not known here")
		}
		b, err := prediction.Background(c.ctx, io.Discard, s.model, s.path, "")
		if err != nil {
			return o, 0, err
		}
		if o.Explain, err = prediction.Explainer(s.model, b); err != nil {
			return o, 0, err
		}
	}
	columns, err := o.Columns(s.model)
	if err != nil {
		return o, 0, message.Usage(err)
	}
	return o, len(columns), nil
}

// notes returns what the command notes about a table.
func (s *scorer) notes(t *table, counts model.TableCounts) []string {
	var text bytes.Buffer
	counts.Missing.First = strings.Replace(counts.Missing.First, t.path, t.name, 1)
	message.Strange(&text, s.model, counts.Missing)
	message.Commas(&text, t.name, counts.Commas)
	all := []string{}
	for line := range strings.Lines(text.String()) {
		all = append(all, progress.Note(line).Text)
	}
	return all
}

// read reads the first rows of predictions, which have the delimiter of their table.
func (a *scored) read(in data.Input, m *model.Model, text []byte) error {
	table, err := data.NewReader(in, m.Schema, data.ReaderOptions{Lenient: true})
	if err != nil {
		return err
	}
	defer table.Close()
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma = table.Delimiter()
	if a.Header, err = rows.Read(); err != nil {
		return err
	}
	a.Rows = [][]string{}
	for len(a.Rows) < firstRows {
		row, err := rows.Read()
		if err != nil { // the end, or where the text is cut
			return nil
		}
		a.Rows = append(a.Rows, row)
	}
	return nil
}
