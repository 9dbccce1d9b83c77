package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/model"
)

func newPredict() *cobra.Command {
	var p predicting
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Append a model's predictions to a table",
		Long: `Append the column <target>_predicted to a table of any size; of several targets one column each. A model of classes
predicts their names and adds <target>_probability_CLASS for each; a model of quantiles adds <target>_q0.05 and so on, and
predicts the one nearest to the median.

--spread adds <target>_spread, the standard deviation over the members of a committee, for classes that of the
probability. --interval 0.9 adds <target>_lower and <target>_upper, bounds that hold nine in ten new targets, of several
targets all together; --sets or --sets=0.9 adds <target>_set, the names of classes, with | between them, which hold the
class of nine in ten new rows; a name with | or " is quoted as in CSV. For both, the model must have been trained with
data.calibration.

--firing adds, for every rule k in the order of the model file, firing_k, its share of the prediction, and rule_k, what the
rule says alone: the prediction is the sum of their products, unless it was limited or no rule covers the row. Of counts and
costs, rule_k is what the model would predict by this rule alone; so it is of several targets, quantiles and classes, in a
column each (rule_k_TARGET, rule_k_q0.05, rule_k_probability_CLASS). For a model with neighbours (model.neighbours),
<target>_neighbours is added, by how much they change the prediction; with --explain, shap_neighbours.

--explain adds shap_background, the mean prediction for a sample of at most 100 rows of --background (by default of
train.csv in the directory of a run), and shap_COLUMN, the contribution of each column: the prediction is their sum. They
are Shapley values, exact for up to 12 columns; beyond, shap_error_COLUMN is the standard error of each. A thousand rows
of ten columns take some seconds with 32 rules, and twice as long with each further column up to 12. Several targets,
quantiles, classes, counts and costs are explained by the outputs of the rules on the scale of the link, as by explain --json,
with the name of the output appended: shap_COLUMN_TARGET, or shap_COLUMN_score of CLASS.

A name that a column added before has gets _2: of a column background, shap_background_2. A table that has a column of the
name of an added one is refused.

Features are found by name, in any order; all columns pass through unchanged; the target need not be there. Rows outside
the range of the training part are predicted and counted. So are rows with missing cells, which are filled with the training
mean of a number and the most frequent category or median level, after a training with data.missing: mean also with the
share of each category and the mean level, and rows with categories unknown to the model; --strict refuses both.

An output whose name ends with .parquet is written as Parquet: the columns that are numbers in the model and the predictions as
double, all others as strings, missing cells as nulls. One whose name ends with .gz or .zst is compressed.

A spreadsheet may read a cell that begins with =, +, -, @, a tab or a carriage return as a formula, and run a command:
--safe-cells puts a ' before such cells unless they are numbers.`,
		Example: `  tskgraph predict --model runs/no2-gaussian-001 --data new.csv --out predicted.csv
  tskgraph predict --model model.json --data new.csv --explain --background train.csv
  cat new.csv | tskgraph predict --model model.json --data - --out - | head`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.run(cmd) },
	}
	addModel(cmd, &p.model)
	cmd.Flags().StringVarP(&p.data, "data", "d", "", "a table with the model's features, or - for standard input")
	addQuery(cmd, &p.query)
	cmd.Flags().StringVarP(&p.out, "out", "o", "-", "the `file` to write, or - for standard output")
	p.flags.Add(cmd.Flags())
	cmd.Flags().BoolVar(&p.asJSON, "json", false, "print the counts as one JSON object")
	return cmd
}

// predicting is one `predict` command.
type predicting struct {
	model, data, query, out string
	flags                   command.Prediction
	asJSON                  bool
}

func (p *predicting) run(cmd *cobra.Command) error {
	m, err := p.load(cmd)
	if err != nil {
		return err
	}
	out, err := p.output()
	if err != nil {
		return err
	}
	in := input(cmd, p.data)
	in.Query = p.query
	done := predicted{Out: p.out}
	err = out.write(cmd, func(w io.Writer) (err error) {
		done.TableCounts, err = prediction.Write(cmd.Context(), m, in, p.flags.TableOptions, p.out, w)
		return err
	})
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("predict: interrupted after %d rows%s: %w", done.Rows, unwritten(p.out), err)
	}
	if err != nil {
		return err
	}
	message.Strange(cmd.ErrOrStderr(), m.ImputeMeans, done.Missing)
	message.Commas(cmd.ErrOrStderr(), in.Name, done.Commas)
	if p.asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), done)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), message.Counts(done.TableCounts))
	return nil
}

// load checks the flags and loads the model.
func (p *predicting) load(cmd *cobra.Command) (*model.Model, error) {
	if err := needed(cmd, "model", "data"); err != nil {
		return nil, err
	}
	if p.asJSON && p.out == "-" {
		return nil, message.Usagef("--json needs --out FILE: standard output is used for the table")
	}
	m, err := model.Load(p.model)
	if err != nil {
		return nil, err
	}
	if err := p.flags.Check(cmd.Flags(), m, p.out); err != nil {
		return nil, message.Usage(err)
	}
	if p.flags.WithExplain {
		err = p.explainBy(cmd, m)
	}
	return m, err
}

// explainBy sets what explains the predictions.
func (p *predicting) explainBy(cmd *cobra.Command, m *model.Model) error {
	d, _, err := prediction.ReadBackground(cmd.Context(), cmd.ErrOrStderr(), m, p.model, p.flags.Background)
	if errors.Is(err, prediction.ErrNoBackground) {
		return message.Usage(err)
	}
	if err != nil {
		return err
	}
	b, err := shapley.Sample(m, d, m.Training.Seed)
	if err != nil {
		return err
	}
	p.flags.Explain, err = prediction.Explainer(m, b)
	return err
}

// output returns the file to write, which may replace the table but not the model.
func (p *predicting) output() (output, error) {
	out := output{path: p.out, reads: append(modelFiles(p.model), p.flags.Background)}
	if safefile.Same(p.out, p.data) {
		out.reads = nil
	}
	return out, out.check()
}

// unwritten says what an interrupted predict leaves in a file.
func unwritten(path string) string {
	if path == "-" {
		return ""
	}
	return "; " + path + " is not written"
}

// predicted is what predict prints with --json.
type predicted struct {
	model.TableCounts
	Out string `json:"out"`
}

// input returns the table at path, or standard input for "-".
func input(cmd *cobra.Command, path string) data.Input {
	if path == "-" {
		return data.Input{Name: "standard input", Reader: cmd.InOrStdin()}
	}
	return data.Input{Name: path}
}
