package main

import (
	"math"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// noArgs refuses positional arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return message.Usagef("unexpected argument %q (see %s --help)", args[0], cmd.CommandPath())
	}
	return nil
}

// splitSize returns the bytes of --split.
func splitSize(text string) (int64, error) {
	size, err := humanize.ParseBytes(text)
	if err != nil || size > math.MaxInt64 {
		return 0, message.Usagef("--split %s: want a size such as 256MiB, or 0 for whole files", escape.Quote(text))
	}
	return int64(size), nil
}
