package config

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// chooseTargets sets the targets: the columns of those names, or the last that can be one; and whether it has classes.
func chooseTargets(s *starter, given []string) error {
	columns, err := findTargets(s, given)
	if err != nil {
		return err
	}
	options := &s.config.Data.Options
	for i, p := range columns {
		switch {
		case p.Distinct == 1:
			return columnFault(s.path, p, "is constant: there is nothing to predict")
		case len(columns) == 1 && classWords(p):
			classify(s, fmt.Sprintf("%s holds texts", p.Name))
		case !numeric(p) && p.Odd != nil && p.Numbers > 0:
			return p.Odd
		case p.Marks != nil:
			return &data.Error{File: s.path, Line: p.Marks.Line, Message: fmt.Sprintf("column %q: %s", p.Name, p.Marks.Message)}
		case 10*p.Dates >= 9*p.Present():
			return columnFault(s.path, p, "holds dates or times: choose another target")
		case !numeric(p) && len(columns) > 1:
			return columnFault(s.path, p, "holds no numbers: of several targets, each must be numeric")
		case !numeric(p):
			return columnFault(s.path, p, fmt.Sprintf("holds %d different texts, too many to be classes: choose another target", p.Distinct))
		case len(columns) == 1:
			chooseNumbers(s, p)
		}
		if i == 0 {
			options.Target = p.Name
		} else {
			options.Others = append(options.Others, p.Name)
		}
	}
	s.remark("data.target", remark{set: true})
	if len(given) == 0 {
		s.remark("data.target", remark{set: true}, "a guess: the last column that can be a target")
	}
	return nil
}

// columnFault is an error about a column that is no target.
func columnFault(path string, p data.Profile, message string) error {
	return &data.Error{File: path, Line: 1, Message: fmt.Sprintf("column %q %s", p.Name, message)}
}

// findTargets returns the columns that are named, also several in one text with commas between them; or the last that can be a
// target.
func findTargets(s *starter, given []string) (columns []data.Profile, err error) {
	if len(given) == 0 {
		for _, p := range slices.Backward(s.survey.Columns) {
			if p.Distinct > 1 && identifier(p) == "" && (numeric(p) || classWords(p) && p.Distinct <= fewClasses &&
				p.Present() >= classRows*p.Distinct) {
				return []data.Profile{p}, nil
			}
		}
		return nil, &data.Error{File: s.path, Message: "no column can be the target, a number that varies, or a class of several rows"}
	}
	var known []string
	for _, p := range s.survey.Columns {
		known = append(known, p.Name)
	}
	for _, text := range given {
		names := []string{text}
		if !slices.Contains(known, text) {
			names = strings.Split(text, ",")
		}
		for _, name := range names {
			at := slices.Index(known, strings.TrimSpace(name))
			if at < 0 {
				return nil, &data.Error{File: s.path, Line: 1, Message: fmt.Sprintf("the table has no column %q%s", strings.TrimSpace(name),
					didYouMean(registry.Closest(name, known)))}
			}
			columns = append(columns, s.survey.Columns[at])
		}
	}
	return columns, nil
}

const (
	fewClasses  = 20   // numbers, at most, that are classes, or words of a target that is a guess
	classShare  = 0.05 // of the rows, fewer numbers than which are classes
	classRows   = 10   // rows that a class must have on average for the target to be a guess
	fewestRows  = 3    // rows that a class must have, as data has it
	imbalance   = 10   // times as many rows in the largest class as in the smallest
	shownShares = 12   // classes whose shares are noted
)

// classWords reports whether a column of texts can be classes.
func classWords(p data.Profile) bool {
	return p.Numbers == 0 && p.Distinct > 1 && fewestRows*p.Distinct <= p.Present() && 10*p.Dates < 9*p.Present()
}

// chooseNumbers makes a target of numbers one of classes if they seem to name them: two different numbers, or few whole ones
// from 0 or 1 on, unless they are counts beside an exposure. Counts and grades that are few are noted.
func chooseNumbers(s *starter, p data.Profile) {
	few := p.Integers && p.Distinct <= fewClasses && float64(p.Distinct) < classShare*float64(p.Present()) && exposure(s) == ""
	rare := p.Low.Count < fewestRows || p.High.Count < fewestRows
	switch codes := p.Low.Value == 0 || p.Low.Value == 1; {
	case p.Distinct == 2 && p.Integers && !rare:
		s.codes = true
		classify(s, fmt.Sprintf("%s has two values", p.Name))
	case p.Distinct == 2:
		s.note("%q has two values only: a regression predicts something between them", p.Name)
	case few && codes && !rare:
		s.codes = true
		classify(s, fmt.Sprintf("%s has %d values, whole numbers from %v on; for a count or a grade, which has an order, set it to regression",
			p.Name, p.Distinct, p.Low.Value))
	case few:
		s.note("%q has %d whole numbers: regression keeps their order; set task: classification if they are names of classes", p.Name, p.Distinct)
		s.remark("task", remark{suggested: "classification"},
			fmt.Sprintf("%s has %d whole numbers, in an order: set this if they are names of classes", p.Name, p.Distinct))
	}
}

