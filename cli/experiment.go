//go:build !nofigures

package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/study"
)

func newExperiment() *cobra.Command {
	var flags command.ExperimentFlags
	var asJSON bool
	cmd := described("experiment", noArgs, func(cmd *cobra.Command, _ []string) error {
		if flags.Classifiers {
			return compareClassifiers(cmd, flags, asJSON)
		}
		if err := needed(cmd, "data", "out"); err != nil {
			return err
		}
		if err := exclusive(cmd, "shard", "json"); err != nil {
			return err
		}
		plan, err := flags.Plan()
		if err != nil {
			return err
		}
		if err := command.OwnExperiment(flags.Out); err != nil {
			return message.Usage(err)
		}
		plan.OnNote = func(note string) { fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", note) }
		bar := &studyProgress{out: cmd.ErrOrStderr(), start: time.Now()}
		plan.OnProgress = bar.show
		results, err := plan.Run(cmd.Context())
		bar.stop()
		if cmd.Context().Err() != nil {
			return fmt.Errorf("%w\ncontinue with: %s", err, command.ExperimentLine(cmd.CommandPath(), cmd.Flags()))
		}
		if err != nil {
			return err
		}
		return command.WriteExperiment(cmd.OutOrStdout(), results, flags.Out, asJSON)
	})
	flags.Add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the averages as one JSON array")
	return cmd
}

// compareClassifiers runs `experiment --classifiers`.
func compareClassifiers(cmd *cobra.Command, f command.ExperimentFlags, asJSON bool) error {
	if err := exclusive(cmd, "classifiers", "out", "datasets", "algorithms", "membership", "workers", "curves", "shard"); err != nil {
		return err
	}
	iris, _, err := data.Builtin("iris")
	if err != nil {
		return err
	}
	c := study.Classifiers{Tables: []study.ClassTable{{Name: "iris", Data: iris}}, Repeats: f.Repeats, Seed: f.Seed}
	for _, path := range f.Data {
		survey, err := data.LookAt(data.Input{Name: path}, "auto")
		if err != nil {
			return err
		}
		target := f.Target
		if target == "" && len(survey.Columns) > 0 {
			target = survey.Columns[len(survey.Columns)-1].Name
		}
		d, err := data.Read(path, data.Options{Target: target, Task: "classification"})
		if err != nil {
			return err
		}
		c.Tables = append(c.Tables, study.ClassTable{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Data: d})
	}
	results, err := c.Run(cmd.Context())
	if err != nil {
		return err
	}
	if asJSON {
		return escape.PrintJSON(cmd.OutOrStdout(), results)
	}
	return writeClassifiers(cmd, results)
}

// writeClassifiers prints the results as a table.
func writeClassifiers(cmd *cobra.Command, results []study.ClassResult) error {
	t := text.Table{Head: []string{"data set", "training", "accuracy", "SD", "log loss", "splits"}, Left: 2}
	for _, r := range results {
		sd := ""
		if r.AccuracySD != nil {
			sd = fmt.Sprintf("%.2f%%", 100**r.AccuracySD)
		}
		t.Add(escape.Text(r.Dataset), r.Training, fmt.Sprintf("%.2f%%", 100*r.Accuracy), sd, fmt.Sprintf("%.4f", r.LogLoss),
			fmt.Sprint(r.Repeats))
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), &t)
	return err
}

// studyProgress shows the progress of a study and the time left.
type studyProgress struct {
	display
	out   io.Writer
	start time.Time
	left  atomic.Int64 // time.Duration
}

// show is called for each finished run, one at a time. It estimates the time left from the work left, since runs differ
// much in length.
func (p *studyProgress) show(now study.Progress) {
	if !p.shown() {
		p.display = newDisplayOf(p.out, "runs %d/%d", now.Total, func(decor.Statistics) string {
			return fmt.Sprintf("about %v left", time.Duration(p.left.Load()))
		})
	}
	p.left.Store(int64(time.Duration(float64(time.Since(p.start)) * (1 - now.Share) / now.Share).Round(time.Second)))
	p.set(now.Done, now.Total)
}
