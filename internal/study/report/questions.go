package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/study"
)

// questions are the names of the questions, in the order of the report.
var questions = []string{"Q1", "Q2", "Q3", "start"}

// questionTexts are the questions of the paper and of its footnote on k-means.
var questionTexts = map[string]string{
	"Q1":    "Is the performance of Algorithm 1 better than that of MBGD-RDA and ANFIS with the same number of rules?",
	"Q2":    "Does pruning reduce the number of rules without significantly sacrificing the performance?",
	"Q3":    "Is pruning from R0 rules to R rules better than training R rules directly?",
	"start": "Is fuzzy c-means a better start than k-means?",
}

// questionTable answers a question per data set, with 95% intervals; nil if its algorithms
// were not run.
func questionTable(r *Report, question, shape string) *Table {
	t := &Table{
		Name: strings.ToLower(question) + "-" + shape, Words: 2,
		Caption: fmt.Sprintf("%s, %s MFs. %s", question, adjective(shape), questionTexts[question]),
		Columns: []string{"dataset", "ours", "other", "repeats", "ours_rmse", "other_rmse", "ours_rules", "other_rules", "difference", "low", "high", "t", "p",
			"percent", "percent_low", "percent_high", "verdict"},
		Heads: []string{"Dataset", "compared", "RMSE", "rules", "improvement, % [95% interval]", "p", "verdict"},
	}
	within := 0 // data sets with comparable errors
	for _, c := range r.comparisons {
		if c.Question != question || c.Membership != shape {
			continue
		}
		if math.Abs(c.Percent) <= study.Comparable {
			within++
		}
		row := []any{c.Dataset, c.Ours, c.Other, c.Repeats, c.OursRMSE, c.OtherRMSE, c.OursRules, c.OtherRules, nil, nil, nil, nil, nil,
			c.Percent, c.PercentLow, c.PercentHigh, c.Verdict}
		improvement, p := fmt.Sprintf("%+.2f", c.Percent), ""
		if d := c.Difference; d != nil {
			copy(row[8:], []any{d.Mean, d.Low, d.High, d.T, d.P})
			improvement += fmt.Sprintf(" [%+.2f, %+.2f]", *c.PercentLow, *c.PercentHigh)
			p = probability(d.P)
		}
		t.Rows = append(t.Rows, row)
		t.Cells = append(t.Cells, []string{
			r.titles[c.Dataset], c.Ours + " against " + c.Other, fmt.Sprintf("%.4g, %.4g", c.OursRMSE, c.OtherRMSE),
			fmt.Sprintf("%.1f, %.1f", c.OursRules, c.OtherRules), improvement, p, c.Verdict,
		})
	}
	if question == "Q2" {
		t.Caption += fmt.Sprintf(" The errors are within %g%% of one another on %d of %d data sets.", study.Comparable, within, len(t.Rows))
	}
	return t.orNil()
}

// overallTable answers the questions over all data sets; nil without a comparison.
func overallTable(r *Report) *Table {
	t := &Table{
		Name: "overall", Words: 3,
		Caption: "The questions over all data sets: Wilcoxon's signed-rank test of the improvements in percent.",
		Columns: []string{"question", "membership", "ours", "other", "datasets", "better", "supported", "not_supported", "no_difference",
			"zeros", "rank_sum_plus", "rank_sum_minus", "p", "verdict"},
		Heads: []string{"", "MFs", "compared", "better on", "supported / not / no difference", "rank sums", "p", "verdict"},
	}
	for _, o := range r.overall {
		w := o.Test
		t.Rows = append(t.Rows, []any{o.Question, o.Membership, o.Ours, o.Other, o.Datasets, o.Better, o.Supported, o.Not, o.None, w.Zeros, w.Plus, w.Minus, w.P, o.Verdict})
		t.Cells = append(t.Cells, []string{
			o.Question, o.Membership, o.Ours + " against " + o.Other, fmt.Sprintf("%d of %d", o.Better, o.Datasets),
			fmt.Sprintf("%d / %d / %d", o.Supported, o.Not, o.None), fmt.Sprintf("%g, %g", w.Plus, w.Minus), probability(w.P), o.Verdict,
		})
	}
	return t.orNil()
}

// probability formats a p-value with three decimals.
func probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// reading explains the tables of the questions.
func reading() string {
	return fmt.Sprintf(`Both algorithms of a comparison have the same random splits. An improvement is by how many percent the mean test RMSE of the first
is lower than that of the second. Random splits of one data set overlap, so their results are dependent: intervals and p are those of
Student's t with the variance of Nadeau and Bengio (2003), (1/n + n_test/n_train) s². Each holds for its own comparison, without
correction for multiple comparisons. Verdicts, by the interval:

- Q1, Q3 and start: %[1]s if the interval lies above 0, %[2]s if it lies below 0;
- Q2: %[1]s if there are fewer rules and the interval lies above -1%% (the paper's measure of comparable), %[2]s if there are not fewer
  rules or the interval lies below 0;
- otherwise: %[3]s that these repeats can show.

Over all data sets, Wilcoxon's signed-rank test of the improvements in percent (exact; zeros are left out, ties share the mean rank) at
the level 0.05. For Q2 it tests improvements against -1%%.
`, study.Supported, study.NotSupported, study.NoDifference)
}
