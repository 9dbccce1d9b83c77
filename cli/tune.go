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
	cmd := described("tune", noArgs, func(cmd *cobra.Command, _ []string) error { return runTune(cmd, &flags, asJSON) })
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
