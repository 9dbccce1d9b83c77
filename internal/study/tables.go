package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

// rmse is the measure that the study compares algorithms by.
var rmse = model.Measures[slices.IndexFunc(model.Measures, func(m model.Measure) bool { return m.Key == "rmse" })]

// Report is the report of a study.
type Report struct {
	results     *Results
	summaries   []Summary
	comparisons []Comparison
	overall     []Overall
	titles      map[string]string // of data sets, by name
}

// NewReport summarises results.
func NewReport(results *Results) *Report {
	r := &Report{results: results, summaries: results.Summarise(), comparisons: results.Comparisons(), titles: map[string]string{}}
	r.overall = OverallAnswers(r.comparisons)
	for _, set := range results.Plan.Sets {
		r.titles[set.Name] = set.Title
	}
	return r
}

// Summaries returns what `tskgraph experiment --json` prints.
func (r *Report) Summaries() []Summary { return r.summaries }

// summary returns the summary of one algorithm on one set; nil if it was not run.
func (r *Report) summary(dataset, shape, algorithm string) *Summary {
	for i, v := range r.summaries {
		if v.Dataset == dataset && v.Membership == shape && v.Algorithm == algorithm {
			return &r.summaries[i]
		}
	}
	return nil
}

// adjective returns the word of the paper for MFs of a shape.
func adjective(shape string) string {
	switch shape {
	case "gaussian":
		return "Gaussian"
	case "trapezoid":
		return "trapezoidal"
	}
	return shape
}

// over formats a number of runs.
func over(n int) string {
	if n == 1 {
		return "1 run"
	}
	return strconv.Itoa(n) + " runs"
}

// RulesTable returns the paper's table of the numbers of rules after each round of pruning,
// with the paper's values beside them; nil if pruning was not run.
func (r *Report) RulesTable(shape string) *Table {
	t := &Table{
		Name: "rules-" + shape,
		Caption: fmt.Sprintf("Average number of rules (over %s) after different rounds of rule pruning, when %s MFs were used. In brackets "+
			"the rules removed for their firing level and for their similarity.",
			over(r.results.Plan.Repeats), adjective(shape)),
		Columns: []string{"dataset", "rules_initial", "rules_round1", "firing_round1", "similarity_round1", "rules_final",
			"firing_round2", "similarity_round2",
			"paper_round1", "paper_firing_round1", "paper_similarity_round1", "paper_final", "paper_firing_round2", "paper_similarity_round2"},
		Layout: text.Table{Head: []string{"Dataset", "R0", "R after first round", "paper", "R after second round", "paper", "difference"},
			Left: 1},
	}
	compared := 0
	var far []string // data sets with a larger difference
	for _, set := range r.results.Plan.Sets {
		v := r.summary(set.Name, shape, VariantPruning)
		if v == nil {
			continue
		}
		f, sim := v.RemovedByFiring, v.RemovedBySimilarity
		row := []any{set.Name, v.RulesInitial, v.RulesRound1, f[0], sim[0], v.RulesFinal, f[1], sim[1], nil, nil, nil, nil, nil, nil}
		cells := []string{set.Title, fmt.Sprintf("%.0f", v.RulesInitial), counts(*v.RulesRound1, f[0], sim[0]), "",
			counts(v.RulesFinal, f[1], sim[1]), "", ""}
		if p, ok := set.Paper[shape]; ok {
			pf, ps := p.RemovedByFiring, p.RemovedBySimilarity
			copy(row[8:], []any{p.Rules[0], pf[0], ps[0], p.Rules[1], pf[1], ps[1]})
			cells[3], cells[5] = counts(p.Rules[0], pf[0], ps[0]), counts(p.Rules[1], pf[1], ps[1])
			cells[6] = fmt.Sprintf("%+.1f", v.RulesFinal-p.Rules[1])
			compared++
			if math.Abs(v.RulesFinal-p.Rules[1]) > tenth*p.Rules[1] {
				far = append(far, fmt.Sprintf("%s (%s)", set.Title, cells[6]))
			}
		}
		t.add(row, cells...)
	}
	if compared > 0 {
		t.Caption += fmt.Sprintf(" The final number differs from the paper's by at most a tenth on %d of %d data sets", compared-len(far),
			compared)
		if len(far) > 0 {
			t.Caption += ", by more on " + strings.Join(far, ", ")
		}
		t.Caption += "."
	}
	return t.orNil()
}

// tenth is the relative difference from the paper's number of rules above which the caption names a data set.
const tenth = 0.1

func counts(rules, firing, similarity float64) string {
	return fmt.Sprintf("%.1f (%.1f, %.1f)", rules, firing, similarity)
}

