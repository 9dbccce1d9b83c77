package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Monotone are the directions in which a model's predictions change with columns, by column and by target. The target [AllTargets] stands
// for every target that the column does not name. Of two classes, the name of one stands for its log odds.
//
// They hold by construction: a monotone column is in no condition, so that it moves no weight between rules, its slopes in all THEN parts
// have one sign, and its curves and tables do not fall, or do not rise.
type Monotone map[string]map[string]Direction

// AllTargets stands for every target in [Monotone].
const AllTargets = "*"

// Direction is that of a monotone column: 1, increasing; -1, decreasing.
type Direction int

var directions = map[Direction]string{1: "increasing", -1: "decreasing"}

// MarshalText writes increasing or decreasing.
func (d Direction) MarshalText() ([]byte, error) {
	if directions[d] == "" {
		return nil, fmt.Errorf("direction %d: must be 1 or -1", int(d))
	}
	return []byte(directions[d]), nil
}

// UnmarshalText reads what MarshalText writes.
func (d *Direction) UnmarshalText(text []byte) error {
	for direction, name := range directions {
		if name == string(text) {
			*d = direction
			return nil
		}
	}
	if i := strings.Index("+-", string(text)); i >= 0 && len(text) == 1 {
		return fmt.Errorf("%q: write %s", text, directions[Direction(1-2*i)])
	}
	return fmt.Errorf("%q: want increasing (the prediction does not fall where the column rises) or decreasing (it does not rise)", text)
}

// Bounds returns the signs of the consequents [C(M+1)] of rules with a preprocessing without
// components, see [rules.RuleBase]; nil if there are none. Columns that are constant in the
// training part have no slope.
func (s Monotone) Bounds(p model.Preprocessing) []int {
	if len(s) == 0 {
		return nil
	}
	var all []int
	columns, beside := ColumnsOf(p), Beside(p)
	for c := range p.OutputCount() {
		all = append(all, 0)
		for i := range p.Inputs() {
			sign := 0
			if !beside[i] { // a missing cell has no direction
				sign = s.Of(columns[i], c, p.Schema)
			}
			all = append(all, sign)
		}
	}
	return all
}

// Of returns the direction of a column in output c, 0 if it has none.
func (s Monotone) Of(column string, c int, schema data.Schema) int {
	if classes := schema.Classes; classes != nil { // one output, for the second class
		return int(s[column][classes[1]] - s[column][classes[0]])
	}
	targets := schema.Targets()
	if sign, ok := s[column][targets[min(c, len(targets)-1)]]; ok {
		return int(sign)
	}
	return int(s[column][AllTargets])
}

// Bound sets what the rules of a preprocessing must satisfy to that of the model: signs of slopes and curves by directions, and what no
// part mentions by roles and interactions, see [rules.RuleBase]. Functions, slopes and curves that these do not allow change to the
// nearest ones that they allow; what a saved model has of keys that are not set stays. An *[Error] names a part that is kept, or of a file
// of rules, and would change, and columns that may not meet.
func (m Model) Bound(rb *rules.RuleBase, p model.Preprocessing) error {
	if len(m.Roles) == 0 && m.Interactions == nil && len(m.Monotone) == 0 {
		return nil
	}
	if p.Components != nil {
		return &Error{Key: "model.init", With: []string{"model.monotone", "model.roles", "model.interactions"},
			Message: "the rules of the saved model are over principal components, not columns: remove the keys of columns"}
	}
	without, err := m.without(rb, p)
	if err != nil {
		return err
	}
	bound := rb.Clone()
	if bound.Without = without; len(m.Monotone) > 0 {
		bound.Signs = m.Monotone.Bounds(p)
	}
	rules.Confine(bound)
	for r := range rb.Rules() {
		for _, part := range []rules.Keep{rules.KeepIf, rules.KeepThen} {
			if kept := rb.Keeps(r, part); (kept || m.FromRules()) && !samePart(rb, bound, r, part) {
				why := "mentions"
				if kept {
					why = "is kept, but mentions"
				}
				return &Error{Key: "model.init", With: []string{"model.monotone", "model.roles", "model.interactions"}, Message: fmt.Sprintf(
					"the %s part of rule %d %s a column that model.roles, model.interactions or model.monotone keep out of it, or has a slope "+
						"of the other direction: change the rule, or remove the column there", strings.ToUpper(part.String()), r+1, why)}
			}
		}
	}
	*rb = *bound
	return nil
}

// samePart reports whether a part of rule r is the same in two rulebases: of an IF part, what it mentions.
func samePart(a, b *rules.RuleBase, r int, part rules.Keep) bool {
	for m := 0; m < a.Features() && part == rules.KeepIf; m++ {
		if a.IsFlat(r, m) != b.IsFlat(r, m) {
			return false
		}
	}
	return part == rules.KeepIf || slices.Equal(a.Consequents[r], b.Consequents[r])
}

// checkMonotone checks that directions name columns and targets of a schema.
func checkMonotone(r Recipe, s data.Schema) (found faults) {
	signs := r.Model.Monotone
	fail := func(format string, a ...any) {
		found.add(&Error{Key: "model.monotone", With: []string{"data.target", "data.categorical"}, Message: fmt.Sprintf(format, a...)})
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
			found = append(found, checkMonotoneTargets(column, signs[column], s)...)
		}
	}
	return found
}

// checkMonotoneTargets checks the targets of the directions of a column.
func checkMonotoneTargets(column string, signs map[string]Direction, s data.Schema) (found faults) {
	fail := func(format string, a ...any) {
		found.add(&Error{Key: "model.monotone", With: []string{"data.target"}, Message: fmt.Sprintf("column %s: ", escape.Quote(column)) +
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
				directions[signs[target]])
		case target != AllTargets && !slices.Contains(known, target):
			fail("no %s %s%s", kind, escape.Quote(target), meant(target, known))
		}
	}
	if s.Classes != nil && len(signs) > 1 && found == nil {
		fail("a direction for each of two classes: the other follows from the first, remove one")
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
