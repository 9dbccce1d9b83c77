package model

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// NewCommittee combines models into one that predicts the mean of their predictions. It
// needs at least two members with the schema and missing-value policy of p, the
// preprocessing of the whole training part; none may be a committee, calibrated, or
// have neighbours.
func NewCommittee(p Preprocessing, members []*Model, t Training) (*Model, error) {
	m := &Model{Preprocessing: p, Members: members, Training: t}
	return m, checkMembers(m)
}

func checkMembers(m *Model) error {
	if len(m.Members) < 2 {
		return fmt.Errorf("members: %d: a committee needs at least two", len(m.Members))
	}
	for k, member := range m.Members {
		switch {
		case member == nil || member.RuleBase == nil && !member.Committee():
			return fmt.Errorf("members[%d]: has no rules", k)
		case member.Committee():
			return fmt.Errorf("members[%d]: is a committee itself", k)
		case member.Calibration != nil:
			return fmt.Errorf("members[%d]: is calibrated; only the committee can be", k)
		case member.Neighbours != nil:
			return fmt.Errorf("members[%d]: has neighbours; only the committee can have them", k)
		case member.ImputeMeans != m.ImputeMeans:
			return fmt.Errorf("members[%d].missing: %s; the committee has %s", k, missing(member.ImputeMeans), missing(m.ImputeMeans))
		case !member.Response.same(m.Response):
			return fmt.Errorf("members[%d].response: differs from the committee's", k)
		case !sameTable(member.Schema, m.Schema):
			return fmt.Errorf("members[%d].schema: differs from the committee's", k)
		}
	}
	return nil
}

// sameTable reports whether two schemas read a table in the same way. Members were
// trained on different samples: a column may be constant, and so unused, in those of one
// member only, and so may the weights.
func sameTable(a, b data.Schema) bool {
	used := func(s data.Schema) data.Schema {
		s.Weight = ""
		s.Columns = slices.Clone(s.Columns)
		for i := range s.Columns {
			s.Columns[i].Unused = false
		}
		return s
	}
	return reflect.DeepEqual(used(a), used(b))
}

// CountRules returns the number of rules of a model, of all members together.
func CountRules(m *Model) int {
	if !m.Committee() {
		return m.RuleBase.Rules()
	}
	rules := 0
	for _, member := range m.Members {
		rules += member.RuleBase.Rules()
	}
	return rules
}
