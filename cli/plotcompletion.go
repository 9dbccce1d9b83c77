//go:build !nofigures

package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/plot"
)

// completeOutput completes a target, class or quantile, if the command line names a model.
func completeOutput(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	m, err := modelOf(cmd, args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return plot.Outputs(m), cobra.ShellCompDirectiveNoFileComp
}

// completeFeature completes the last feature of a list, if the command line names a model.
func completeFeature(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	m, err := modelOf(cmd, args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	before := text[:strings.LastIndex(text, ",")+1]
	var ways []string
	for _, name := range usedColumns(m) {
		if !slices.Contains(strings.Split(before, ","), name) {
			ways = append(ways, before+name)
		}
	}
	return ways, cobra.ShellCompDirectiveNoFileComp
}
