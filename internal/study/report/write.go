package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/study"
)

// The files and directories that [Report.Write] creates.
const (
	File         = "report.md"
	tablesDir    = "tables"
	figuresDir   = "figures"
	summaryTable = "summary.json"
)

// Write writes the report to a directory: report.md, tables/*.csv, *.json and *.md,
// figures/*.svg and *.png, and the [Report.Summaries] as summary.json. It replaces each file
// atomically; a symbolic link of that name is an error. The same results give the same bytes.
func (r *Report) Write(dir string) error {
	out, err := safefile.MakeDir(dir)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := errors.Join(out.Make(tablesDir, 0o777), out.Make(figuresDir, 0o777)); err != nil {
		return err
	}
	summary, err := json.MarshalIndent(r.summaries, "", "  ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files := map[string][]byte{summaryTable: append(summary, '\n'), File: []byte(r.Markdown())}
	for _, t := range r.tables() {
		base := filepath.Join(tablesDir, t.Name)
		if files[base+".csv"], err = t.CSV(); err != nil {
			return err
		}
		if files[base+".json"], err = t.JSON(); err != nil {
			return err
		}
		if len(t.Heads) > 0 {
			files[base+".md"] = []byte(t.Markdown())
		}
	}
	for _, f := range figures(r) {
		for _, format := range plot.Formats() {
			if files[filepath.Join(figuresDir, f.name+"."+format)], err = f.draw(format); err != nil {
				return err
			}
		}
	}
	for name, content := range files {
		if err := out.Write(name, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Markdown returns the report: the tables and figures of the paper with its captions, and
// the answers to its questions.
func (r *Report) Markdown() string {
	var b strings.Builder
	plan := r.results.Plan
	fmt.Fprintf(&b, "# MBGD-RDA training and rule pruning: the study of the paper\n\n")
	fmt.Fprintf(&b, "%d data sets, %d algorithms, %s per data set (the comparison with ANFIS: at most %d), seed %d. ",
		len(plan.Sets), len(plan.Algorithms), over(plan.Repeats), study.ANFISRepeats, plan.Seed)
	b.WriteString("Each run has a random split of its own, 70% for training and 30% for test, the same for all algorithms.\nRMSE are of the test part, in the target's unit.\n")
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