// classify sets the task to classification.
func classify(s *starter, why string) {
	s.config.Data.Task = "classification"
	s.remark("task", remark{set: true}, why)
}

// chooseFromRows reads the table as training would, for the shares of the classes and for leaks.
func chooseFromRows(s *starter) {
	d, err := data.ReadSample(context.Background(), s.path, s.config.Data.Options)
	if err != nil && s.codes { // too few rows of a number
		s.config.Data.Task = ""
		delete(s.remarks, "task")
		d, err = data.ReadSample(context.Background(), s.path, s.config.Data.Options)
	}
	switch {
	case err == nil:
		before := len(s.notes)
		noteClasses(s, d)
		chooseLeaks(s, d)
		chooseOddities(s, d)
		s.chooseKind(d)
		if s.survey.Rows > data.SampleRows && d.Len() < s.survey.Rows && len(s.notes) > before {
			s.note("classes, leaks and odd cells were looked for in a sample of %d rows", d.Len())
		}
	case s.config.Data.Task == "classification":
		s.warn("%v", err) // such as a class that is too rare; training reports it, too
	}
}

// noteClasses notes the shares of the classes, and suggests to balance them.
func noteClasses(s *starter, d *data.Dataset) {
	classes := d.Schema.Classes
	if classes == nil {
		return
	}
	counts := make([]int, len(classes))
	for _, y := range d.Y {
		counts[int(y)]++
	}
	var shares []string
	for k, class := range classes[:min(len(classes), shownShares)] {
		shares = append(shares, fmt.Sprintf("%s (%.3g%%)", escape.Text(class), 100*float64(counts[k])/float64(d.Len())))
	}
	if more := len(classes) - len(shares); more > 0 {
		shares = append(shares, fmt.Sprintf("and %d more", more))
	}
	s.note("%q has %d classes: %s", d.Schema.Target, len(classes), strings.Join(shares, ", "))
	if least, most := slices.Min(counts), slices.Max(counts); most >= imbalance*least {
		rare, common := classes[slices.Index(counts, least)], classes[slices.Index(counts, most)]
		s.warn("%s", s.propose(Proposal{Kind: "balance", Column: d.Schema.Target, Cells: least,
			Text: fmt.Sprintf("the classes are out of balance: %q has %d rows and %q %d", rare, least, common, most),
			Does: "makes the classes count alike, and finds more of the rare ones",
		}, func(c *Config) { c.Recipe.Train.ClassWeights = recipe.BalancedClasses }, "train.class_weights"))
	}
}

// maxLeaks is how many leaks are described.
const maxLeaks = 6

// chooseLeaks leaves out columns that are the target by an identity, as long as others are
// left, and notes others that give it away.
func chooseLeaks(s *starter, d *data.Dataset) {
	for _, note := range LeakNotes(data.Leaks(d), func(l data.Leak) bool {
		if l.Identity() && leaveOut(s, l.Columns, "a leak: "+l.String()) {
			return true
		}
		s.proposeIgnoring(Proposal{Kind: "leak", Column: l.Columns[0], Text: l.String(),
			Does: "leaves out what is not known before the target is"}, l.Columns...)
		return false
	}) {
		s.warn("%s", note)
	}
}

// leaveOut leaves out columns, and reports whether it did: others must be left, and the columns not be chosen.
func leaveOut(s *starter, columns []string, why string) bool {
	if s.chosen != nil {
		return false
	}
	var names []string
	for _, name := range columns {
		if !slices.Contains(s.config.Data.Ignore, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) >= s.inputs {
		return len(names) == 0
	}
	for _, name := range names {
		s.why[name] = why
		s.config.Data.Ignore = append(s.config.Data.Ignore, name)
	}
	s.inputs -= len(names)
	s.remark("data.ignore", remark{set: true}, fmt.Sprintf("%s: %s", strings.Join(names, ", "), strings.TrimPrefix(why, "a leak: ")))
	return true
}

// LeakNotes describes leaks, the first six of them, and what is done about each: leftOut does it, or reports that the columns stay.
func LeakNotes(leaks []data.Leak, leftOut func(data.Leak) bool) (notes []string) {
	for i, l := range leaks {
		out := leftOut(l)
		switch {
		case i >= maxLeaks:
		case out:
			notes = append(notes, fmt.Sprintf("a leak: %s: left out (data.ignore)", l))
		default:
			notes = append(notes, fmt.Sprintf("a leak? %s. Leave out what is not known before the target is: data.ignore: %s", l,
				escape.Text(written(listNode(l.Columns)))))
		}
	}
	if more := len(leaks) - maxLeaks; more > 0 {
		notes = append(notes, fmt.Sprintf("and %s of the same kind", count(more, "leak", "leaks")))
	}
	return notes
}
