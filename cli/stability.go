package cli

import (
	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

func newStability() *cobra.Command {
	var flags command.Config
	var seeds int
	var asJSON bool
	cmd := described("stability", noArgs, func(cmd *cobra.Command, _ []string) error {
		if seeds < 2 {
			return message.Usagef("--seeds %d: must be at least 2", seeds)
		}
		c, err := flags.Load()
		if err != nil {
			return err
		}
		s, err := measureStability(cmd, c, seeds)
		if err != nil {
			return err
		}
		if asJSON {
			return escape.PrintJSON(cmd.OutOrStdout(), s)
		}
		return text.WriteStability(cmd.OutOrStdout(), s)
	})
	flags.Add(cmd.Flags())
	cmd.Flags().IntVar(&seeds, "seeds", 5, "`number` of models, with the seeds train.seed, train.seed + 1, ...")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// measureStability trains the models of a configuration with several seeds, and compares them.
func measureStability(cmd *cobra.Command, c *config.Config, seeds int) (*report.Stability, error) {
	parts, err := c.Source().Load(cmd.Context())
	if err != nil {
		return nil, err
	}
	defer parts.Close()
	message.Tables(cmd.ErrOrStderr(), &c.Data, parts)
	s := &report.Stability{Data: c.Data.Name(), Target: parts.Train.Schema.Target, Part: "test"}
	if all := parts.Train.Schema.Targets(); len(all) > 1 {
		s.Targets = all
	}
	if parts.Test == nil {
		s.Part = "train"
	}
	if n := c.Recipe.Train.Members; n > 1 {
		s.Members = n
	}
	bar := newDisplay(cmd.ErrOrStderr(), "models %d/%d", seeds, func(decor.Statistics) string { return "" })
	s.Dependence, err = tune.Stability(cmd.Context(), parts.Train, parts.Test, c.Recipe, tune.StabilityOptions{
		Seeds: seeds, OnModel: func(done int) { bar.set(done, seeds) },
	})
	bar.stop()
	return s, err
}
