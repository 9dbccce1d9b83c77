package text

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/explain/readable"
	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// WriteSummary writes the summary of a training run as tables: errors and counts and, if it
// has them, the race, the pruning path and the rounds of pruning; then the path of the model.
func WriteSummary(w io.Writer, s *report.Summary) error {
	var b strings.Builder // tablewriter ignores the errors of a writer
	if err := errors.Join(writeRace(&b, s), writePath(&b, s), writePruning(&b, s)); err != nil {
		return err
	}
	if err := writeErrors(&b, s); err != nil {
		return err
	}
	counts := texttable.New(&b, 0)
	counts.Header("rules", "inputs", "conditions", "iterations", "skipped samples", "uncovered points", "seconds")
	counts.Append(strconv.Itoa(s.Rules), strconv.Itoa(s.Features), strconv.FormatFloat(s.RuleLength, 'f', 1, 64), strconv.Itoa(s.Iterations), strconv.Itoa(s.Skipped),
		strconv.Itoa(s.Uncovered), strconv.FormatFloat(s.Seconds, 'f', 2, 64))
	if err := counts.Render(); err != nil {
		return err
	}
	writeCounts(&b, s.Errors.Train, s.Skipped, s.Uncovered, 0, 0)
	if s.Members > 0 {
		fmt.Fprintf(&b, "a committee of %d models\n", s.Members)
	}
	if s.Twins != nil {
		fmt.Fprintf(&b, "%s %s\n", s.Twins, readable.TwinsAdvice)
	}
	if s.Readability != nil {
		fmt.Fprintf(&b, "%s\n", s.Readability)
	}
	if s.Interval != nil {
		fmt.Fprintf(&b, "%s\n", s.Interval)
	}
	fmt.Fprintf(&b, "model: %s\n", s.Model)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeErrors writes the errors of the model, before pruning if it was pruned, and of the baselines.
func writeErrors(b *strings.Builder, s *report.Summary) error {
	t := texttable.New(b, 1)
	t.Header(slices.Concat([]string{""}, headings(s.Errors.Train), []string{weighted.Samples(s.Weighted)}))
	row := func(name string, e model.Metrics) {
		if e.Samples > 0 {
			errorRows(name, e, func(cells []string) { t.Append(cells) })
		}
	}
	if s.Before != nil {
		row("before pruning, train", s.Before.Errors.Train)
		row("before pruning, validation", s.Before.Errors.Validation)
		row("before pruning, test", s.Before.Errors.Test)
	}
	row("TSK model, train", s.Errors.Train)
	row("TSK model, validation", s.Errors.Validation)
	row("TSK model, test", s.Errors.Test)
	if l := s.Errors.Baselines.Linear; l != nil {
		row(s.Errors.Names.Linear+", test", *l)
	}
	row(s.Errors.Names.Short+", test", s.Errors.Baselines.Constant)
	if err := t.Render(); err != nil {
		return err
	}
	b.WriteString(samplesOf(s))
	b.WriteString(absentClasses("the validation part", s.Errors.Validation))
	b.WriteString(absentClasses("the test part", s.Errors.Test))
	return nil
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
