package words

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Bound says that what each rule says of an output does not rise with some features, and does not
// fall with others: the signs of its slopes are bounded, see [rules.RuleBase].
type Bound struct {
	Output string   `json:"output"`
	NoRise []string `json:"never_rises_with,omitempty"`
	NoFall []string `json:"never_falls_with,omitempty"`
}

// addBounds adds the bounds of a model to its description, output by output.
func addBounds(d *Description, m *model.Model) {
	for c := range m.RuleBase.OutputCount() {
		b := Bound{Output: d.of[c].Name}
		one := m.RuleBase.Output(c)
		for i, f := range m.Inputs() {
			switch {
			case one.Signs == nil:
			case one.Signs[i+1] < 0:
				b.NoRise = append(b.NoRise, f.Name)
			case one.Signs[i+1] > 0:
				b.NoFall = append(b.NoFall, f.Name)
			}
		}
		if b.NoRise != nil || b.NoFall != nil {
			d.Bounds = append(d.Bounds, b)
		}
	}
}

// says returns what the rules do not do, such as "rise with outside or fall with day".
func (b Bound) says() string {
	var parts []string
	if b.NoRise != nil {
		parts = append(parts, "rise with "+either(b.NoRise))
	}
	if b.NoFall != nil {
		parts = append(parts, "fall with "+either(b.NoFall))
	}
	return strings.Join(parts, ", or ")
}

// either lists names, such as "a, b or c".
func either(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, plain(name))
	}
	return listed(all, "or")
}

// boundsInWords returns a sentence for each bound, of several outputs if they have the same, and
// one that says what bounds do not imply; nil without bounds.
func (d Description) boundsInWords() []string {
	var lines []string
	for i, b := range d.Bounds {
		same := func(o Bound) bool { return o.says() == b.says() }
		if slices.ContainsFunc(d.Bounds[:i], same) {
			continue
		}
		var outputs []string
		for _, o := range d.Bounds[i:] {
			if same(o) {
				outputs = append(outputs, o.Output)
			}
		}
		lines = append(lines, "No rule lets "+either(outputs)+" "+b.says()+".")
	}
	if lines != nil && len(d.Rules) > 1 {
		lines = append(lines, "The prediction itself can, where weight moves from one rule to another.")
	}
	return lines
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
