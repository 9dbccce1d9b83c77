package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
)

func newExplain() *cobra.Command {
	var path, table, background string
	var how data.ReaderOptions
	var member, row int
	var asJSON, strict bool
	cmd := described("explain", noArgs, func(cmd *cobra.Command, _ []string) error {
		if err := needed(cmd, "model", "data"); err != nil {
			return err
		}
		if row < 1 {
			return message.Usagef("--row %d: rows are numbered from 1, without the header", row)
		}
		m, err := loadMember(path, member)
		if err != nil {
			return err
		}
		how.Lenient = !strict
		e, err := prediction.Explain(cmd.Context(), cmd.ErrOrStderr(), m, path, background, input(cmd, table), how, row)
		if err != nil {
			return err
		}
		return printed(cmd, asJSON, e, func(w io.Writer, e fmt.Stringer) error {
			_, err := io.WriteString(w, e.String())
			return err
		})
	})
	addModel(cmd, &path)
	addMember(cmd, &member)
	addTable(cmd, &table, &how.Delimiter, "a table with the model's features, or - for standard input")
	cmd.Flags().IntVar(&row, "row", 1, "`number` of the row, from 1, without the header")
	command.AddBackground(cmd.Flags(), &background)
	command.AddStrict(cmd.Flags(), &strict)
	addJSON(cmd, &asJSON, "print one JSON object")
	return cmd
}
