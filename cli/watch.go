package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/internal/report/dossier"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

func newWatch() *cobra.Command {
	var w watching
	cmd := described("watch", oneRun, func(cmd *cobra.Command, args []string) (err error) {
		if w.model, err = namedModel(cmd, args, w.model); err != nil {
			return err
		}
		if err := needed(cmd, "data"); err != nil {
			return err
		}
		return w.run(cmd)
	})
	addModel(cmd, &w.model)
	addTable(cmd, &w.data, &w.how.Delimiter, "the table to compare with the training part")
	addQuery(cmd, &w.how.Query)
	cmd.Flags().StringVar(&w.train, "train", "", "the `table` that the model was trained on (default: train.csv in the directory of the run)")
	cmd.Flags().StringVar(&w.held, "held-out", "", "the `table` whose errors new ones are compared with, which the model was not trained on "+
		"(default: test.csv, calibration.csv or validation.csv in the directory of the run)")
	cmd.Flags().Float64Var(&w.level, "level", drift.Level, "`probability` of finding a change in rows that are like those of training")
	cmd.Flags().StringArrayVar(&w.limits, "limit", nil, "fail where a figure is above this, `name=value` with psi, outside, missing, "+
		"unknown, rules, error or changes; may be repeated")
	cmd.Flags().BoolVar(&w.refit, "refit", false, "also say which rules would change if their THEN parts were fitted to these rows")
	cmd.Flags().StringVarP(&w.out, "out", "o", "", "also write the comparison to this HTML `file`")
	addJSON(cmd, &w.asJSON, "print one JSON object")
	return cmd
}

// watching is one `watch` command.
type watching struct {
	model, data, train, held, out string
	how                           data.Options
	level                         float64
	limits                        []string
	refit, asJSON                 bool
}

func (w *watching) run(cmd *cobra.Command) error {
	if !(w.level > 0 && w.level < 1) {
		return message.Usagef("--level %v: want a probability between 0 and 1, such as 0.01", w.level)
	}
	limits, err := parseLimits(w.limits)
	if err != nil {
		return err
	}
	out := output{path: w.out, reads: append(modelFiles(w.model), w.data, w.train, w.held)}
	if err := out.check(); err != nil {
		return err
	}
	m, err := model.Load(w.model)
	if err != nil {
		return err
	}
	reference, err := prediction.Reference(m, w.model, w.train, w.held)
	if err != nil {
		return err
	}
	made, err := prediction.Watch(cmd.Context(), cmd.ErrOrStderr(), reference, w.data, w.how, w.level)
	if err != nil {
		return err
	}
	if w.refit {
		if made.Refit, err = prediction.Refit(cmd.Context(), m, w.data, w.how); err != nil {
			return err
		}
	}
	if w.out != "" {
		if err := out.write(cmd, dossier.Drift(m, made).WriteHTML); err != nil {
			return err
		}
	}
	if w.out != "-" {
		if err := printed(cmd, w.asJSON, made, text.WriteDrift); err != nil {
			return err
		}
	}
	return passed(made, limits)
}

// parseLimits reads limits of the figures of a report, name=value.
func parseLimits(all []string) (map[string]float64, error) {
	names := slices.Sorted(maps.Keys((&drift.Report{}).Measures()))
	limits := map[string]float64{}
	for _, limit := range all {
		name, value, _ := strings.Cut(limit, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !numeric.Finite(v) || v < 0 || !slices.Contains(names, name) {
			return nil, message.Usagef("--limit %s: want name=value with a number of at least 0 and one of the names %s, such as psi=0.25",
				limit, strings.Join(names, ", "))
		}
		limits[name] = v
	}
	return limits, nil
}

// passed returns an error that names the figures above their limits.
func passed(r *drift.Report, limits map[string]float64) error {
	var above []string
	measures := r.Measures()
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if v := measures[name]; v > limits[name] {
			above = append(above, fmt.Sprintf("%s is %s, above %v", name, numeric.Show(v, 4), limits[name]))
		}
	}
	if above != nil {
		return fmt.Errorf("watch: %s", strings.Join(above, "; "))
	}
	return nil
}
