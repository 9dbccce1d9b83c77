package study

import (
	"fmt"
	"slices"
	"strings"
)

// The files and directories that [Report.Write] creates.
const (
	ReportFile   = "report.md"
	tablesDir    = "tables"
	figuresDir   = "figures"
	summaryTable = "summary.json"
)

// Markdown returns the report: the tables and figures of the paper with its captions, and the answers to its questions.
func (r *Report) Markdown() string {
	var b strings.Builder
	plan := r.results.Plan
	fmt.Fprintf(&b, "# MBGD-RDA training and rule pruning: the study of the paper\n\n")
	fmt.Fprintf(&b, "%d data sets, %d algorithms, %s per data set (the comparison with ANFIS: at most %d), seed %d. ",
		len(plan.Sets), len(plan.Algorithms), over(plan.Repeats), ANFISRepeats, plan.Seed)
	b.WriteString("Each run has a random split of its own, 70% for training and 30% for test, the same for all algorithms.\nRMSE are of " +
		"the test part, in the target's unit.\n")
	section := func(title string, tables ...*Table) {
		heading := "\n## " + title + "\n"
		for _, t := range tables {
			if t != nil {
				fmt.Fprintf(&b, "%s\n%s", heading, t.Markdown())
				heading = ""
			}
		}
	}
	each := func(table func(shape string) *Table) (tables []*Table) {
		for _, shape := range plan.Memberships {
			tables = append(tables, table(shape))
		}
		return tables
	}
	section("Number of rules", each(r.RulesTable)...)
	section("Test RMSE", each(func(shape string) *Table { return r.RMSETable(shape, false) })...)
	section("Comparison with ANFIS", each(func(shape string) *Table { return r.RMSETable(shape, true) })...)
	if len(r.comparisons) > 0 {
		fmt.Fprintf(&b, "\n## Questions\n\n%s", reading())
		for _, question := range questions {
			section(question, each(func(shape string) *Table { return questionTable(r, question, shape) })...)
		}
		section("Over all data sets", overallTable(r))
	}
	b.WriteString("\n## Figures\n\n")
	drawn := figures(r)
	for _, f := range drawn {
		fmt.Fprintf(&b, "![%s](%s/%s.svg)\n\n%s\n\n", f.label, figuresDir, f.name, f.caption)
	}
	if len(drawn) == 0 {
		b.WriteString("No curves: the test RMSE after every iteration was not measured (`--curves`).\n")
	}
	if t := r.EventsTable(); t != nil {
		section("Exceptional cases", t)
	} else {
		b.WriteString("\n## Exceptional cases\n\nNone: no sample was skipped or uncovered, no training diverged.\n")
	}
	return b.String()
}

// figure is a figure of small multiples over the iterations: a panel per data set, a curve per algorithm.
type figure struct {
	name, caption string
	shape         string
	value         string // column of the table with the values: rmse or percent
	label         string // of the y axis
	algorithms    []string
	panels        []panel
	zero          bool // draw the line at zero
	log           bool // the y axis is logarithmic
}

// panel has the curves of one data set; nil for an algorithm without a curve.
type panel struct {
	dataset, title string
	curves         [][]float64
}

// figures returns the paper's figures whose curves were measured.
func figures(r *Report) []*figure {
	mbgd := []string{MBGDRDA, VariantR0, VariantPruning, VariantR}
	var all []*figure
	for _, shape := range r.results.Plan.Memberships {
		runs := over(r.results.Plan.Repeats)
		all = append(all,
			fill(r, &figure{
				name: "rmse-curves-" + shape, shape: shape, value: rmse.Key, label: "test " + rmse.Name, algorithms: mbgd,
				caption: fmt.Sprintf("Average test RMSEs (over %s) of the four MBGD based algorithms on the %d datasets, when %s MFs were used.",
					runs, len(r.results.Plan.Sets), adjective(shape)),
			}),
			fill(r, &figure{
				name: "improvements-" + shape, shape: shape, value: "percent", label: "improvement, %", algorithms: mbgd[2:], zero: true,
				caption: fmt.Sprintf("Percentage improvements of the average test RMSEs (over %s) of %s and %s over %s, when %s MFs were used.",
					runs, VariantPruning, VariantR, VariantR0, adjective(shape)),
			}),
			fill(r, &figure{
				name: "anfis-curves", shape: shape, value: rmse.Key, label: "test " + rmse.Name, log: true, algorithms: []string{FullR, GDR,
					LSER},
				caption: fmt.Sprintf("Average test RMSEs (over %s) of %s (full batches), %s and %s, when %s MFs were used; logarithmic scale.",
					over(min(r.results.Plan.Repeats, ANFISRepeats)), VariantR, GDR, LSER, adjective(shape)),
			}),
		)
	}
	return slices.DeleteFunc(all, func(f *figure) bool { return len(f.panels) == 0 })
}

// fill adds the panels of the data sets that have a curve.
func fill(r *Report, f *figure) *figure {
	for _, set := range r.results.Plan.Sets {
		p := panel{dataset: set.Name, title: set.Title}
		found := false
		for _, a := range f.algorithms {
			curve := r.results.AverageCurve(set.Name, f.shape, a)
			if f.value == "percent" {
				curve = Improvement(curve, r.results.AverageCurve(set.Name, f.shape, VariantR0))
			}
			p.curves = append(p.curves, curve)
			found = found || curve != nil
		}
		if found {
			f.panels = append(f.panels, p)
		}
	}
	return f
}

// table returns the curves as a table for programs.
func (f *figure) table() *Table {
	t := &Table{Name: f.name, Caption: f.caption, Columns: []string{"dataset", "algorithm", "iteration", f.value}}
	for _, p := range f.panels {
		for i, curve := range p.curves {
			for k, v := range curve {
				t.Rows = append(t.Rows, []any{p.dataset, f.algorithms[i], k + 1, v})
			}
		}
	}
	return t
}
