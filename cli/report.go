package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// sheetFile is that of the sheet.
const sheetFile = "sheet.html"

func newReport() *cobra.Command {
	var r reporting
	var asJSON, sheet bool
	cmd := described("report", oneRun, func(cmd *cobra.Command, args []string) error {
		if asJSON && r.out == "-" {
			return message.Usagef("--json needs --out FILE: standard output is used for the page")
		}
		if err := r.named(cmd, args); err != nil {
			return err
		}
		if r.file = reportFile; sheet {
			r.file = sheetFile
		}
		in, err := r.input()
		if err != nil {
			return err
		}
		p, err := page.New(in)
		if err != nil {
			return prediction.InTable(in.Data.Name, in.Data.Dataset, err)
		}
		write := p.Write
		if sheet {
			write = p.WriteSheet
		}
		done := written{Out: r.out, Page: p}
		err = r.output().write(cmd, func(w io.Writer) error {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				return err
			}
			done.Bytes = b.Len()
			_, err := b.WriteTo(w)
			return err
		})
		switch {
		case errors.Is(err, page.ErrNoSheet):
			return message.Usage(err)
		case err != nil:
			return err
		case asJSON:
			return escape.PrintJSON(cmd.OutOrStdout(), done)
		case r.out != "-":
			_, err = fmt.Fprintln(cmd.OutOrStdout(), r.out)
		}
		return err
	})
	addModel(cmd, &r.model)
	addTable(cmd, &r.data, &r.delimiter, "a table with the model's features and target (default: the test part of the run)")
	addOut(cmd, &r.out, reportFile)
	cmd.Flags().BoolVar(&sheet, "sheet", false, "write one page of paper (A4) for people who do not know rules of this kind: "+sheetFile)
	command.AddStrict(cmd.Flags(), &r.strict)
	addJSON(cmd, &asJSON, "print the main figures as one JSON object")
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
	file                        string // default name of the page
	chosen                      bool   // out is the default, not named by the user
}

// output returns the file to write.
func (r *reporting) output() output {
	fresh := r.chosen && !prediction.IsRun(r.model) // its directory may hold files of others
	return output{path: r.out, chosen: r.chosen, fresh: fresh, reads: append(modelFiles(r.model), r.data)}
}

// named takes the model from the arguments, or from --model.
func (r *reporting) named(cmd *cobra.Command, args []string) (err error) {
	r.cmd = cmd
	r.model, err = namedModel(cmd, args, r.model)
	return err
}

// input reads the data of the page and chooses its file.
func (r *reporting) input() (in page.Input, err error) {
	m, err := model.Load(r.model)
	if err != nil {
		return in, err
	}
	dir, isRun := r.model, prediction.IsRun(r.model)
	if !isRun {
		dir = filepath.Dir(r.model)
	}
	if r.out == "" {
		r.out, r.chosen = filepath.Join(dir, r.file), true
	}
	if err := r.output().check(); err != nil {
		return in, err
	}
	if r.data == "" && !isRun {
		return in, message.Usagef("--data is required: a table with the model's features and target")
	}
	tables := prediction.Tables{Notes: r.cmd.ErrOrStderr(), Options: data.Options{Delimiter: r.delimiter, Lenient: !r.strict}}
	if in, err = tables.Page(r.cmd.Context(), m, r.model, r.data); errors.Is(err, prediction.ErrNoTables) {
		err = message.Usagef("--data is required: %w: name a table with the model's features and target", err)
	}
	return in, err
}
