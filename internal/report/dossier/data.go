package dossier

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/report"
)

// part is a part of the run with its name and its file.
type part struct {
	name, file string
	*data.Dataset
}

// parts returns the parts that the run has.
func (b *builder) parts() []part {
	all := []part{{"training", "train.csv", b.Train}, {"calibration", "calibration.csv", b.Calibration},
		{"validation", "validation.csv", b.Validation}, {"test", "test.csv", b.Test}}
	return slices.DeleteFunc(all, func(p part) bool { return p.Dataset == nil })
}

// data describes rows, targets and columns.
func (b *builder) data() error {
	if b.Source != "" {
		b.add("", "The rows are from %s; the directory of the run holds those of each part.", b.Source)
	}
	var rows [][]string
	for _, p := range b.parts() {
		sample := "all"
		if p.Whole != nil {
			sample = strconv.Itoa(p.Len())
		}
		rows = append(rows, []string{p.name, p.file, strconv.Itoa(p.Total()), sample, strconv.Itoa(data.Duplicates(p.WithoutWhole()))})
	}
	b.addTable(itself, 2, []string{"part", "file", "rows", "rows described", "that repeat an earlier one"}, rows,
		"The parts of the run. The model was trained on %d rows.", b.m.Training.Samples)
	if s := b.Summary; s != nil {
		missing := report.Named(b.m, s.Missing)
		policy, own := missing.Policy, ""
		if s.Missing.Own > 0 {
			policy, own = table.MissingOwn, fmt.Sprintf("; cells that rules may name: %d", missing.Own)
		}
		b.add(itself, "Cells of the whole table that were missing when it was read: %d; rows left out for that: %d; cells filled with the "+
			"training mean: %d (data.missing: %s)%s.", missing.Cells, missing.Dropped, missing.Imputed, policy,
			own)
	}
	b.targets()
	b.columns()
	b.levels()
	missing, unknown := report.StandIn(b.m)
	b.add("", "For a missing cell, %s; a category unknown to the model is read as %s.", missing, unknown)
	return nil
}

// targets describes the targets in each part.
func (b *builder) targets() {
	s := b.m.Schema
	var rows [][]string
	if s.Classes != nil {
		for k, class := range s.Classes {
			row := []string{class}
			for _, p := range b.parts() {
				n := 0
				for _, y := range p.Y {
					if int(y) == k {
						n++
					}
				}
				row = append(row, fmt.Sprintf("%d (%s)", n, share(float64(n), float64(p.Len()))))
			}
			rows = append(rows, row)
		}
		head := []string{"class"}
		for _, p := range b.parts() {
			head = append(head, p.name)
		}
		b.addTable(itself, 1, head, rows, "Rows of the classes of %s, by part.", s.Target)
		return
	}
	for c, name := range s.Targets() {
		unit := s.TargetUnit
		if c > 0 {
			unit = ""
		}
		for _, p := range b.parts() {
			y := p.Target(c).Y
			rows = append(rows, []string{labelled(name, unit), p.name, figure(slices.Min(y)), figure(numeric.WeightedMean(y, p.Weights)),
				figure(slices.Max(y))})
		}
	}
	b.addTable(itself, 2, []string{"target", "part", "least", "mean", "largest"}, rows, "What is to be predicted.")
}

// labelled returns a name with its unit.
func labelled(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}

