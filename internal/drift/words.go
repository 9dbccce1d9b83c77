package drift

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

func plain(s string) string    { return escape.Text(s) }
func show(v float64) string    { return numeric.Show(v, 3) }
func percent(v float64) string { return numeric.Show(100*v, 3) + "%" }

// Name returns the rule in words, such as rule 2.
func (r Rule) Name() string {
	name := "rule " + strconv.Itoa(r.Rule)
	if r.Target != "" {
		name += " of " + plain(r.Target)
	}
	return name
}

// Lead says in sentences what was compared and found.
func (r *Report) Lead() []string {
	compared := fmt.Sprintf("%s, compared with %s of training", numeric.Counted(r.Rows, "row"), numeric.Counted(r.Training, "row"))
	if r.Errors != nil {
		compared += fmt.Sprintf("; errors with those of %s held out", numeric.Counted(r.HeldOut, "row"))
	}
	found := "Nothing has changed"
	if len(r.Changes) > 0 {
		found = numeric.Counted(len(r.Changes), "change")
	}
	return []string{compared + ".", fmt.Sprintf("%s, at a level of %s for all tests together.", found, numeric.Show(r.Level, 3))}
}

// Table is a part of a report, for people.
type Table struct {
	Title, Note string
	Head        []string
	Rows        [][]string
}

// Tables returns the report in tables, whose first column names what the others measure.
func (r *Report) Tables() []Table {
	columns := Table{Title: "Columns", Head: []string{"column", "stability index", "outside", "missing", "before", "unknown"},
		Note: "The population stability index compares the known cells, in tenths of the training part or by level; above .25, it is usually " +
			"called a large change. Outside the training range, missing (and before, in training) and unknown are shares of the rows. " +
			"* marks what has changed."}
	for _, c := range r.Columns {
		columns.Rows = append(columns.Rows, []string{plain(c.Name), numeric.Show(c.Index, 2) + star(c.Changed), c.Outside.now(), c.Missing.now(),
			percent(c.Missing.Training), c.Unknown.now()})
	}
	all := []Table{columns}
	rules := Table{Title: "Rules", Head: []string{"rule", "decides", "before"}, Note: "The share of the rows that each rule decides."}
	if r.Errors != nil {
		rules.Head = append(rules.Head, "rows", r.Errors.Name, "held out")
		if r.Errors.Bias != nil {
			rules.Head = append(rules.Head, "prediction minus target", "held out")
		}
		rules.Note += " Errors are means with their 95% intervals, beside those of rows held out from training; of a rule of fewer than 20 " +
			"such rows they are left out."
	}
	for _, rule := range r.Rules {
		row := []string{rule.Name(), rule.Share.now(), percent(rule.Share.Training)}
		if r.Errors != nil {
			row = append(row, errorCells(rule.Error, rule.Bias)...)
		}
		rules.Rows = append(rules.Rows, row[:len(rules.Head)])
	}
	if r.Errors != nil {
		var first *Error
		if len(r.Errors.Bias) > 0 {
			first = r.Errors.Bias[0]
		}
		rules.Rows = append(rules.Rows, append([]string{"all", "", ""}, errorCells(r.Errors.Error, first)...)[:len(rules.Head)])
	}
	if rules.Rows != nil {
		all = append(all, rules)
	}
	return all
}

func errorCells(size, bias *Error) []string {
	rows := ""
	if size != nil {
		rows = strconv.Itoa(size.Rows)
	}
	return append(append([]string{rows}, size.cells()...), bias.cells()...)
}

func (e *Error) cells() []string {
	if e == nil {
		return []string{"", ""}
	}
	return []string{fmt.Sprintf("%s (%s to %s)%s", show(e.Now), show(e.Low), show(e.High), star(e.Changed)), show(e.HeldOut)}
}

func (s Share) now() string { return percent(s.Now) + star(s.Changed) }

func star(changed bool) string {
	if changed {
		return " *"
	}
	return ""
}

// inUnit is the unit of the target after a blank, of numbers.
func (r *Report) inUnit(numbers bool) string {
	if !numbers || r.unit == "" {
		return ""
	}
	return " " + plain(r.unit)
}

// bias says how far predictions are off.
func (r *Report) bias(who string, e *Error) string {
	if e == nil {
		return ""
	}
	off := func(v float64, unit string) string {
		side := "high"
		if v < 0 {
			side = "low"
		}
		return show(math.Abs(v)) + unit + " too " + side
	}
	return fmt.Sprintf("%s are %s in the mean, where they were held out from training %s", who, off(e.Now, r.inUnit(true)), off(e.HeldOut, ""))
}

// size says how large errors are.
func (r *Report) size(who string, e *Error, numbers bool) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s is %s%s, held out from training %s", r.Errors.Name, who, show(e.Now), r.inUnit(numbers), show(e.HeldOut))
}

// Measures returns the figures that limits are stated for, by name:
//
//	psi      the largest population stability index of a column
//	outside  the largest share of rows with a number outside the training range of a column
//	missing  the largest share of rows by which a column misses more cells than in training
//	unknown  the largest share of rows with an unknown level
//	rules    the largest difference of the share of rows that a rule decides
//	error    the mean error over that of rows held out; 0 where it is not known
//	changes  the number of changes found
func (r *Report) Measures() map[string]float64 {
	all := map[string]float64{"psi": 0, "outside": 0, "missing": 0, "unknown": 0, "rules": 0, "error": 0, "changes": float64(len(r.Changes))}
	for _, c := range r.Columns {
		all["psi"] = max(all["psi"], c.Index)
		all["outside"] = max(all["outside"], c.Outside.Now)
		all["missing"] = max(all["missing"], c.Missing.Now-c.Missing.Training)
		all["unknown"] = max(all["unknown"], c.Unknown.Now)
	}
	for _, rule := range r.Rules {
		all["rules"] = max(all["rules"], math.Abs(rule.Share.Now-rule.Share.Training))
	}
	if e := r.Errors; e != nil && e.Error != nil && e.Error.HeldOut > 0 {
		all["error"] = e.Error.Now / e.Error.HeldOut
	}
	return all
}
