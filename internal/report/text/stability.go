package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/internal/report"
)

// WriteStability writes how much a model depends on its seed: errors, predictions and
// rules in one table, response curves in another.
func WriteStability(w io.Writer, s *report.Stability) error {
	var b strings.Builder
	figures := texttable.New(&b, 1)
	figures.Header(fmt.Sprintf("%d seeds, on %d %s of the %s part", len(s.Seeds), s.Samples, weighted.Samples(s.Weighted), s.Part), "")
	metric := s.Metric
	if len(s.Targets) > 1 {
		metric += " in standard deviations"
	}
	figures.Append(metric+", mean over the seeds", figure(s.Loss))
	figures.Append(metric+", standard deviation over the seeds", figure(s.LossSD))
	figures.Append(differ(s), percent(s.Difference))
	figures.Append("at most", percent(s.MaxDifference))
	if s.TotalVariation != nil {
		figures.Append("probabilities of two models differ by (total variation)", percent(*s.TotalVariation))
	}
	if r := s.Rules; r != nil {
		figures.Append(fmt.Sprintf("rules with a counterpart (Jaccard similarity at least %.2g)", r.Least), percent(r.Share))
		figures.Append("at least", percent(r.MinShare))
		figures.Append("similarity of counterparts, mean", fmt.Sprintf("%.2f", r.Similarity))
	}
	if err := figures.Render(); err != nil {
		return err
	}
	measured := "range"
	switch {
	case s.TotalVariation != nil:
		measured = "range of the probability"
	case s.Dependence.Target == 0:
		measured = "range / sd of the target"
	}
	curves := texttable.New(&b, 1)
	curves.Header("response curve of", measured, "spread between seeds", "spread / range")
	for _, c := range s.Curves {
		ratio := "-"
		if c.Range > 0 {
			ratio = percent(c.Spread / c.Range)
		}
		curves.Append(escape.Text(c.Feature), figure(c.Range), figure(c.Spread), ratio)
	}
	if err := curves.Render(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
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
