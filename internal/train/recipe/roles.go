package recipe

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Role is the set of parts of rules that may mention a column: those of [rules.Keep].
type Role rules.Keep

// Roles are the roles of columns by name; a column without one may occur in both parts.
type Roles map[string]Role

// Interactions are groups of columns. The columns of one rule, IF and THEN together, lie in one group, or are a single column; so do
// those that a table of factors meets. Nil: any columns meet.
type Interactions [][]string

// NoPart is the role of a column that the model does not use, as one of data.ignore.
const NoPart Role = 0

var roleNames = []string{"none", "if", "then", "both"}

// MarshalText writes if, then, both or none.
func (r Role) MarshalText() ([]byte, error) {
	if r < 0 || int(r) >= len(roleNames) {
		return nil, fmt.Errorf("role %d: must lie between 0 and %d", int(r), len(roleNames)-1)
	}
	return []byte(roleNames[r]), nil
}

// UnmarshalText reads what MarshalText writes.
func (r *Role) UnmarshalText(text []byte) error {
	i := slices.Index(roleNames, string(text))
	if i < 0 {
		return fmt.Errorf("%q: want if (the column occurs in conditions only), then (in formulas only), both or none", text)
	}
	*r = Role(i)
	return nil
}

// Ignored returns the columns of the role none, sorted.
func (r Roles) Ignored() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if r[name] == NoPart {
			names = append(names, name)
		}
	}
	return names
}

// Lacks returns the parts of rules that must not mention a column.
func (r Roles) Lacks(column string) rules.Keep {
	if role, ok := r[column]; ok {
		return rules.KeepAll &^ rules.Keep(role)
	}
	return 0
}

// Lacks returns the parts of rules that must not mention a column: by its role and, of a monotone column, the IF part, where it would move
// weight between rules.
func (m Model) Lacks(column string) rules.Keep {
	parts := m.Roles.Lacks(column)
	if m.Monotone[column] != nil {
		parts |= rules.KeepIf
	}
	return parts
}

// Meet reports whether columns may occur in one rule.
func (i Interactions) Meet(columns ...string) bool {
	if i == nil || !slices.ContainsFunc(columns, func(c string) bool { return c != columns[0] }) {
		return true
	}
	return slices.ContainsFunc(i, func(group []string) bool {
		return !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(group, c) })
	})
}

// Around returns the columns that may occur in a rule with the given ones, which meet: those of the first group that has all of these, or
// the single column. Nil: any.
func (i Interactions) Around(columns ...string) []string {
	if i == nil {
		return nil
	}
	for _, group := range i {
		if !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(group, c) }) {
			return group
		}
	}
	return columns
}

// Units returns the sets of columns that a rule may have: the groups with one of the given columns, and each other one of these alone. Nil:
// any columns meet.
func (i Interactions) Units(columns []string) (all [][]string) {
	for _, group := range i {
		if slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(group, c) }) {
			all = append(all, group)
		}
	}
	for _, c := range columns {
		if i == nil {
			return nil
		}
		if !slices.ContainsFunc(i, func(group []string) bool { return slices.Contains(group, c) }) {
			all = append(all, []string{c})
		}
	}
	return all
}

// ColumnsOf returns the column of the schema that each input of rules is of.
func ColumnsOf(p model.Preprocessing) (names []string) {
	of := map[string]string{}
	at := 0
	features := p.Schema.Features()
	for _, c := range p.Schema.Columns {
		for range c.Width() {
			of[features[at]] = c.Name
			at++
		}
	}
	for _, f := range p.Inputs() {
		names = append(names, of[f.Name])
	}
	return names
}

// Beside returns which inputs of rules say that a number is missing, see [data.Column].
func Beside(p model.Preprocessing) (all []bool) {
	parts := map[string]bool{}
	for _, c := range p.Schema.Parts() {
		parts[c.Features()[0]] = c.Beside()
	}
	for _, f := range p.Inputs() {
		all = append(all, parts[f.Name])
	}
	return all
}

// without returns what each rule must not mention, see [rules.RuleBase], by roles, directions and interactions; nil if there are none. The
// group of a rule is that of the columns that it mentions; an *[Error] names those that may not meet.
func (m Model) without(rb *rules.RuleBase, p model.Preprocessing) ([][]rules.Keep, error) {
	if len(m.Roles) == 0 && m.Interactions == nil && len(m.Monotone) == 0 {
		return nil, nil
	}
	columns, M := ColumnsOf(p), rb.Features()
	all := make([][]rules.Keep, rb.Rules())
	for r := range all {
		all[r] = make([]rules.Keep, M)
		var mentioned []string
		for k, name := range columns {
			if all[r][k] = m.Lacks(name); rb.Without != nil {
				all[r][k] |= rb.Without[r][k]
			}
			then := false
			for c := range rb.OutputCount() {
				then = then || rb.Consequents[r][c*(M+1)+1+k] != 0
			}
			inIf, inThen := all[r][k]&rules.KeepIf == 0 && !rb.IsFlat(r, k), all[r][k]&rules.KeepThen == 0 && then
			if (inIf || inThen) && !slices.Contains(mentioned, name) {
				mentioned = append(mentioned, name)
			}
		}
		if !m.Interactions.Meet(mentioned...) {
			return nil, &Error{Key: "model.interactions", With: []string{"model.init"}, Message: fmt.Sprintf(
				"rule %d of model.init mentions %s, which no group has together: change the rule, or list them in one group", r+1,
				escape.List(mentioned))}
		}
		around := m.Interactions.Around(mentioned...)
		if units := m.Interactions.Units(slices.Compact(slices.Clone(columns))); mentioned == nil && units != nil {
			around = units[r%len(units)]
		}
		if around != nil {
			for k, name := range columns {
				if !slices.Contains(around, name) {
					all[r][k] = rules.KeepAll
				}
			}
		}
	}
	return all, nil
}

