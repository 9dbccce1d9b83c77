//go:build !nofigures

package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/membership"
)

func newPlot() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plot",
		Short: "Draw figures",
		Example: `  tskgraph plot memberships runs/no2-gaussian-001
  tskgraph plot surface runs/no2-gaussian-001 --features wind_speed,temperature --out surface.png
  tskgraph plot learning runs/no2-gaussian-001`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPlotMemberships(), newPlotCurves(), newPlotSurface(), newPlotResiduals(), newPlotQuantiles(), newPlotLearning(), newPlotPruning(), newPlotShapes())
	cmd.AddCommand(newPlotClasses()...)
	return cmd
}

func newPlotShapes() *cobra.Command {
	var dir, format string
	cmd := &cobra.Command{
		Use:     "shapes",
		Short:   "Draw every shape of membership function, one figure each",
		Example: `  tskgraph plot shapes --out docs/shapes`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needed(cmd, "out"); err != nil {
				return err
			}
			if !slices.Contains(plot.Formats(), format) {
				return message.Usagef("--format: unknown format %q: choose %s", format, strings.Join(plot.Formats(), " or "))
			}
			d, err := safefile.MakeDir(dir)
			if err != nil {
				return err
			}
			defer d.Close()
			for _, name := range membership.Names() {
				file := name + "." + format
				if err := plotShape(d, file, name, format); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), d.Path(file))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "out", "o", "", "`directory` for the figures; created if it does not exist")
	cmd.Flags().StringVar(&format, "format", "svg", "`format` of the figures: "+strings.Join(plot.Formats(), " or "))
	completeFlag(cmd, "format", cobra.FixedCompletions(plot.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func plotShape(d *safefile.Dir, file, name, format string) error {
	f, err := membership.Lookup(name)
	if err != nil {
		return err
	}
	figure, err := plot.Shape(f)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := figure.Write(&b, format); err != nil {
		return err
	}
	return d.Write(file, b.Bytes(), 0o666)
}
