package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

func newExplain() *cobra.Command {
	var e explaining
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Explain the prediction of one row of a table",
		Long: `Explain the prediction of one row of a table: how far each column, and how far each rule, moved it.

The contributions of the columns are Shapley values against a sample of at most 100 rows of --background, by default of
train.csv in the directory of a run: they and the mean prediction for this sample sum to the prediction. They are exact
for up to 12 columns; beyond, they are estimated, with a standard error.

A condition of a rule is met if the row's value is among those that its words name; otherwise its grade is shown as a
share of the largest grade. In JSON the parts by rule sum to the prediction bit for bit: the mean, the contributions of
the rules in their order, the neighbours, the limit, the rounding; the parts by column sum up to rounding errors. The table
need not have the target.

A model with neighbours (model.neighbours) also shows how far similar training rows lay from what the rules say, and the
nearest of these rows. The contributions of the columns are then those to the prediction without neighbours.

Of classes, the contributions are those to the log odds of the most probable class against the second; of several targets
and quantiles there are sums for each; those of counts and costs (log link) are factors of a product. In JSON, "outputs" has
the sums of all outputs of the rules on the scale of the link, and "contrast" those of the log odds.`,
		Example: `  tskgraph explain --model runs/no2-gaussian-001 --data new.csv --row 17
  tskgraph explain --model model.json --background train.csv --data new.csv --row 17 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd) },
	}
	addModel(cmd, &e.model)
	addMember(cmd, &e.member)
	cmd.Flags().StringVarP(&e.data, "data", "d", "", "a table with the model's features, or - for standard input")
	cmd.Flags().IntVar(&e.row, "row", 1, "`number` of the row, from 1, without the header")
	cmd.Flags().StringVar(&e.delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	command.AddBackground(cmd.Flags(), &e.background)
	command.AddStrict(cmd.Flags(), &e.strict)
	cmd.Flags().BoolVar(&e.asJSON, "json", false, "print one JSON object")
	return cmd
}

// explaining is one `explain` command.
type explaining struct {
	model, data, delimiter, background string
	member, row                        int
	asJSON, strict                     bool
}

func (e *explaining) run(cmd *cobra.Command) error {
	if err := needed(cmd, "model", "data"); err != nil {
		return err
	}
	if e.row < 1 {
		return message.Usagef("--row %d: rows are numbered from 1, without the header", e.row)
	}
	m, err := loadMember(e.model, e.member)
	if err != nil {
		return err
	}
	background, train, err := prediction.ReadBackground(cmd.Context(), cmd.ErrOrStderr(), m, e.model, e.background)
	if errors.Is(err, prediction.ErrNoBackground) {
		err = message.Usage(err)
	}
	if err != nil {
		return err
	}
	in := input(cmd, e.data)
	s, err := readSample(in, data.ReaderOptions{Delimiter: e.delimiter, Lenient: !e.strict}, m, e.row)
	if err != nil {
		return err
	}
	message.Strange(cmd.ErrOrStderr(), m.ImputeMeans, s.missing)
	message.Commas(cmd.ErrOrStderr(), in.Name, s.commas)
	if m.Number() {
		err = e.explain(cmd, m, s, background, train)
	} else {
		err = e.explainResponse(cmd, m, s, background, train)
	}
	if fault := (*model.SampleError)(nil); errors.As(err, &fault) {
		return &data.Error{File: in.Name, Line: s.line, Message: fault.Message, Err: err}
	}
	return err
}

// explain prints the explanation of a model of one target.
func (e *explaining) explain(cmd *cobra.Command, m *model.Model, s sample, background, train *data.Dataset) error {
	columns, err := shapley.New(m, background, m.Training.Seed)
	if err != nil {
		return err
	}
	explained, err := words.Explain(m, s.x, columns, train)
	if err != nil {
		return err
	}
	explained.Row, explained.Actual = e.row, s.target
	if e.asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), explained)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), explained.String())
	return err
}

// explainResponse prints the explanation of a model with a response.
func (e *explaining) explainResponse(cmd *cobra.Command, m *model.Model, s sample, background, train *data.Dataset) error {
	explained, err := words.ExplainResponse(m, s.x, background, train)
	if err != nil {
		return err
	}
	explained.Row, explained.Actual = e.row, s.actual
	if e.asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), explained)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), explained.String())
	return err
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

// cellsOf returns the cells of columns; nil unless the table has all.
func cellsOf(cells, header, columns []string) []string {
	var all []string
	for _, name := range columns {
		at := slices.Index(header, name)
		if at < 0 || cells[at] == "" {
			return nil
		}
		all = append(all, cells[at])
	}
	return all
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
			return sample{}, &data.Error{File: in.Name, Message: fmt.Sprintf("--row %d: the table has %d rows", row, before)}
		case err != nil:
			return sample{}, err
		}
		err := b.Parse()
		i := row - before - 1
		if i < len(b.X) {
			s := sample{x: b.X[i], line: b.Lines[i]}
			if how.Lenient {
				s.missing = strangeIn(m, s.x, fmt.Sprintf("%s:%d", in.Name, s.line))
				s.x = m.Fill(&data.Dataset{X: [][]float64{s.x}, Missing: s.missing}).X[0]
			}
			at, targets := slices.Index(reader.Header(), m.Schema.Target), m.Schema.Targets()
			record := csv.NewReader(strings.NewReader(b.Records[i]))
			record.Comma = reader.Delimiter()
			if cells, err := record.Read(); err == nil && at >= 0 {
				if v, ok := reader.Number(cells[at]); ok {
					s.target = &v
				}
				s.actual = cellsOf(cells, reader.Header(), targets)
			}
			s.commas, err = reader.Marks().Commas()
			return s, err
		}
		if err != nil {
			return sample{}, err
		}
	}
}

// strangeIn counts the missing cells and unknown categories of one row, as a Lenient reader encodes them.
func strangeIn(m *model.Model, x []float64, place string) data.Missing {
	row := data.Missing{Policy: "mean"}
	for _, c := range m.Schema.Columns {
		features := x[:c.Width()]
		x = x[c.Width():]
		column := map[string]int{c.Name: 1}
		switch {
		case c.Unused:
		case math.IsNaN(features[0]):
			what := "missing"
			if !c.Numbers() && math.IsNaN(c.Values(-1)[0]) {
				what += ", or no known level"
			}
			row.Add(data.Missing{Cells: 1, Imputed: 1, Columns: column, First: fmt.Sprintf("%s: column %s: %s", place, escape.Quote(c.Name), what)})
		case !c.Numbers() && c.Level(features) < 0:
			row.Add(data.Missing{Unknown: column, First: fmt.Sprintf("%s: column %s: no known category", place, escape.Quote(c.Name))})
		}
	}
	return row
}
