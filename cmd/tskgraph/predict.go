package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

func newPredict() *cobra.Command {
	var p predicting
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Append a model's predictions to a table",
		Long: `Append the column <target>_predicted to a table of any size; by --spread also <target>_spread, the standard deviation over
a committee's members; by --interval 0.9 also <target>_lower and <target>_upper, bounds that hold nine new targets in
ten, of a model that was trained with data.calibration; by --explain=K <target>_rule_1, <target>_share_1 and
<target>_contribution_1 for the rule that fires most, and so on to K (without K: 3). Features are found by name, in any
order; all columns pass through as they are; the target need not be there. A row outside the range of the training part
is predicted all the same, and counted. So is a row with a missing cell, for which the training mean or the most frequent
category stands in, and one with a category that the model does not know; --strict refuses such rows.

A cell that begins with =, +, -, @, a tab or a carriage return may be a formula to a spreadsheet, and run a command:
--safe-cells puts a ' before what is no number.`,
		Example: `  tskgraph predict --model runs/no2-gaussian-001 --data new.csv --out predicted.csv
  tskgraph predict --model model.json --data new.csv --explain=1
  cat new.csv | tskgraph predict --model model.json --data - --out - | head`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && cmd.Flags().Changed("explain") { // --explain 5, which pflag reads as two things
				return usageError{fmt.Errorf("unexpected argument %q: write the number of rules as --explain=%s", args[0], args[0])}
			}
			return noArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return p.run(cmd) },
	}
	addModel(cmd, &p.model)
	cmd.Flags().StringVarP(&p.data, "data", "d", "", "a table with the model's features, or - for standard input")
	cmd.Flags().StringVarP(&p.out, "out", "o", "-", "the `file` to write, or - for standard output")
	cmd.Flags().StringVar(&p.options.Delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	cmd.Flags().BoolVar(&p.options.Spread, "spread", false, "add the standard deviation over a committee's members")
	cmd.Flags().Float64Var(&p.options.Interval, "interval", 0, "add the bounds of the prediction interval of this `level`, such as 0.9")
	cmd.Flags().IntVar(&p.options.Explain, "explain", 0, "add number, share and contribution of the `K` rules that fire most")
	cmd.Flags().Lookup("explain").NoOptDefVal = "3"
	addStrict(cmd, &p.options.Strict)
	cmd.Flags().BoolVar(&p.options.SafeCells, "safe-cells", false, "put a ' before what a spreadsheet would take for a formula")
	cmd.Flags().BoolVar(&p.asJSON, "json", false, "print the counts as one JSON object")
	return cmd
}

// predicting is one `predict` command.
type predicting struct {
	model, data, out string
	options          model.TableOptions
	asJSON           bool
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
	done := predicted{Out: p.out}
	err = out.write(cmd, func(w io.Writer) (err error) {
		done.TableCounts, err = m.PredictTable(cmd.Context(), in, p.options, w)
		return err
	})
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("predict: interrupted after %d rows%s: %w", done.Rows, unwritten(p.out), err)
	}
	if err != nil {
		return err
	}
	noteStrange(cmd.ErrOrStderr(), m.ImputeMeans, done.Missing)
	noteCommas(cmd.ErrOrStderr(), in.Name, done.Commas)
	if p.asJSON {
		return printJSON(cmd.OutOrStdout(), done)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d rows predicted; %d outside the training range, %d that no rule covers, %d limited\n", done.Rows, done.OutOfRange, done.Uncovered, done.Limited)
	return nil
}

// load checks the flags and loads the model.
func (p *predicting) load(cmd *cobra.Command) (*model.Model, error) {
	if err := needed(cmd, "model", "data"); err != nil {
		return nil, err
	}
	if p.asJSON && p.out == "-" {
		return nil, usageError{errors.New("--json needs --out FILE: standard output is taken by the table")}
	}
	m, err := model.Load(p.model)
	if err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("interval") && p.options.Interval == 0 {
		return nil, usageError{errors.New("--interval 0: must lie between 0 and 1, such as 0.9")}
	}
	if _, err := p.options.Columns(m); err != nil {
		return nil, usageError{err}
	}
	return m, nil
}

// output returns the file to write, which may replace the table but not the model.
func (p *predicting) output() (output, error) {
	out := output{path: p.out, reads: modelFiles(p.model)}
	if sameFile(p.out, p.data) {
		out.reads = nil
	}
	return out, out.check()
}

// unwritten says what an interrupt leaves of a file.
func unwritten(path string) string {
	if path == "-" {
		return ""
	}
	return "; " + path + " is as it was before"
}

// predicted says what predict did.
type predicted struct {
	model.TableCounts
	Out string `json:"out"`
}

// input is the table at path, or standard input for "-".
func input(cmd *cobra.Command, path string) data.Input {
	if path == "-" {
		return data.Input{Name: "standard input", Reader: cmd.InOrStdin()}
	}
	return data.Input{Name: path}
}
