package words

import (
	"slices"

	"github.com/tskgraph/tskgraph/rules"
)

// Rule is one rule.
type Rule struct {
	Number  int     `json:"rule"`    // position in the model file or on the page, from 1
	Share   float64 `json:"share"`   // mean normalised firing level on the training part
	Samples int     `json:"samples"` // training samples for which it has the largest firing level; of equal rules the first
	// rules, this one among them, that fire equally on every training sample, to rounding, and more than all others
	Equal int          `json:"equal,omitempty"`
	If    []Antecedent `json:"if"`            // of the features with a condition
	Then  Consequent   `json:"then,omitzero"` // of one target by the identity link

	Outputs []Said `json:"outputs,omitempty"` // [C] what the rule says of each output of a model with a response

	Keep rules.Keep `json:"keep,omitempty"` // if, then or all: what training does not change

	Words []Condition `json:"words,omitempty"` // the IF part in words, without nearly constant conditions
	Terms []Term      `json:"terms,omitempty"` // of the THEN part, the largest effect first
	Local *Local      `json:"local,omitempty"` // the rule on samples, see [ModelOn]

	Fires []int `json:"fires,omitempty"` // of a rule of a page, the numbers in the model file of the rules that it became

	Alike []int `json:"alike,omitempty"` // numbers of the rules with the same IF part, this one among them, if there are others
	// without conditions in words, and it decides where no other rule's conditions hold, see [ModelOn]
	Otherwise bool `json:"otherwise,omitempty"`

	page int    // of a rule of a page, the index of the page
	name string // of a rule of a page, such as "Rule 2" or, of several pages, "Rule 2 of z", which has another Number
}

// idle reports whether a rule hardly contributes on the training part: it is strongest for no sample and has less than 1% of the firing.
func (r Rule) idle() bool { return r.Samples == 0 && r.Share < 0.01 && r.Equal == 0 }

// Name returns "Rule 3", or "Rules 3, 5 and 6" for several that Listed combined; of several pages "Rule 3 of z".
func (r Rule) Name() string {
	if r.name != "" {
		return r.name
	}
	return "R" + namedRules(r.numbers())[1:]
}

// numbers returns the number of the rule, or those that Listed combined.
func (r Rule) numbers() []int {
	if len(r.If) == 0 && r.Alike != nil && r.Outputs == nil {
		return r.Alike
	}
	return []int{r.Number}
}

// meets reports whether a sample meets all conditions of the rule, except preferences.
func (r *Rule) meets(x []float64) bool {
	for i := range r.Words {
		if c := &r.Words[i]; !c.Preferably && !c.cut.Has(x) {
			return false
		}
	}
	return true
}

// markEqual sets Equal if one rule is strongest for all training samples and others have the same share of the firing: then they
// fire like it on each.
func markEqual(all []Rule) {
	top, samples := 0, 0
	for r, rule := range all {
		if samples += rule.Samples; rule.Samples > all[top].Samples {
			top = r
		}
	}
	var equal []int
	for r, rule := range all {
		if rule.Share >= all[top].Share*(1-1e-9) {
			equal = append(equal, r)
		}
	}
	if samples == 0 || all[top].Samples < samples || len(equal) < 2 {
		return
	}
	for _, r := range equal {
		all[r].Equal = len(equal)
	}
}

// kept says what training does not change of a rule; empty if it changes all.
func kept(k rules.Keep) string {
	switch k {
	case rules.KeepIf:
		return "IF part kept as written"
	case rules.KeepThen:
		return "THEN part kept as written"
	case rules.KeepAll:
		return "Kept as written"
	}
	return ""
}

// strongestOf returns the rule with the largest firing level; -1 if none fires.
func strongestOf(f []float64) int {
	strongest := -1
	for r, level := range f {
		if level > 0 && (strongest < 0 || level > f[strongest]) {
			strongest = r
		}
	}
	return strongest
}

// eachFiring calls a function with the normalised firing levels [R] of each scaled sample. It computes those of a block of
// samples at a time.
func eachFiring(rb *rules.RuleBase, scaled [][]float64, each func(n int, f []float64)) {
	n := 0
	for block := range slices.Chunk(scaled, observeRows) {
		for _, f := range rb.FiringLevels(block, nil) {
			each(n, f)
			n++
		}
	}
}

// observeRows is the number of samples whose firing levels are in memory at a time.
const observeRows = 1024
