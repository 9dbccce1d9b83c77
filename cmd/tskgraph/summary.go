package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/baseline"
	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/report"
	"github.com/tskgraph/tskgraph/report/text"
)

// printSummary prints the summary, and warnings about the model on standard error.
func printSummary(cmd *cobra.Command, s *report.Summary, asJSON bool) error {
	defer warn(cmd, s.Verdict)
	defer remark(cmd, s.Readability)
	w := cmd.OutOrStdout()
	if asJSON {
		return printJSON(w, s)
	}
	if err := text.WriteSummary(w, s); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "model: %s\n", s.Model)
	return err
}

// remark prints a line if the rules should not be read one by one.
func remark(cmd *cobra.Command, r *describe.Readability) {
	if text := r.Remark(); text != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), text)
	}
}

// warn prints a warning if the model is no better than a baseline.
func warn(cmd *cobra.Command, v *baseline.Verdict) {
	if text := v.Warning(); text != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "WARNING: %s\n", text)
	}
}
