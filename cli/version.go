package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// build is what is known about the build of the program.
type build struct {
	Version string `json:"version"`
	buildinfo.Info
}

func (b build) write(w io.Writer) error {
	text := fmt.Sprintf("tskgraph %s\n", b.Version)
	line := func(name, value string) {
		if value != "" {
			text += fmt.Sprintf("  %-9s %s\n", name, value)
		}
	}
	line("go", b.Go)
	line("platform", b.OS+"/"+b.Arch)
	line("GOAMD64", b.GOAMD64)
	line("kernel", b.Kernel)
	line("gorgonia", b.Gorgonia)
	line("module", b.Module)
	line("revision", b.Sources())
	line("of", b.Time)
	_, err := io.WriteString(w, text)
	return err
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := described("version", noArgs, func(cmd *cobra.Command, _ []string) error {
		if asJSON {
			return escape.PrintJSON(cmd.OutOrStdout(), build{tskgraph.Version, buildinfo.Read()})
		}
		return build{tskgraph.Version, buildinfo.Read()}.write(cmd.OutOrStdout())
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
