package text

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// WriteSummary writes the summary of a training run as tables: errors and counts and, if it
// has them, the race, the pruning path and the rounds of pruning; then the path of the model.
func WriteSummary(w io.Writer, s *report.Summary) error {
	var b strings.Builder
	writeRace(&b, s)
	writePath(&b, s)
	writePruning(&b, s)
	writeErrors(&b, s)
	counts := Table{Head: []string{"rules", "inputs", "conditions", "iterations", "skipped samples", "uncovered points", "seconds"}}
	counts.Add(strconv.Itoa(s.Rules), strconv.Itoa(s.Features), strconv.FormatFloat(s.RuleLength, 'f', 1, 64),
		strconv.Itoa(s.Iterations), strconv.Itoa(s.Skipped), strconv.Itoa(s.Uncovered), strconv.FormatFloat(s.Seconds, 'f', 2, 64))
	b.WriteString(counts.String())
	writeCounts(&b, s.Errors.Train, s.Skipped, s.Uncovered, 0, 0)
	if s.Members > 0 {
		fmt.Fprintf(&b, "a committee of %d models\n", s.Members)
	}
	if s.Twins != nil {
		fmt.Fprintf(&b, "%s %s\n", s.Twins, words.TwinsAdvice)
	}
	if s.Readability != nil {
		fmt.Fprintf(&b, "%s\n", s.Readability)
	}
	if s.Page != nil {
		b.WriteString(strings.Join(s.Page.Lines, "\n") + "\n")
	}
	if s.Interval != nil {
		fmt.Fprintf(&b, "%s\n", withRemark(*s.Interval))
	}
	b.WriteString(stepErrors(s.Steps))
	fmt.Fprintf(&b, "model: %s\n", s.Model)
	_, err := io.WriteString(w, b.String())
	return err
}

// stepErrors is a line on the errors of forecasts by step: some of them, from the first to the last; empty without any.
func stepErrors(all []report.StepErrors) string {
	var parts []string
	for i, e := range all {
		if report.ShowsStep(i, len(all)) {
			parts = append(parts, fmt.Sprintf("%d: %s", e.Step, numeric.Show(e.RMSE, 4)))
		}
	}
	if parts == nil {
		return ""
	}
	return "RMSE of forecasts on the test part by steps ahead: " + strings.Join(parts, ", ") + "\n"
}

// writeErrors writes the errors of the model, before pruning if it was pruned, and of the baselines.
func writeErrors(b *strings.Builder, s *report.Summary) {
	t := Table{Head: slices.Concat([]string{""}, headings(s.Errors.Train), []string{numeric.SamplesWord(s.Weighted)}), Left: 1}
	parts := func(name string, e report.Errors) {
		t.addErrors(name+", train", e.Train)
		t.addErrors(name+", validation", e.Validation)
		t.addErrors(name+", test", e.Test)
	}
	if s.Before != nil {
		parts("before pruning", s.Before.Errors)
	}
	parts("TSK model", s.Errors)
	if l := s.Errors.Baselines.Linear; l != nil {
		t.addErrors(s.Errors.Names.Linear+", test", *l)
	}
	for _, of := range s.Errors.Baselines.Naive {
		t.addErrors(of.Name+", test", of.Metrics)
	}
	t.addErrors(s.Errors.Names.Short+", test", s.Errors.Baselines.Constant)
	b.WriteString(t.String() + samplesOf(s) + absentClasses("the validation part", s.Errors.Validation) +
		absentClasses("the test part", s.Errors.Test))
}

