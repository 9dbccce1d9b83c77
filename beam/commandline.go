package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/internal/escape"
)

// noArgs refuses positional arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cluster.Usage(fmt.Errorf("unexpected argument %q (see %s --help)", args[0], cmd.CommandPath()))
	}
	return nil
}

// printJSON prints a value as JSON.
func printJSON(w io.Writer, v any) error {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", escape.JSON(out))
	return err
}
