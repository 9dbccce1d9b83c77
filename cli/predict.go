package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/model"
)

func newPredict() *cobra.Command {
	var p predicting
	cmd := described("predict", noArgs, func(cmd *cobra.Command, _ []string) error { return p.run(cmd) })
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
		unwritten := ""
		if p.out != "-" {
			unwritten = "; " + p.out + " is not written"
		}
		return fmt.Errorf("predict: interrupted after %d rows%s: %w", done.Rows, unwritten, err)
	}
	if err != nil {
		return err
	}
	message.Strange(cmd.ErrOrStderr(), m, done.Missing)
	message.Commas(cmd.ErrOrStderr(), in.Name, done.Commas)
	if p.asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), done)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), message.Counts(done.TableCounts))
	return nil
}

// load checks the flags, and loads the model and what explains its predictions.
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
	if !p.flags.WithExplain {
		return m, nil
	}
	b, err := prediction.Background(cmd.Context(), cmd.ErrOrStderr(), m, p.model, p.flags.Background)
	if err == nil {
		p.flags.Explain, err = prediction.Explainer(m, b)
	}
	return m, err
}

// output returns the file to write, which may replace the table but not the model.
func (p *predicting) output() (output, error) {
	out := output{path: p.out, reads: append(modelFiles(p.model), p.flags.Background)}
	if safefile.Same(p.out, p.data) {
		out.reads = nil
	}
	return out, out.check()
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
