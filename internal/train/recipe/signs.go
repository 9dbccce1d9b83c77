package recipe

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Signs bound the slopes of columns in the THEN parts of all rules, by column and by target. The
// target [AllTargets] stands for every target that the column does not name. Of two classes, the
// name of one stands for its log odds.
type Signs map[string]map[string]Sign

// AllTargets stands for every target in [Signs].
const AllTargets = "*"

// Sign is a bound of slopes: 1, not negative; -1, not positive.
type Sign int

var signNames = map[Sign]string{1: "+", -1: "-"}

// MarshalText writes + or -.
func (s Sign) MarshalText() ([]byte, error) {
	if signNames[s] == "" {
		return nil, fmt.Errorf("sign %d: must be 1 or -1", int(s))
	}
	return []byte(signNames[s]), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *Sign) UnmarshalText(text []byte) error {
	for sign, name := range signNames {
		if name == string(text) {
			*s = sign
			return nil
		}
	}
	return fmt.Errorf("%q: want + (the prediction of a rule does not fall with the column) or - (it does not rise)", text)
}

// Bounds returns the signs of the consequents [C(M+1)] of rules with a preprocessing without
// components, see [rules.RuleBase]; nil if there are none. Columns that are constant in the
// training part have no slope.
func (s Signs) Bounds(p model.Preprocessing) []int {
	if len(s) == 0 {
		return nil
	}
	var all []int
	for c := range p.OutputCount() {
		all = append(all, 0)
		for _, f := range p.Inputs() {
			all = append(all, s.of(f.Name, c, p.Schema))
		}
	}
	return all
}

// of returns the sign of the slopes of a column in output c, 0 if they have none.
func (s Signs) of(column string, c int, schema data.Schema) int {
	if classes := schema.Classes; classes != nil { // one output, for the second class
		return int(s[column][classes[1]] - s[column][classes[0]])
	}
	targets := schema.Targets()
	if sign, ok := s[column][targets[min(c, len(targets)-1)]]; ok {
		return int(sign)
	}
	return int(s[column][AllTargets])
}

// Bound sets the signs of rules with a preprocessing to those of the model, if it has any, and
// slopes that these do not allow to zero. An *[Error] names a column whose slopes cannot be
// bounded: of a curve, or of a THEN part that is kept.
func (m Model) Bound(rb *rules.RuleBase, p model.Preprocessing) error {
	signs, inputs := m.Signs.Bounds(p), p.Inputs()
	if signs == nil {
		return nil
	}
	fail := func(format string, a ...any) error {
		return &Error{Key: "model.signs", Message: fmt.Sprintf(format, a...)}
	}
	if p.Components != nil {
		return fail("the rules of the saved model are over principal components: remove the key")
	}
	width := len(inputs) + 1
	for i, sign := range signs {
		if sign == 0 {
			continue
		}
		m := i%width - 1
		name := escape.Quote(inputs[m].Name)
		if rb.Knots != nil && len(rb.Knots[m]) > 0 {
			return fail("the saved model has a curve of %s, which has no sign: remove the column", name)
		}
		for r, w := range rb.Consequents {
			if rb.Keeps(r, rules.KeepThen) && rules.Signed(w[i], sign) != w[i] {
				return fail("the THEN part of rule %d is kept, but its slope of %s has the other sign: remove the column, or change the rule",
					r+1, name)
			}
		}
	}
	rb.Signs = signs
	rules.ProjectSigns(rb)
	return nil
}

// checkSigns checks that signs name columns and targets of a schema.
func checkSigns(r Recipe, s data.Schema) (found faults) {
	signs := r.Model.Signs
	fail := func(format string, a ...any) {
		found.add(&Error{Key: "model.signs", With: []string{"data.target", "data.categorical"}, Message: fmt.Sprintf(format, a...)})
	}
	if len(signs) == 0 {
		return nil
	}
	if _, joint := r.Train.LossFunction(len(s.Classes)).(loss.Softmax); joint {
		fail("the target %s has classes of one softmax: the sign of a slope does not say where a probability rises. Remove the key",
			escape.Quote(s.Target))
		return found
	}
	var names []string
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	for _, column := range slices.Sorted(maps.Keys(signs)) {
		switch i := slices.Index(names, column); {
		case i >= 0 && s.Columns[i].Nominal(), i < 0 && slices.Contains(s.Features(), column):
			fail("column %s has categories without an order: make it ordinal (data.categorical), or remove it", escape.Quote(column))
		case i < 0:
			fail("no column %s among the features%s", escape.Quote(column), meant(column, names))
		default:
			found = append(found, checkSignTargets(column, signs[column], s)...)
		}
	}
	return found
}

// checkSignTargets checks the targets of the signs of a column.
func checkSignTargets(column string, signs map[string]Sign, s data.Schema) (found faults) {
	fail := func(format string, a ...any) {
		found.add(&Error{Key: "model.signs", With: []string{"data.target"}, Message: fmt.Sprintf("column %s: ", escape.Quote(column)) +
			fmt.Sprintf(format, a...)})
	}
	known, kind := s.Targets(), "target"
	if s.Classes != nil {
		known, kind = s.Classes, "class"
	}
	for _, target := range slices.Sorted(maps.Keys(signs)) {
		switch {
		case target == AllTargets && s.Classes != nil:
			fail("the target has classes: say for which, such as {%s: {%s: %s}}", escape.Text(column), escape.Text(s.Classes[1]),
				signNames[signs[target]])
		case target != AllTargets && !slices.Contains(known, target):
			fail("no %s %s%s", kind, escape.Quote(target), meant(target, known))
		}
	}
	if s.Classes != nil && len(signs) > 1 && found == nil {
		fail("a sign for each of two classes: the other follows from the first, remove one")
	}
	return found
}

// meant is the end of a message about a wrong name.
func meant(name string, known []string) string {
	closest := registry.Closest(name, known)
	if closest == "" {
		return ": there are " + escape.List(known)
	}
	return "; did you mean " + escape.Quote(closest) + "?"
}