// columns describes the columns of numbers: ranges and medians of the training part, and shares that are missing or outside of it.
func (b *builder) columns() {
	head := []string{"column", "least", "median", "largest", "missing, training part"}
	if b.Test != nil {
		head = append(head, "missing, test part", "outside the range, test part")
	}
	var rows [][]string
	feature := 0
	for _, c := range b.m.Schema.Columns {
		f, at := b.m.Features[feature], feature
		feature += c.Width()
		row := []string{labelled(c.Name, c.Unit), "", "", ""}
		switch {
		case c.Unused:
			row[1] = "constant, not used"
		case c.Numbers():
			var values []float64
			for _, x := range b.Train.X {
				if !math.IsNaN(x[at]) {
					values = append(values, x[at])
				}
			}
			row = []string{row[0], figure(f.Min), figure(numeric.Median(values)), figure(f.Max)}
		default:
			row[1] = numeric.Counted(len(c.Levels), "level")
		}
		row = append(row, missingIn(b.Train, c.Name))
		if b.Test != nil {
			outside := "–"
			if c.Numbers() && !c.Unused {
				n := 0
				for _, x := range b.Test.X {
					if x[at] < f.Min || x[at] > f.Max {
						n++
					}
				}
				outside = share(float64(n), float64(b.Test.Len()))
			}
			row = append(row, missingIn(b.Test, c.Name), outside)
		}
		rows = append(rows, row)
	}
	b.addTable(itself, 1, head, rows, "The columns: ranges in the training part, and shares of the rows that are missing or outside of them.")
}

// missingIn returns the share of the rows that miss a column.
func missingIn(d *data.Dataset, column string) string {
	return share(float64(d.Missing.Columns[column]), float64(d.Total()))
}

// mostLevels is the largest number of categories of a column that tables list, the most frequent ones.
const mostLevels = 12

// levels lists the categories of columns, with their rows.
func (b *builder) levels() {
	head := []string{"column", "category", "training rows"}
	if b.Test != nil {
		head = append(head, "test rows")
	}
	var rows [][]string
	for _, c := range b.categories(b.Train) {
		test := map[string]int{}
		if b.Test != nil {
			for _, of := range b.categories(b.Test) {
				for _, g := range of.groups {
					if of.column == c.column {
						test[g.Name] = len(g.Rows)
					}
				}
			}
		}
		for _, g := range c.groups {
			row := []string{c.column, g.Name, strconv.Itoa(len(g.Rows))}
			if b.Test != nil {
				row = append(row, strconv.Itoa(test[g.Name]))
			}
			rows = append(rows, row)
		}
	}
	if rows != nil {
		b.addTable(itself, 2, head, rows, "The categories; of a column with more than %d, the most frequent ones and all others together.",
			mostLevels)
	}
}

// categorised are the rows of a data set by the categories of a column.
type categorised struct {
	column string
	groups []words.RowGroup
}

// categories groups the rows of a data set by each column of categories that the model uses: the most frequent ones of the training part,
// all others together, and rows without a known one.
func (b *builder) categories(d *data.Dataset) (all []categorised) {
	const others, none = "(all others)", "(none of these)"
	feature := 0
	for _, c := range b.m.Schema.Columns {
		at := feature
		feature += c.Width()
		if c.Numbers() || c.Unused {
			continue
		}
		level := func(x []float64) int { return c.Level(x[at:][:c.Width()]) }
		frequent := make([]int, len(c.Levels)+1)
		for _, x := range b.Train.X {
			frequent[level(x)+1]++
		}
		order := make([]int, len(c.Levels))
		for i := range order {
			order[i] = i
		}
		if len(order) > mostLevels {
			slices.SortStableFunc(order, func(i, j int) int { return frequent[j+1] - frequent[i+1] })
		}
		shown := min(len(order), mostLevels)
		groups := make([]words.RowGroup, shown+2)
		for i, l := range order[:shown] {
			groups[i].Name = c.Levels[l]
		}
		groups[shown].Name, groups[shown+1].Name = others, none
		for n, x := range d.X {
			at := shown + 1
			if l := level(x); l >= 0 {
				if at = slices.Index(order[:shown], l); at < 0 {
					at = shown
				}
			}
			groups[at].Rows = append(groups[at].Rows, n)
		}
		all = append(all, categorised{c.Name, slices.DeleteFunc(groups, func(g words.RowGroup) bool { return g.Rows == nil })})
	}
	return all
}
