package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

const (
	mostMissing  = 0.9  // share of missing cells from which on a column is left out
	leastPresent = 8    // cells that a column with missing ones has, or it is left out
	mostLevels   = 50   // that a column of words may have, as data has it
	mostOneHot   = 12   // levels beyond which a column of words is ranked, where the preset and the target allow
	mostRanked   = 5000 // levels of a ranked column
	rowsALevel   = 5    // rows that a level must have on average
	mostGrades   = 25   // different numbers of a column, such as school, that may count or grade, not name groups
)

// chooseColumns decides about each column that is not a target.
func (s *starter) chooseColumns() {
	targets, chosen := s.config.Data.Targets(), map[string]bool{}
	if s.chosen != nil {
		for _, name := range *s.chosen {
			chosen[name] = true
		}
	}
	s.ranked = s.ranks()
	for _, p := range s.survey.Columns {
		if slices.Contains(targets, p.Name) {
			continue
		}
		why := s.unfit(p)
		if s.chosen == nil && why != "" {
			s.ignore(p, why)
			continue
		}
		if chosen[p.Name] {
			s.leave(p)
			continue
		}
		s.why[p.Name] = why
		s.inputs++
		s.missing += p.Missing
		s.read(p)
	}
	for _, p := range s.times {
		s.inTime(p)
	}
	s.findGroups()
	s.found.note(s.outline)
	s.ignored.remark(s.outline, "data.ignore")
}

// read chooses how a column that is used is read.
func (s *starter) read(p data.Profile) {
	switch {
	case numeric(p) && p.Distinct == 1 && p.Missing > 0:
		s.describe(p, "one value or missing, which may say something", "have one value or are missing, which may say something")
		return
	case numeric(p):
		if (p.Rising && p.Unique() || p.Integers && !p.Unique()) && timeName.MatchString(p.Name) {
			s.times = append(s.times, p)
		}
		if p.Integers && unitName.MatchString(p.Name) && 2*p.Distinct <= p.Present() {
			s.describe(p, fmt.Sprintf("%d different numbers, taken for a quantity; if they name groups, set data.group", p.Distinct),
				"have few different numbers, taken for quantities; if they name groups, set data.group")
			s.inGroups(p)
		}
		return
	case p.Distinct > mostOneHot && s.ranked:
		s.code(p, table.Coding{Encoding: table.Ranked}, fmt.Sprintf("%s: one number for the %d levels, whose order is that of the mean target",
			p.Name, p.Distinct))
		s.describe(p, fmt.Sprintf("%d categories: in the order of their mean targets in training", p.Distinct),
			"have many categories, in the order of their mean targets in training")
	case p.Words != p.Present():
		s.code(p, table.NewCoding(nil, false), p.Name+": not all of it is numbers, nor words (columns of words need not be named)")
		s.describe(p, count(p.Distinct, "value", "different values")+", not all of them numbers: each counts on its own, in no order",
			"have values that are not all numbers, which count on their own, in no order")
	default:
		s.describe(p, count(p.Distinct, "category", "categories")+": each counts on its own, in no order",
			"are words, whose categories count on their own, in no order")
	}
	if groupName.MatchString(p.Name) || unitName.MatchString(p.Name) {
		s.inGroups(p)
	}
}

// code codes a column.
func (s *starter) code(p data.Profile, coding table.Coding, why string) {
	if s.config.Data.Categorical == nil {
		s.config.Data.Categorical = map[string]data.Coding{}
	}
	s.config.Data.Categorical[p.Name] = coding
	s.remark("data.categorical", remark{set: true}, why)
}

// ranks reports whether columns of many levels are ranked: readable rules name levels, preset paper is as published, and
// several targets, or three classes and more, have no order.
func (s *starter) ranks() bool {
	targets := s.config.Data.Targets()
	i := slices.IndexFunc(s.survey.Columns, func(p data.Profile) bool { return len(targets) == 1 && p.Name == targets[0] })
	if i < 0 || s.config.Preset != recipe.Robust().Preset {
		return false
	}
	p := s.survey.Columns[i]
	return p.Distinct == 2 || numeric(p) && s.config.Data.Task != "classification"
}

// unfit returns why a column cannot be learned from; empty if it can.
func (s *starter) unfit(p data.Profile) string {
	switch {
	case p.Present() == 0:
		return "empty"
	case float64(p.Missing) > mostMissing*float64(s.survey.Rows):
		return fmt.Sprintf("%.0f%% of it is missing", 100*float64(p.Missing)/float64(s.survey.Rows))
	case p.Distinct == 1 && (s.policy() != table.MissingOwn || min(p.Missing, p.Present()) < leastPresent):
		return "constant" // else its being missing may say something
	case p.Missing > 0 && p.Present() < leastPresent:
		return fmt.Sprintf("no more than %d cells are there", p.Present())
	case 10*p.Dates >= 9*p.Present():
		s.times = append(s.times, p)
		return "dates or times: write what matters of them, such as the hour, in a column of its own"
	}
	if why := identifier(p); why != "" {
		return why
	}
	most := mostLevels
	if s.ranked {
		most = mostRanked
	}
	most = min(most, max(2, s.survey.Rows/rowsALevel))
	switch {
	case numeric(p):
		named := groupName.MatchString(p.Name) || unitName.MatchString(p.Name) && p.Distinct > mostGrades
		if p.Integers && named && 2*p.Distinct <= p.Present() {
			s.inGroups(p)
			return "numbers that name groups of rows"
		}
	case p.Marks != nil && 10*(p.Numbers+p.Marked) >= 9*p.Present():
		return fmt.Sprintf("%s (line %d)", p.Marks.Message, p.Marks.Line)
	case 2*p.Numbers < p.Present():
		if p.Distinct > most {
			if 2*p.Distinct <= p.Present() {
				s.inGroups(p)
			}
			text := fmt.Sprintf("%d different texts, too many to learn about each", p.Distinct)
			if p.Distinct == data.MaxDistinct {
				text = "at least " + text
			}
			return text
		}
	case p.Distinct > min(most, fewLevels):
		return fmt.Sprintf("%s no number, such as %q in line %d", count(p.Present()-p.Numbers, "cell is", "cells are"), p.Odd.Cell, p.Odd.Line)
	}
	return ""
}

