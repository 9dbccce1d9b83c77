package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// WriteTuning writes the trials that were measured on all folds as a table, the best first.
func WriteTuning(w io.Writer, t *report.Tuning) error {
	var finished []*tune.Trial
	for _, trial := range t.Tried {
		if trial.Finished {
			finished = append(finished, trial)
		}
	}
	slices.SortStableFunc(finished, func(a, b *tune.Trial) int { // failed trials have no loss and are last
		return cmp.Or(cmp.Compare(len(a.Failed()), len(b.Failed())), cmp.Compare(a.Loss, b.Loss))
	})
	table := Table{Head: []string{"trial"}}
	for _, k := range shown() {
		table.Head = append(table.Head, k.Draw.Heading)
	}
	table.Head = append(table.Head, t.Metric, "over the incumbent", "fidelity", "")
	for _, trial := range finished {
		loss, over := figure(trial.Loss), ""
		switch {
		case trial.Failed() != "":
			loss = "failed"
		case t.Incumbent != nil && trial != t.Incumbent:
			over = fmt.Sprintf("%.2g ± %.2g", trial.Over, trial.SE)
		}
		row := []string{strconv.Itoa(trial.Number)}
		for _, k := range shown() {
			row = append(row, drawn(k, trial.Settings))
		}
		table.Add(append(row, loss, over, fidelity(trial), t.Role(trial))...)
	}
	var b strings.Builder
	b.WriteString(table.String())
	repeats := ""
	if t.Repeats > 1 {
		repeats = fmt.Sprintf("%d times ", t.Repeats)
	}
	fmt.Fprintf(&b, "%d trials, %d fits on %s%d %s folds of %d %s; the others were dropped before\n", t.Trials, t.Fits, repeats,
		t.Folds, t.Split, t.Samples, numeric.SamplesWord(t.Weighted))
	fmt.Fprintf(&b, "%s\n", t.Verdict())
	if r := t.Readability(); r != nil {
		fmt.Fprintf(&b, "%s\n", r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fidelity formats the mean fidelity of a trial; empty if it has none.
func fidelity(trial *tune.Trial) string {
	if trial.Readability == nil || trial.Readability.Fidelity == nil {
		return ""
	}
	return strconv.FormatFloat(*trial.Readability.Fidelity, 'f', 2, 64)
}

// shown returns the keys of the columns of the table of trials.
func shown() []recipe.Key {
	return slices.DeleteFunc(recipe.DrawnKeys(), func(k recipe.Key) bool { return k.Draw.Heading == "" })
}

// drawn formats the value of a key in a trial.
func drawn(k recipe.Key, s recipe.Setting) string {
	v, isNumber := s[k.Own()].(float64)
	switch {
	case isNumber && v == 0 && k.Draw.ZeroIsAll:
		return "all"
	case isNumber:
		return setting(v)
	}
	return s.Text(k.Own())
}

// raceKeys are the keys, by their own names, that the table of a race shows if the settings
// differ in them: those of the rules, and few others, since a line has to fit a terminal.
var raceKeys = []string{"rules", "membership", "init", "antecedents", "curves", "softness", "agreement", "iterations", "droprule", "l2"}

// raceColumns returns the keys of the columns of a race.
func raceColumns(race []tskgraph.RaceScore) []recipe.Key {
	return slices.DeleteFunc(recipe.RaceKeys(), func(k recipe.Key) bool {
		return !slices.Contains(raceKeys, k.Own()) || !slices.ContainsFunc(race, func(s tskgraph.RaceScore) bool {
			return s.Setting.Text(k.Own()) != race[0].Setting.Text(k.Own())
		})
	})
}

// writeRace writes the scores of the settings of a race; nothing without a race.
func writeRace(b *strings.Builder, s *report.Summary) {
	if len(s.Race) < 2 {
		return
	}
	columns := raceColumns(s.Race)
	t := Table{Head: []string{"race"}, Left: 1}
	for _, k := range columns {
		t.Head = append(t.Head, k.Heading())
	}
	t.Head = append(t.Head, "splits", "fidelity", "held-out "+s.Race[0].Metric)
	for i, r := range s.Race {
		name, score := "setting "+strconv.Itoa(i+1), figure(r.Loss)
		if r.Chosen {
			name += ", chosen"
		}
		if r.Failed != "" {
			score = "failed"
		}
		row := []string{name}
		for _, k := range columns {
			row = append(row, cmp.Or(r.Setting.Text(k.Own()), "-"))
		}
		fidelity := "-"
		if r.Fidelity > 0 { // not NaN
			fidelity = strconv.FormatFloat(r.Fidelity, 'f', 2, 64)
		}
		t.Add(append(row, cmp.Or(report.SplitsOf(r, s.Race), "-"), fidelity, score)...)
	}
	b.WriteString(t.String())
}

// writePruning writes the rounds of pruning: a table of rules and errors after each, and all decisions.
func writePruning(b *strings.Builder, s *report.Summary) {
	if len(s.Prune) == 0 {
		return
	}
	first := s.Prune[0]
	t := Table{Head: []string{"", "rules", "removed by firing", "by similarity", "iterations"}, Left: 1}
	if first.LossBefore.Validation != nil {
		t.Head = append(t.Head, first.Metric+", validation")
	}
	if first.LossBefore.Test != nil {
		t.Head = append(t.Head, first.Metric+", test")
	}
	row := func(name string, e checkpoint.RoundLoss, cells ...string) {
		for _, v := range []*float64{e.Validation, e.Test} {
			if v != nil {
				cells = append(cells, figure(*v))
			}
		}
		t.Add(append([]string{name}, cells...)...)
	}
	training := s.Iterations
	for _, r := range s.Prune {
		training -= r.Refinement.Iterations
	}
	iterations := "" // unknown for a saved model
	if training > 0 {
		iterations = strconv.Itoa(training)
	}
	row("before pruning", first.LossBefore, strconv.Itoa(first.Before), "", "", iterations)
	for i, r := range s.Prune {
		row(fmt.Sprintf("after round %d", i+1), r.LossAfter, strconv.Itoa(r.After), strconv.Itoa(r.RemovedByFiring),
			strconv.Itoa(r.RemovedBySimilarity),
			strconv.Itoa(r.Refinement.Iterations))
	}
	b.WriteString(t.String())
	for i, r := range s.Prune {
		for _, line := range r.Account {
			fmt.Fprintf(b, "round %d: %s\n", i+1, line)
		}
	}
}

// writePath writes the steps of a pruning path as a table, and the chosen step.
func writePath(b *strings.Builder, s *report.Summary) {
	if len(s.Path) == 0 {
		return
	}
	validated := s.Path[0].LossValidation != nil
	metric := s.Path[0].Metric
	header := []string{"", "rules", metric + ", train"}
	if validated {
		header = append(header, metric+", validation", "standard error")
	}
	t := Table{Head: append(header, "fidelity", "by (rule numbers of the row above)"), Also: []int{len(header) + 1}}
	for _, step := range s.Path {
		mark := ""
		if step.Rules == s.Rules {
			mark = "*"
		}
		row := []string{mark, strconv.Itoa(step.Rules), figure(step.LossTrain)}
		if validated {
			row = append(row, figure(*step.LossValidation), figure(*step.StandardError))
		}
		fidelity := "not finite"
		if step.Fidelity != nil {
			fidelity = strconv.FormatFloat(*step.Fidelity, 'f', 2, 64)
		}
		t.Add(append(row, fidelity, step.Decision)...)
	}
	fmt.Fprintf(b, "%s* %d rules: %s\nfidelity: %s of the strongest rule read alone, over that of the model\n", &t, s.Rules, s.Chosen, metric)
}

// WriteStability writes how much a model depends on its seed: errors, predictions and rules in one table, response curves in another.
func WriteStability(w io.Writer, s *report.Stability) error {
	seeds := fmt.Sprintf("%d seeds, on %d %s of the %s part", len(s.Seeds), s.Samples, numeric.SamplesWord(s.Weighted), s.Part)
	figures := Table{Head: []string{seeds, ""}, Left: 1}
	metric := s.Metric
	if len(s.Targets) > 1 {
		metric += " in standard deviations"
	}
	figures.Add(metric+", mean over the seeds", figure(s.Loss))
	figures.Add(metric+", standard deviation over the seeds", figure(s.LossSD))
	figures.Add(differ(s), percent(s.Difference))
	figures.Add("at most", percent(s.MaxDifference))
	if s.TotalVariation != nil {
		figures.Add("probabilities of two models differ by (total variation)", percent(*s.TotalVariation))
	}
	if r := s.Rules; r != nil {
		figures.Add(fmt.Sprintf("rules with a counterpart (Jaccard similarity at least %.2g)", r.Least), percent(r.Share))
		figures.Add("at least", percent(r.MinShare))
		figures.Add("similarity of counterparts, mean", fmt.Sprintf("%.2f", r.Similarity))
	}
	measured := "range"
	switch {
	case s.TotalVariation != nil:
		measured = "range of the probability"
	case s.Dependence.Target == 0:
		measured = "range / sd of the target"
	}
	curves := Table{Head: []string{"response curve of", measured, "spread between seeds", "spread / range"}, Left: 1}
	for _, c := range s.Curves {
		ratio := "-"
		if c.Range > 0 {
			ratio = percent(c.Spread / c.Range)
		}
		curves.Add(escape.Text(c.Feature), figure(c.Range), figure(c.Spread), ratio)
	}
	page := ""
	if s.Page != nil {
		page = fmt.Sprintf("the page of seed %d, and what its training tried:\n%s\n", s.Seeds[0], strings.Join(s.Page.Lines, "\n"))
	}
	_, err := io.WriteString(w, figures.String()+curves.String()+page)
	return err
}

// differ says what the difference between two models is.
func differ(s *report.Stability) string {
	switch {
	case s.TotalVariation != nil:
		return "samples that two models put into different classes"
	case s.Dependence.Target == 0:
		return "predictions of two models differ by (RMS / sd of each target)"
	}
	return "predictions of two models differ by (RMS / sd of the target)"
}
