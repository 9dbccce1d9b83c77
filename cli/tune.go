package cli

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

func newTune() *cobra.Command {
	var flags command.TuneFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Choose settings by cross-validation",
		Long: `Search for better settings than those of the configuration, by cross-validation on the training part. The search starts
from the settings of the race (train.race), or from those of the configuration if there is none. Each further trial takes
one of the three best so far and moves some of its settings along the lists of section tune; a list in the configuration
holds for all trials. Short trainings (an eighth of the updates, with train.schedule: cosine) and successive halving over
the folds drop most trials; the best are trained for their whole length. A trial is chosen only if its error (RMSE or, of
another loss, its own figure, such as the log loss of classes) is below that of the configuration's own settings, those that its race chooses, by more than one standard error of the difference, and
within train.fidelity; of several, the simplest (fewest rules, then shortest rules) that is worse than the best by at most
one standard error and 1%. If there is none, the command says so, and the chosen configuration is the given one. The
chosen configuration, a table of all trials (tried.csv) and summary.json are written to the directory --out, by default a
new one below output.dir. --resume, or the same command with the same --out, continues an interrupted search, or extends
a finished one with more --trials.`,
		Example: `  tskgraph tune --set data.path=no2.csv --set data.target=log_no2 --out tuned
  tskgraph train --config tuned/config.yaml
  tskgraph tune --config config.yaml --trials 100 --time 10m --set tune.rules=4,8
  tskgraph tune --resume tuned --trials 200`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTune(cmd, &flags, asJSON) },
	}
	flags.Add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as one JSON object")
	return cmd
}

func runTune(cmd *cobra.Command, flags *command.TuneFlags, asJSON bool) error {
	if err := flags.Check(cmd.Flags()); err != nil {
		return message.Usage(err)
	}
	search := command.Tune{
		Flags: flags, Notes: cmd.ErrOrStderr(),
		Again: func(dir string) string { return againTune(cmd, dir) },
		Show:  func() (func(tune.Progress), func()) { return showTuning(cmd.ErrOrStderr()) },
	}
	summary, err := search.Run(cmd.Context())
	if err != nil {
		return err
	}
	if asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), summary)
	}
	if err := text.WriteTuning(cmd.OutOrStdout(), summary); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "chosen: %s\n", summary.Config)
	return err
}

// showTuning shows the progress of a search until stop is called.
func showTuning(w io.Writer) (onFit func(tune.Progress), stop func()) {
	var last atomic.Pointer[tune.Progress] // written by the search, read by the display
	bar := newDisplay(w, "fits %d/%d", 0, func(decor.Statistics) string {
		if p := last.Load(); p != nil && p.Best > 0 {
			return fmt.Sprintf("best %s %.5g  ", p.Metric, p.Best)
		}
		return ""
	})
	return func(p tune.Progress) {
		last.Store(&p)
		bar.set(p.Fits, p.All)
	}, bar.stop
}

// againTune returns the command that resumes a search.
func againTune(cmd *cobra.Command, dir string) string {
	words := []string{"tskgraph", "tune", "--resume", dir}
	for _, name := range []string{"trials", "time"} {
		if f := cmd.Flags().Lookup(name); f.Changed {
			words = append(words, "--"+name, f.Value.String())
		}
	}
	return escape.ShellLine(words...)
}