// samplesOf is a line on the samples of the parts of a large table; empty if there are none.
func samplesOf(s *report.Summary) string {
	var parts []string
	for _, part := range []struct {
		name   string
		sample int
	}{{"train", s.SampleTrain}, {"calibration", s.SampleCalibration}, {"validation", s.SampleValidation}, {"test", s.SampleTest}} {
		if part.sample > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", part.name, part.sample))
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("rules start from and are described by random samples of the parts: %s rows\n", strings.Join(parts, ", "))
}

// headings are those of the errors of a task.
func headings(of model.Metrics) (all []string) {
	for _, m := range of.Measures() {
		if m.Heading != "" {
			all = append(all, m.Heading)
		}
	}
	return all
}

// cells are the errors below the headings.
func cells(e model.Metrics) (all []string) {
	for _, m := range e.Measures() {
		if m.Heading != "" {
			all = append(all, m.Text(e))
		}
	}
	return all
}

// addErrors adds errors with their name, if there are samples, and before them of several targets those of each.
func (t *Table) addErrors(name string, e model.Metrics) {
	if e.Samples == 0 {
		return
	}
	all := slices.Clone(e.Targets)
	for i, of := range append(all, e) {
		who := name
		switch {
		case i < len(all):
			who += ", " + escape.Text(of.Target)
		case e.Joint():
			who += ", all (in standard deviations)"
		}
		t.Rows = append(t.Rows, slices.Concat([]string{who}, cells(of), []string{strconv.Itoa(of.Samples)}))
	}
}

// absentClasses is a line on classes without a sample; empty if there are none.
func absentClasses(part string, e model.Metrics) string {
	absent, classes := e.Absent()
	if absent == 0 {
		return ""
	}
	return fmt.Sprintf("classes without a sample in %s: %d of %d; balanced accuracy and AUC leave them out\n", part, absent, classes)
}

// WriteMetrics writes errors on a data set as a table.
func WriteMetrics(w io.Writer, e model.Metrics) error {
	var b strings.Builder
	t := Table{Head: slices.Concat([]string{numeric.SamplesWord(e.Weighted)}, headings(e),
		[]string{"uncovered points", "out of range", "limited predictions"})}
	t.Rows = append(t.Rows, slices.Concat([]string{strconv.Itoa(e.Samples)}, cells(e),
		[]string{strconv.Itoa(e.Uncovered), strconv.Itoa(e.OutOfRange), strconv.Itoa(e.Limited)}))
	b.WriteString(t.String())
	if e.Joint() {
		each := Table{Head: append([]string{"target"}, headings(e)...), Left: 1}
		for _, of := range e.Targets {
			each.Rows = append(each.Rows, append([]string{escape.Text(of.Target)}, cells(of)...))
		}
		b.WriteString(each.String() + "RMSE and MAE of all targets together are in standard deviations\n")
	}
	b.WriteString(absentClasses("the table", e))
	writeCounts(&b, e, 0, e.Uncovered, e.OutOfRange, e.Limited)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteInterval writes the figures of prediction intervals or sets, and the coverage of groups as a table.
func WriteInterval(w io.Writer, i words.Interval) error {
	text := withRemark(i) + "\n"
	if i.Groups != nil {
		t := Table{Head: words.CoverageHead(), Left: 1}
		for _, c := range i.Groups {
			t.Rows = append(t.Rows, c.Cells())
		}
		text += t.String() + words.CoverageNote + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// withRemark returns intervals in a line, and another one on groups of rows that they cover less.
func withRemark(i words.Interval) string {
	if remark := i.Remark(); remark != "" {
		return i.String() + "\n" + remark
	}
	return i.String()
}

// writeCounts writes a line for each count that is not zero, under its name in the tables. Errors e are of the model's task.
func writeCounts(b *strings.Builder, e model.Metrics, skipped, uncovered, outOfRange, limited int) {
	say := func(n int, format string) {
		if n > 0 {
			fmt.Fprintf(b, format+"\n", n)
		}
	}
	say(skipped, "skipped samples: %d (left out of an update because no rule fired)")
	say(uncovered, "uncovered points: %d (no rule fires for the row; the model, or a member of a committee, predicts the "+e.Constant()+")")
	say(outOfRange, "out of range: %d (the row has a value outside the training range, where no training row is)")
	say(limited, "limited: %d (the prediction was clipped to the limits of the target)")
}

// figure formats a number with five significant digits.
func figure(v float64) string { return numeric.Show(v, 5) }

// setting formats the value of a setting with four significant digits.
func setting(v float64) string { return numeric.Show(v, 4) }

// percent formats a share in percent with one decimal.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }
