package page

import (
	"encoding/json"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
)

// ruleSet has the rules of a model or of a member of a committee, in words and in numbers. It
// is the only source of the page's rules in words; the script reads them from the page.
type ruleSet struct {
	words.Description
	Member  int // from 1; 0 for a single model
	Rules   []wordedRule
	Idle    []wordedRule       // see [words.Rule.Idle]
	Numbers string             // all rules, as text
	InWords []*words.CurveText // curves that the rules have in common, of each output
	Signs   []string           // what the signs of slopes mean, see [words.BoundsInWords]
	Nodes   *wordedTree        // of the tree that the rules came from; nil: none
}

// wordedRule is a rule with its words.
type wordedRule struct {
	words.Rule
	Text words.RuleText
}

// maxText limits the text of all rules, in bytes; markup estimates the markup of each part of
// it.
const (
	maxText = 400e3
	markup  = 100
)

// ruleSets returns the rules in words, or in numbers for models without words, and describes
// them on the training part if there is one. It returns nil if they are too long.
func ruleSets(in Input) ([]ruleSet, error) {
	var d words.Description
	var err error
	if in.Train != nil {
		d, err = words.ModelOn(in.Model, in.Train.Dataset)
	} else {
		d = words.Model(in.Model)
	}
	if err != nil {
		return nil, err
	}
	d.Interval = nil // shown elsewhere
	described := d.Members
	if !in.Model.Committee() {
		described = []words.Description{d}
	}
	var all []ruleSet
	length := 0
	for k, one := range described {
		var b strings.Builder
		if err := one.Write(&b); err != nil {
			return nil, err
		}
		s := ruleSet{Description: one, Numbers: b.String(), InWords: words.CurvesInWords(one), Signs: words.BoundsInWords(one), Nodes: newTree(one)}
		if in.Model.Committee() {
			s.Member = k + 1
		}
		length += b.Len()
		if one.Interpretability != nil {
			for _, r := range words.Listed(one) {
				w := wordedRule{r, one.Text(r)}
				if length += w.length(); r.Idle() {
					s.Idle = append(s.Idle, w)
				} else {
					s.Rules = append(s.Rules, w)
				}
			}
		}
		if length > maxText {
			return nil, nil
		}
		all = append(all, s)
	}
	return all, nil
}

// length estimates the bytes of the rule on the page.
func (w wordedRule) length() int {
	n := markup + len(w.Text.Then) + len(w.Text.Small) + len(strings.Join(w.Text.Seen, ""))
	for _, c := range w.Text.If {
		n += markup + len(c.String())
	}
	for _, t := range w.Text.Formula {
		n += markup + len(t.Product) + len(t.Effect)
	}
	return n
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
