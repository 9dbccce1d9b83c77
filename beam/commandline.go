package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/cluster"
)

// noArgs refuses positional arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cluster.Usage(fmt.Errorf("unexpected argument %q (see %s --help)", args[0], cmd.CommandPath()))
	}
	return nil
}