// add adds a row with its layout.
func (t *Table) add(row []any, cells ...string) {
	t.Rows = append(t.Rows, row)
	t.Layout.Add(cells...)
}

// orNil returns the table; nil if it has no rows.
func (t *Table) orNil() *Table {
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// RMSETable returns the table of the mean and standard deviation of the test RMSE of the
// MBGD algorithms, or of those of the comparison with ANFIS; nil if none was run.
func (r *Report) RMSETable(shape string, anfis bool) *Table {
	t := &Table{
		Name: "rmse-" + shape,
		Caption: fmt.Sprintf("Average test %s (over %s) and its standard deviation, when %s MFs were used.", rmse.Name,
			over(r.results.Plan.Repeats), adjective(shape)),
		Columns: []string{"dataset", "algorithm", "repeats", rmse.Key + "_mean", rmse.Key + "_sd", "rules_initial", "rules_final"},
		Layout:  text.Table{Head: []string{"Dataset"}, Left: 1},
	}
	var algorithms []string
	for _, a := range r.results.Plan.Algorithms {
		ran := func(v Summary) bool { return v.Membership == shape && v.Algorithm == a.Name }
		if a.ANFIS == anfis && slices.ContainsFunc(r.summaries, ran) {
			algorithms = append(algorithms, a.Name)
			t.Layout.Head = append(t.Layout.Head, a.Name)
		}
	}
	repeats := 0
	for _, set := range r.results.Plan.Sets {
		cells := []string{set.Title}
		for _, name := range algorithms {
			v := r.summary(set.Name, shape, name)
			if v == nil {
				continue
			}
			repeats = v.Repeats
			t.Rows = append(t.Rows, []any{v.Dataset, v.Algorithm, v.Repeats, v.RMSEMean, v.RMSESD, v.RulesInitial, v.RulesFinal})
			cells = append(cells, withSD(v.RMSEMean, v.RMSESD))
		}
		if len(cells) > 1 {
			t.Layout.Add(cells...)
		}
	}
	if anfis {
		t.Name = "rmse-anfis"
		t.Caption = fmt.Sprintf("Average test %s (over %s) and its standard deviation in the comparison with ANFIS: full batches, %s MFs.",
			rmse.Name, over(repeats), adjective(shape))
	}
	return t.orNil()
}

func withSD(mean float64, sd *float64) string {
	if sd == nil {
		return fmt.Sprintf("%.4g", mean)
	}
	return fmt.Sprintf("%.4g ± %.2g", mean, *sd)
}

// EventsTable returns the counts of [study.Events] of the summaries that have any; nil if none has.
func (r *Report) EventsTable() *Table {
	t := &Table{
		Name: "guarded",
		Caption: "Exceptional cases, summed over all runs; algorithms without any are left out." +
			" A skipped sample was left out of an update because no rule fired for it; for an uncovered one no rule of the final model fires, " +
			"and its prediction is the training mean.",
		Columns: []string{"dataset", "membership", "algorithm", "repeats", "skipped_samples", "uncovered_train", "uncovered_test",
			"coinciding_rules", "lse_fallbacks", "diverged"},
		Layout: text.Table{Head: []string{"Dataset", "MFs", "algorithm", "runs", "skipped samples", "uncovered, training", "uncovered, test",
			"rules with coinciding centres", "least squares by SVD", "diverged"}, Left: 3},
	}
	for _, v := range r.summaries {
		if e := v.Events; e != (Events{}) {
			row := []any{v.Dataset, v.Membership, v.Algorithm, v.Repeats, e.Skipped, e.UncoveredTrain, e.UncoveredTest, e.Coinciding,
				e.LSEFallbacks, e.Diverged}
			cells := []string{r.titles[v.Dataset]}
			for _, c := range row[1:] {
				cells = append(cells, exact(c))
			}
			t.add(row, cells...)
		}
	}
	return t.orNil()
}

// Main returns the main tables: numbers of rules, errors, and the questions over all data sets.
func (r *Report) Main() []*Table {
	var all []*Table
	for _, shape := range r.results.Plan.Memberships {
		all = append(all, r.RulesTable(shape), r.RMSETable(shape, false), r.RMSETable(shape, true))
	}
	return slices.DeleteFunc(append(all, overallTable(r)), func(t *Table) bool { return t == nil })
}

// tables returns all tables in the order of the report.
func (r *Report) tables() []*Table {
	var all []*Table
	add := func(t *Table) {
		if t != nil {
			all = append(all, t)
		}
	}
	for _, shape := range r.results.Plan.Memberships {
		add(r.RulesTable(shape))
	}
	for _, shape := range r.results.Plan.Memberships {
		add(r.RMSETable(shape, false))
		add(r.RMSETable(shape, true))
	}
	for _, question := range questions {
		for _, shape := range r.results.Plan.Memberships {
			add(questionTable(r, question, shape))
		}
	}
	add(overallTable(r))
	add(r.EventsTable())
	for _, f := range figures(r) {
		add(f.table())
	}
	return all
}

// questions are the names of the questions, in the order of the report.
var questions = []string{"Q1", "Q2", "Q3", "start"}

// questionTexts are the questions of the paper and of its footnote on k-means.
var questionTexts = map[string]string{
	"Q1":    "Is the performance of Algorithm 1 better than that of MBGD-RDA and ANFIS with the same number of rules?",
	"Q2":    "Does pruning reduce the number of rules without significantly sacrificing the performance?",
	"Q3":    "Is pruning from R0 rules to R rules better than training R rules directly?",
	"start": "Is fuzzy c-means a better start than k-means?",
}

// questionTable answers a question per data set, with 95% intervals; nil if its algorithms were not run.
func questionTable(r *Report, question, shape string) *Table {
	t := &Table{
		Name:    strings.ToLower(question) + "-" + shape,
		Caption: fmt.Sprintf("%s, %s MFs. %s", question, adjective(shape), questionTexts[question]),
		Columns: []string{"dataset", "ours", "other", "repeats", "ours_" + rmse.Key, "other_" + rmse.Key, "ours_rules", "other_rules",
			"difference",
			"low", "high", "t", "p",
			"percent", "percent_low", "percent_high", "verdict"},
		Layout: text.Table{Head: []string{"Dataset", "compared", rmse.Heading, "rules", "improvement, % [95% interval]", "p", "verdict"},
			Left: 2},
	}
	within := 0 // data sets with comparable errors
	for _, c := range r.comparisons {
		if c.Question != question || c.Membership != shape {
			continue
		}
		if math.Abs(c.Percent) <= Comparable {
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
		t.add(row,
			r.titles[c.Dataset], c.Ours+" against "+c.Other, fmt.Sprintf("%.4g, %.4g", c.OursRMSE, c.OtherRMSE),
			fmt.Sprintf("%.1f, %.1f", c.OursRules, c.OtherRules), improvement, p, c.Verdict)
	}
	if question == "Q2" {
		t.Caption += fmt.Sprintf(" The errors are within %g%% of one another on %d of %d data sets.", Comparable, within, len(t.Rows))
	}
	return t.orNil()
}

// overallTable answers the questions over all data sets; nil without a comparison.
func overallTable(r *Report) *Table {
	t := &Table{
		Name:    "overall",
		Caption: "The questions over all data sets: Wilcoxon's signed-rank test of the improvements in percent.",
		Columns: []string{"question", "membership", "ours", "other", "datasets", "better", "supported", "not_supported", "no_difference",
			"zeros", "rank_sum_plus", "rank_sum_minus", "p", "verdict"},
		Layout: text.Table{Head: []string{"", "MFs", "compared", "better on", "supported / not / no difference", "rank sums", "p", "verdict"},
			Left: 3},
	}
	for _, o := range r.overall {
		w := o.Test
		t.add([]any{o.Question, o.Membership, o.Ours, o.Other, o.Datasets, o.Better, o.Supported, o.Not, o.None,
			w.Zeros, w.Plus, w.Minus, w.P, o.Verdict},
			o.Question, o.Membership, o.Ours+" against "+o.Other, fmt.Sprintf("%d of %d", o.Better, o.Datasets),
			fmt.Sprintf("%d / %d / %d", o.Supported, o.Not, o.None), fmt.Sprintf("%g, %g", w.Plus, w.Minus), probability(w.P), o.Verdict)
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
	return fmt.Sprintf(`Both algorithms of a comparison have the same random splits. An improvement is by how many percent the mean test `+
		`RMSE of the first
is lower than that of the second. Random splits of one data set overlap, so their results are dependent: intervals and p are those of
Student's t with the variance of Nadeau and Bengio (2003), (1/n + n_test/n_train) s². Each holds for its own comparison, without
correction for multiple comparisons. Verdicts, by the interval:

- Q1, Q3 and start: %[1]s if the interval lies above 0, %[2]s if it lies below 0;
- Q2: %[1]s if there are fewer rules and the interval lies above -1%% (the paper's measure of comparable), %[2]s if there are not fewer
  rules or the interval lies below 0;
- otherwise: %[3]s that these repeats can show.

Over all data sets, Wilcoxon's signed-rank test of the improvements in percent (exact; zeros are left out, ties share the mean rank) at
the level 0.05. For Q2 it tests improvements against -1%%.
`, Supported, NotSupported, NoDifference)
}