// describe notes how a column that is not one of numbers is read.
func (s *starter) describe(p data.Profile, one, many string) {
	s.found.add(p.Name, ": "+one, many)
	if s.why[p.Name] == "" {
		s.why[p.Name] = one
	}
}

// checkIgnored refuses to leave out a column that the table does not have, and a target.
func (s *starter) checkIgnored() error {
	if s.chosen == nil {
		return nil
	}
	known := make([]string, len(s.survey.Columns))
	for i, p := range s.survey.Columns {
		known[i] = p.Name
	}
	_, isKnown := s.used()
	for _, name := range *s.chosen {
		switch {
		case !isKnown[name]:
			return &data.Error{File: s.path, Line: 1, Message: fmt.Sprintf("the table has no column %q to leave out%s", name,
				didYouMean(registry.Closest(name, known)))}
		case slices.Contains(s.config.Data.Targets(), name):
			return &data.Error{File: s.path, Line: 1, Message: fmt.Sprintf("column %q is to be predicted: do not leave it out", name)}
		}
	}
	return nil
}

// leave leaves out a column that was chosen for it.
func (s *starter) leave(p data.Profile) {
	s.config.Data.Ignore = append(s.config.Data.Ignore, p.Name)
	s.remark("data.ignore", remark{set: true})
}

// ignore leaves a column out.
func (s *starter) ignore(p data.Profile, why string) {
	s.why[p.Name] = why
	s.config.Data.Ignore = append(s.config.Data.Ignore, p.Name)
	s.found.add(p.Name, " is left out: "+why, "are left out, "+why)
	s.ignored.add(p.Name, ": "+why, why)
}

// used returns the columns that are not left out, and their names.
func (s *starter) used() (columns []data.Profile, names map[string]bool) {
	names = make(map[string]bool, len(s.survey.Columns))
	for _, p := range s.survey.Columns {
		names[p.Name] = true
	}
	for _, name := range s.config.Data.Ignore {
		delete(names, name)
	}
	columns = make([]data.Profile, 0, len(names))
	for _, p := range s.survey.Columns {
		if names[p.Name] {
			columns = append(columns, p)
		}
	}
	return columns, names
}

// noteCommas notes which columns that are used have decimal commas.
func (s *starter) noteCommas() {
	var names []string
	_, used := s.used()
	for _, p := range s.survey.Columns {
		if p.Commas && used[p.Name] {
			names = append(names, p.Name)
		}
	}
	if len(names) > 0 {
		s.note("numbers with a decimal comma in %s", escape.List(names))
	}
}

// inGroups suggests to keep rows together.
func (s *starter) inGroups(p data.Profile) {
	s.remark("data.group", remark{suggested: written(scalarNode(p.Name))},
		fmt.Sprintf("rows of one %s may belong together; then keep them in one part, and the column out of data.ignore and data.categorical",
			p.Name))
}

// chooseMissing sets how missing cells are read.
func (s *starter) chooseMissing() {
	target := 0
	for _, p := range s.survey.Columns {
		if slices.Contains(s.config.Data.Targets(), p.Name) {
			target += p.Missing
		}
	}
	switch cells := count(s.missing, "cell is missing", "cells are missing"); {
	case s.missing > 0:
		s.config.Data.Missing = s.policy()
		what := "by default rules may ask for that"
		if s.config.Data.Missing == table.MissingMean {
			what = "by default the training mean stands in"
		}
		s.remark("data.missing", remark{set: true}, cells)
		s.note("%s: %s", cells, what)
	case target > 0:
		s.config.Data.Missing = "drop"
		s.remark("data.missing", remark{set: true}, "the target is missing in some rows")
	}
	switch {
	case target > 0 && len(s.config.Data.Others) > 0:
		s.note("rows without one of the targets are left out: %s", count(target, "cell is missing", "cells are missing"))
	case target > 0:
		s.note("%s left out", count(target, "row without target is", "rows without target are"))
	}
}

// chooseNA lists what marks missing values in the columns that are used.
func (s *starter) chooseNA(found markers) {
	used, isUsed := s.used()
	na := data.NA{}
	columns, cells := map[string][]string{}, map[string]int{} // by text
	for _, m := range found {
		if isUsed[m.column] {
			na[m.column] = append(na[m.column], m.text)
			columns[m.text] = append(columns[m.text], m.column)
			cells[m.text] += m.cells
		}
	}
	if len(na) == 0 {
		return
	}
	s.config.Data.NA = na
	if texts, same := found.sameInAll(na, used); same {
		s.config.Data.NA = data.NA{"*": texts}
	}
	for _, text := range slices.Sorted(maps.Keys(columns)) {
		why := fmt.Sprintf("%q seems to mark %s in %s", text, count(cells[text], "missing cell", "missing cells"), escape.List(columns[text]))
		s.remark("data.na", remark{set: true}, why)
		s.note("%s (data.na)", why)
	}
}
