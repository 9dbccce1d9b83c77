//go:build !nofigures

package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/experiment"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/study"
)

// compareClassifiers runs `experiment --classifiers`.
func compareClassifiers(cmd *cobra.Command, f experiment.Flags, asJSON bool) error {
	for _, other := range []string{"out", "datasets", "algorithms", "membership", "workers", "curves", "shard"} {
		if err := exclusive(cmd, "classifiers", other); err != nil {
			return err
		}
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
	t := texttable.New(cmd.OutOrStdout(), 2)
	t.Header("data set", "training", "accuracy", "SD", "log loss", "splits")
	for _, r := range results {
		sd := ""
		if r.AccuracySD != nil {
			sd = fmt.Sprintf("%.2f%%", 100**r.AccuracySD)
		}
		t.Append(escape.Text(r.Dataset), r.Training, fmt.Sprintf("%.2f%%", 100*r.Accuracy), sd, fmt.Sprintf("%.4f", r.LogLoss), fmt.Sprint(r.Repeats))
	}
	return t.Render()
}
