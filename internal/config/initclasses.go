package config

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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
// from 0 or 1 on. Counts and grades that are few are noted.
func chooseNumbers(s *starter, p data.Profile) {
	few := p.Integers && p.Distinct <= fewClasses && float64(p.Distinct) < classShare*float64(p.Present())
	rare := p.Low.Count < fewestRows || p.High.Count < fewestRows
	switch codes := p.Low.Value == 0 || p.Low.Value == 1; {
	case p.Distinct == 2 && p.Integers && !rare:
		s.codes = true
		classify(s, fmt.Sprintf("%s has two values", p.Name))
	case p.Distinct == 2:
		s.note("%q has two values only: a regression predicts something between them", p.Name)
	case few && codes && !rare:
		s.codes = true
		classify(s, fmt.Sprintf("%s has %d values, whole numbers from %v on; for a count or a grade, which has an order, set it to regression", p.Name, p.Distinct, p.Low.Value))
	case few:
		s.note("%q has %d whole numbers: regression keeps their order; set task: classification if they are names of classes", p.Name, p.Distinct)
		s.remark("task", remark{suggested: "classification"}, fmt.Sprintf("%s has %d whole numbers, in an order: set this if they are names of classes", p.Name, p.Distinct))
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
		if s.survey.Rows > data.SampleRows && d.Len() < s.survey.Rows && len(s.notes) > before {
			s.note("classes and leaks were looked for in a sample of %d rows", d.Len())
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
		why := fmt.Sprintf("%q has %d rows and %q %d: balanced makes the classes count alike, and finds more of the rare ones", rare, least, common, most)
		s.warn("the classes are out of balance: %s (train.class_weights)", why)
		s.remark("train.class_weights", remark{suggested: "balanced"}, why)
	}
}
