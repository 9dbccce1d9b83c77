package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// reportFile is the default name of the page.
const reportFile = "report.html"

func newReport() *cobra.Command {
	var r reporting
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "report [RUN_DIR]",
		Short: "Write an HTML page on a model, to open in a browser",
		Long: `Write an HTML page on a model: its errors against baselines, a rule viewer with a slider for each input, feature
importance, contributions to predictions, response curves, membership functions, training, and warnings about the data. In a
second tab, rules can be edited and saved as rules.yaml. The page is one file; it needs no network and no server.

For the directory of a run, errors are measured on the test part, or on the validation or training part if there is no test
part. A model file needs --data, a table with its features and target.`,
		Example: `  tskgraph report runs/no2-gaussian-001                           # writes runs/no2-gaussian-001/report.html
  tskgraph report runs/no2-gaussian-001 --data new.csv --out new.html
  tskgraph report --model model.json --data new.csv --out report.html`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && r.out == "-" {
				return message.Usagef("--json needs --out FILE: standard output is used for the page")
			}
			if err := r.named(cmd, args); err != nil {
				return err
			}
			in, err := r.input()
			if err != nil {
				return err
			}
			p, err := page.New(in)
			if err != nil {
				return err
			}
			done := written{Out: r.out, Page: p}
			err = r.output().write(cmd, func(w io.Writer) error {
				var b bytes.Buffer
				if err := p.Write(&b); err != nil {
					return err
				}
				done.Bytes = b.Len()
				_, err := b.WriteTo(w)
				return err
			})
			switch {
			case err != nil:
				return err
			case asJSON:
				return escape.PrintJSON(cmd.OutOrStdout(), done)
			case r.out != "-":
				_, err = fmt.Fprintln(cmd.OutOrStdout(), r.out)
			}
			return err
		},
	}
	addModel(cmd, &r.model)
	cmd.Flags().StringVarP(&r.data, "data", "d", "", "a table with the model's features and target (default: the test part of the run)")
	cmd.Flags().StringVarP(&r.out, "out", "o", "", "the `file` to write, or - for standard output (default: "+reportFile+" in the directory of the run, or a new file beside the model file)")
	cmd.Flags().StringVar(&r.delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	command.AddStrict(cmd.Flags(), &r.strict)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the main figures as one JSON object")
	return cmd
}

// written is what report prints with --json.
type written struct {
	Out   string `json:"out"`
	Bytes int    `json:"bytes"`
	*page.Page
}

// reporting is one `report` command.
type reporting struct {
	cmd                         *cobra.Command
	model, data, out, delimiter string
	strict                      bool
	chosen                      bool // out is the default, not named by the user
}

// output returns the file to write.
func (r *reporting) output() output {
	info, err := os.Stat(r.model)
	isFile := err == nil && !info.IsDir() // its directory may hold files of others
	return output{path: r.out, chosen: r.chosen, fresh: r.chosen && isFile, reads: append(modelFiles(r.model), r.data)}
}

// oneRun refuses more than one argument.
func oneRun(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return noArgs(cmd, args[1:])
	}
	return nil
}

// named takes the model from the arguments, or from --model.
func (r *reporting) named(cmd *cobra.Command, args []string) (err error) {
	r.cmd = cmd
	r.model, err = namedModel(cmd, args, r.model)
	return err
}

// namedModel returns the model that the argument, the directory of a run, or else --model names.
func namedModel(cmd *cobra.Command, args []string, model string) (string, error) {
	switch {
	case len(args) == 1 && model != "":
		return "", message.Usagef("the directory of a run and --model cannot be combined")
	case len(args) == 1:
		return args[0], nil
	case model == "":
		return "", message.Usagef("name the directory of a run, or --model (see %s --help)", cmd.CommandPath())
	}
	return model, nil
}

// input reads the data of the page and chooses its file.
func (r *reporting) input() (in page.Input, err error) {
	if in.Model, err = model.Load(r.model); err != nil {
		return in, err
	}
	dir, isRun := r.model, true
	if info, err := os.Stat(r.model); err == nil && !info.IsDir() {
		dir, isRun = filepath.Dir(r.model), false
	}
	if r.out == "" {
		r.out, r.chosen = filepath.Join(dir, reportFile), true
	}
	if err := r.output().check(); err != nil {
		return in, err
	}
	if isRun {
		if in, err = r.tables().Run(r.cmd.Context(), in.Model, dir, r.data == ""); err != nil {
			return in, err
		}
	}
	if r.data != "" {
		d, err := r.tables().Read(r.cmd.Context(), in.Model, r.data)
		in.Data = page.Part{Name: filepath.Base(r.data), Dataset: d}
		if r.data == "-" {
			in.Data.Name = "standard input"
		}
		return in, err
	}
	if in.Data.Dataset == nil && in.Train == nil && isRun {
		return in, message.Usagef("--data is required: the run has no tables (output.tables is false, or they were removed): name a table with the model's features and target")
	}
	if in.Data.Dataset == nil && in.Train == nil {
		return in, message.Usagef("--data is required: a table with the model's features and target")
	}
	if in.Data.Dataset == nil {
		in.Data = *in.Train
	}
	return in, nil
}

// tables says how tables are read.
func (r *reporting) tables() prediction.Tables {
	return prediction.Tables{Notes: r.cmd.ErrOrStderr(), Options: data.Options{Delimiter: r.delimiter, Lenient: !r.strict}}
}