// checkRoles checks that roles and interactions name columns of a schema, and agree with one another and with directions.
func checkRoles(r Recipe, s data.Schema) (found faults) {
	var names []string
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	m := r.Model
	known := func(key, column string) {
		switch {
		case slices.Contains(names, column):
		case slices.Contains(s.Features(), column):
			found.add(&Error{Key: key, Message: fmt.Sprintf("%s is a level of a column: name the column", escape.Quote(column))})
		default:
			found.add(&Error{Key: key, Message: fmt.Sprintf("no column %s among the features%s", escape.Quote(column), meant(column, names))})
		}
	}
	for _, column := range slices.Sorted(maps.Keys(m.Roles)) {
		if m.Roles[column] != NoPart { // the data may be without it already
			known("model.roles", column)
		}
	}
	for _, group := range m.Interactions {
		for _, column := range group {
			if role, ok := m.Roles[column]; !ok || role != NoPart {
				known("model.interactions", column)
			}
		}
	}
	part := func(of rules.Keep) bool {
		return slices.ContainsFunc(names, func(c string) bool { return m.Lacks(c)&of == 0 })
	}
	if len(m.Roles) > 0 && !part(rules.KeepIf) && !part(rules.KeepThen) {
		found.add(&Error{Key: "model.roles", Message: "no column may occur in a rule: give one the role if, then or both"})
	}
	return found
}

// rolesClash returns the contradictions between roles, interactions and directions that no data are needed to see.
func rolesClash(r *Recipe) (found faults) {
	m := r.Model
	for i, group := range m.Interactions {
		if len(group) == 0 {
			found.add(&Error{Key: "model.interactions",
				Message: fmt.Sprintf("group %d has no column: list those that may meet, or remove it", i+1)})
		}
		for _, column := range group {
			if role, ok := m.Roles[column]; ok && role == NoPart {
				found.add(&Error{Key: "model.interactions", With: []string{"model.roles"}, Message: fmt.Sprintf(
					"group %d has %s, whose role is none (model.roles): remove it from the group, or give it another role", i+1,
					escape.Quote(column))})
			}
		}
	}
	for _, column := range slices.Sorted(maps.Keys(m.Monotone)) {
		switch role, ok := m.Roles[column]; {
		case ok && role == NoPart:
			found.add(&Error{Key: "model.monotone", With: []string{"model.roles"}, Message: fmt.Sprintf(
				"%s: the model does not use it (role none of model.roles): remove it here, or give it the role then", escape.Quote(column))})
		case ok && role == Role(rules.KeepIf):
			found.add(&Error{Key: "model.monotone", With: []string{"model.roles"}, Message: fmt.Sprintf(
				"%s: its role is if (model.roles), but a monotone column occurs in formulas only: give it the role then, or remove it here",
				escape.Quote(column))})
		}
	}
	return found
}

// structureClashes returns the combinations with directions, roles and interactions.
func structureClashes(r *Recipe) []clash {
	if len(r.Model.Roles) == 0 && r.Model.Interactions == nil && !withMonotone(r) {
		return nil
	}
	m := r.Model
	key := "model.monotone"
	if !withMonotone(r) {
		key = "model.roles"
		if !withRoles(r) {
			key = "model.interactions"
		}
	}
	return []clash{
		{m.PCA > 0, key, "data.pca", "rules over principal components (data.pca) have no columns: remove the key, or set data.pca to 0"},
		{!rules.CanBeFlat(m.Membership), key, "model.membership", m.Membership.Name() +
			" (model.membership) cannot be flat, so that rules mention every column: choose gaussian"},
		{m.Init == Grid, key, "model.init", "a grid (model.init) has a rule for each combination of all columns: choose kmeans"},
		{withInteractions(r) && m.Init == "genfis", "model.interactions", "model.init",
			"init genfis (model.init) gives every rule the slopes of all columns: choose kmeans"},
		{withMonotone(r) && m.Order == 0, "model.monotone", "model.order",
			"constant THEN parts (model.order 0) have no slopes: set it to 1, or remove the key"},
		{withMonotone(r) && r.Train.BatchNorm, "model.monotone", "train.batch_norm",
			"batch normalisation (train.batch_norm) changes the slopes after training: set it to false"},
		{withMonotone(r) && withNeighbours(r), "model.monotone", "model.neighbours",
			"corrections by neighbours (model.neighbours) have no direction: set it to none"},
		{withInteractions(r) && withNeighbours(r), "model.interactions", "model.neighbours",
			"neighbours (model.neighbours) compare all columns: set it to none"},
		{withInteractions(r) && m.Curves == OwnCurves, "model.interactions", "model.curves",
			"own curves (model.curves) are of all columns in each rule: set it to shared, whose curves are of one column each, or to none"},
	}
}
