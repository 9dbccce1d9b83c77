package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
)

// ruleSet has the rules of a model or of a member of a committee, in words and in numbers. It
// is the only source of the page's rules in words; the script reads them from the page.
type ruleSet struct {
	words.Wording             // Measures is empty without words
	Member        int         // from 1; 0 for a single model
	Shown, Idle   []ruleShown // of its rules
	Numbers       string      // all rules, as text
	Tree          *words.Tree // that the rules came from; nil: none, or no samples say how true it is
	Axes          string      // of the pictures; empty without
}

// ruleShown is a rule with its words, and with pictures of the rows that it decides.
type ruleShown struct {
	words.Rule
	Said     words.RuleWording
	Decides  string // its share of the rows, such as "34 % of rows"; empty if unknown
	Pictures []picture
	Captions bool // whether the pictures have their words below; those of a page are in Said
}

// Folded reports whether the formulas of a rule are shown only when they are opened: those of several outputs.
func (r ruleShown) Folded() bool { return len(r.Said.Formulas()) > 1 }

// maxText limits the text of all rules, in bytes; markup estimates the markup of each part of it.
const (
	maxText = 400e3
	markup  = 100
)

// ruleSets returns the rules in words, or in numbers for models without words, and the legend of these. It describes
// them on the training part if there is one. It returns nil if they are too long.
func ruleSets(in Input) (all []ruleSet, legend string, err error) {
	var d words.Description
	if in.Train != nil {
		d, err = words.ModelOn(in.Model, in.Train.Dataset)
	} else {
		d = words.Model(in.Model)
	}
	if err != nil {
		return nil, "", err
	}
	d.Interval = nil // shown elsewhere
	described := d.Members
	if !in.Model.Committee() {
		described = []words.Description{d}
	}
	length := 0
	for k, one := range described {
		s := ruleSet{Wording: one.Sentences(), Numbers: one.Numbers().Text}
		if one.Tree != nil && one.Tree.Agreement != nil {
			s.Tree = one.Tree
		}
		m := in.Model
		if m.Committee() {
			s.Member, m = k+1, m.Members[k]
		}
		var of *decisions
		if in.Train != nil && s.worded() {
			if of, err = newDecisions(m, in.Train.Dataset); err != nil {
				return nil, "", err
			}
			s.Axes = of.axes(in.Train.Name)
		}
		length += len(s.Numbers)
		for _, r := range s.Rules {
			shown := ruleShown{Rule: r.Rule, Said: r, Captions: s.Page == ""}
			if all := cmp.Or(one.Sample, one.Samples); all > 0 && r.Rule.Samples > 0 {
				shown.Decides = fmt.Sprintf("%.0f%% of rows", 100*float64(r.Rule.Samples)/float64(all))
			}
			if of != nil {
				shown.Pictures = of.pictures(r.Numbers)
			}
			if length += len(r.Text) + markup*(1+strings.Count(r.Text, "\n")); r.Idle {
				s.Idle = append(s.Idle, shown)
			} else {
				s.Shown = append(s.Shown, shown)
			}
		}
		if length > maxText {
			return nil, "", nil
		}
		all = append(all, s)
	}
	return all, d.Sentences().Legend, nil
}

// worded reports whether the rules are in words.
func (s ruleSet) worded() bool { return s.Page != "" || s.Measures != "" }

// Order says in which order the rules are; empty for one rule.
func (s ruleSet) Order() string {
	rules, paged := s.Rules, s.Page != ""
	ranked := slices.IsSortedFunc(rules, func(a, b words.RuleWording) int { return a.Rule.Compare(b.Rule) })
	switch known := rules[0].Rule.Samples > 0; {
	case len(rules) == 1 || !known && !paged:
		return ""
	case known && ranked && paged:
		return "The rules that decide most rows come first."
	case paged:
		return "The rules are in the order of the page."
	case ranked:
		return "Rules have their numbers in the model; those that decide most rows come first."
	}
	return "Rules have their numbers in the model; those that decide most rows come first, those without conditions last."
}

// IdleShare returns the share of the firing of the idle rules.
func (s ruleSet) IdleShare() float64 {
	sum := 0.0
	for _, r := range s.Idle {
		sum += r.Share
	}
	return sum
}

// cut returns the set of values that a condition names, as JSON for the script.
func cut(c words.Condition) (string, error) {
	text, err := json.Marshal(c.Cut())
	return string(text), err
}
