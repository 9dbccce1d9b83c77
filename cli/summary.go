package cli

import (
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/text"
)

// printSummary prints the summary, and warnings about the model on standard error.
func printSummary(cmd *cobra.Command, s *report.Summary, asJSON bool) error {
	defer message.Warn(cmd.ErrOrStderr(), s)
	if asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), s)
	}
	return text.WriteSummary(cmd.OutOrStdout(), s)
}
