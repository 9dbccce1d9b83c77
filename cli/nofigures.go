//go:build nofigures

package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// figuresHint says how to get figures from a build without them, such as that of the Python package.
const figuresHint = "draw with the Python package (plot_history and others), or install the command of a release, or build it with go " +
	"install github.com/tskgraph/tskgraph/cmd/tskgraph"

func newPlot() *cobra.Command { return newRefused("plot", "Draw figures") }

func newExperiment() *cobra.Command {
	return newRefused("experiment", "Repeat the study of the paper, on its data sets or on your own")
}

// newRefused returns a command that this build does not have, and that says so.
func newRefused(name, short string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Short:              short + " (not in this build)",
		Example:            "  tskgraph " + name,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return message.Usagef("%s: this build draws no figures: %s", name, figuresHint)
		},
	}
}

// drawPath reports that the path of a pruning is not drawn.
func drawPath(w io.Writer, _ *runs.Run, _ *report.Summary, _ *model.Model) error {
	message.Note(w, "path.svg and path.png were not drawn: this build draws no figures: %s", figuresHint)
	return nil
}

// drawForecasts refuses to draw forecasts.
func drawForecasts([]*prediction.Forecast, float64, string) (func(io.Writer) error, error) {
	return nil, message.Usagef("--plot: this build draws no figures: %s", figuresHint)
}
