// Package byhand holds rules that people write and edit: in words and numbers, in the units
// of a table.
//
// A [Rulebook] is such a set of rules, whatever file it comes from: rules.yaml, or the file of
// another system that a package below this one reads ([Register]). Training starts from it, or a
// model is made of it.
package byhand

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// Rulebook is a set of rules in the units of a table. Numbers are exact: a decimal keeps all its
// digits until it is scaled for a model.
type Rulebook struct {
	File string // path of the file, for errors

	Shape           membership.Function // of all terms; nil: not stated
	TNorm           string              // see inference.LookupTNorm; empty: not stated
	Defuzzification string              // see inference.LookupDefuzzification; empty: not stated

	Columns []Column // those that the file states anything of
	Targets []Target // one or several; none: not stated
	Terms   []Term
	Rules   []Rule

	Pages []*page.Page // that the file is, with an empty rule in Rules for each of theirs; nil: the file has rules alone

	Saved *Saved // of rules that were written from a model; nil: of others

	Comment []string // lines at the head of a written file
}

// Column states what is known of a column of the table. Only Name is required.
type Column struct {
	Name, Unit string
	Levels     []string // of a categorical column
	Ordered    bool     // the levels are in order, and terms number them from 1
	Range      *[2]float64

	// Scaling of a column of numbers: with a Power the parameters of its terms are in units of the
	// transform of the z-score (v - Mean) / SD, else in the unit of the column. SD zero: not stated.
	Mean, SD float64
	Power    *model.Power

	Line int // in the file, from 1; 0: unknown
}

// Target states what is known of what the rules predict. Only Name is required.
type Target struct {
	Name, Unit string
	Classes    []string // of a target of classes
	Range      *[2]float64
	Mean       *float64 // predicted where no rule holds; nil: the middle of Range or, without it, zero
}

// Term is a membership function with a name, such as "cold". Rules that name the same term share
// its parameters. Exactly one of Params, Range and Levels is set.
type Term struct {
	Column string // or an input of a model, such as day=weekend
	Name   string

	Params []*big.Rat // in the order of Shape.Params
	Range  *Range     // in words
	Levels []string   // of a categorical column, in words

	Line int
}

// Range is a term in words. From nil is "at most To", To nil "at least From"; if both are equal, it
// is "about From".
type Range struct {
	From, To *float64
	Unit     string // which must be that of the column; empty: not stated
}

// Rule is a rule: IF all conditions hold THEN each output is its formula.
type Rule struct {
	If     []Condition // none: the rule always holds
	Then   []Formula   // [C], in the order of the outputs
	Keep   rules.Keep  // what training must not change
	Merged int         // number of rules that this one was merged from; 0: one
	Off    bool        // left out by Start and Model

	Comment []string // lines before a written rule
	Line    int
}

// Condition is "column is term".
type Condition struct {
	Column, Term string
	Line         int

	at int // byte offset in the text of the IF part
}

// Formula is a linear formula of the columns. For a categorical column the name of a slope is that
// of an input, such as day=weekend, which is one for this level and else zero.
type Formula struct {
	Output    string // the target or class; empty if there is only one
	Intercept *big.Rat
	Slopes    []Slope
	Line      int
}

// Slope is the product of a number and a column.
type Slope struct {
	Column string
	Value  *big.Rat
}

// always is the text of an IF part without conditions.
const always = "always"

// parseConditions parses "outside is cold and day is weekend". Names of several words need no
// backticks unless these are "is" or "and".
func parseConditions(text string) ([]Condition, *fault) {
	if strings.EqualFold(strings.TrimSpace(text), always) {
		return nil, nil
	}
	all, err := tokens(text)
	if err != nil {
		return nil, err
	}
	var conditions []Condition
	for i := 0; ; i++ {
		at := all[i].at
		column, next := joined(all, i)
		if next == i {
			return nil, faultf(all[i].at, "want a condition, such as outside is cold")
		}
		if i = next; all[i].text != "is" || all[i].kind != nameToken {
			return nil, faultf(all[i].at, `want "is" and a term behind %s`, quoteName(column))
		}
		term, next := joined(all, i+1)
		if next == i+1 {
			return nil, faultf(all[i+1].at, "want a term of %s behind is", quoteName(column))
		}
		conditions = append(conditions, Condition{Column: column, Term: term, at: at})
		if i = next; all[i].kind == endToken {
			return conditions, nil
		}
		if all[i].text != "and" || all[i].kind != nameToken {
			return nil, faultf(all[i].at, `want "and" and another condition, or the end`)
		}
	}
}

// conditionsText is the inverse of parseConditions.
func conditionsText(all []Condition) string {
	if len(all) == 0 {
		return always
	}
	var texts []string
	for _, c := range all {
		texts = append(texts, quoteName(c.Column)+" is "+quoteName(c.Term))
	}
	return strings.Join(texts, " and ")
}

// rangeWords matches a term in words, as `tskgraph show` prints it, with a unit behind it.
var rangeWords = regexp.MustCompile(`^(?:(at least|above|at most|below|about)\s+)?([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)` +
	`(?:\s+to\s+([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?))?(?:\s+(\S.*))?$`)

// parseRange reads "at most 5", "below 5", "at least 3", "above 3", "3 to 15", "about 4", or a number alone,
// which is the same, each with or without a unit.
func parseRange(text string) (*Range, string) {
	m := rangeWords.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return nil, `want "at most A", "at least A", "A to B" or "about A" with numbers, a list of levels, or parameters`
	}
	word, unit := m[1], m[4]
	var ends []float64
	for _, t := range m[2:4] {
		if t == "" {
			continue
		}
		v, ok := ParseDecimal(t)
		if !ok {
			return nil, strconv.Quote(t) + " is not a number"
		}
		ends = append(ends, nearest(v))
	}
	first := &ends[0]
	switch {
	case len(ends) == 2 && word != "":
		return nil, `want "A to B" or "` + word + ` A"`
	case len(ends) == 2 && !(ends[0] < ends[1]):
		return nil, "the first number must be less than the second"
	case len(ends) == 2:
		return &Range{first, &ends[1], unit}, ""
	case word == "at least" || word == "above":
		return &Range{From: first, Unit: unit}, ""
	case word == "at most" || word == "below":
		return &Range{To: first, Unit: unit}, ""
	}
	return &Range{first, first, unit}, ""
}

// String returns the range in words.
func (r *Range) String() string {
	show := func(v *float64) string { return decimal(rational(*v)) }
	text := ""
	switch {
	case r.From == nil:
		text = "at most " + show(r.To)
	case r.To == nil:
		text = "at least " + show(r.From)
	case *r.From == *r.To:
		text = "about " + show(r.From)
	default:
		text = show(r.From) + " to " + show(r.To)
	}
	if r.Unit != "" {
		text += " " + r.Unit
	}
	return text
}
