package model

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
)

// NewCommittee joins models into one that predicts the mean of their predictions.
// There must be at least two, of the schema and the handling of missing values
// that p has; none may be a committee itself or calibrated. p says what the whole
// training part looked like.
func NewCommittee(p Preprocessing, members []*Model, t Training) (*Model, error) {
	m := &Model{Preprocessing: p, Members: members, Training: t}
	return m, m.checkMembers()
}

// Committee reports whether the model is a committee: then it has Members and no
// rules of its own.
func (m *Model) Committee() bool { return len(m.Members) > 0 }

func (m *Model) checkMembers() error {
	if len(m.Members) < 2 {
		return fmt.Errorf("members: %d: a committee has at least two", len(m.Members))
	}
	for k, member := range m.Members {
		switch {
		case member == nil || member.RuleBase == nil && !member.Committee():
			return fmt.Errorf("members[%d]: has no rules", k)
		case member.Committee():
			return fmt.Errorf("members[%d]: is a committee itself", k)
		case member.Calibration != nil:
			return fmt.Errorf("members[%d]: is calibrated; only the committee can be", k)
		case member.ImputeMeans != m.ImputeMeans:
			return fmt.Errorf("members[%d].missing: %s; the committee has %s", k, missing(member.ImputeMeans), missing(m.ImputeMeans))
		case !sameTable(member.Schema, m.Schema):
			return fmt.Errorf("members[%d].schema: differs from the committee's", k)
		}
	}
	return nil
}

// sameTable reports whether two schemas read the same table alike. A column may be
// constant, and so unused, in what one member saw and not in what another did; weights
// may be equal there.
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

// predictBlock predicts samples that are numbered from first: values [N] in the
// target's unit, their spread [N] over the members (nil without members), and how
// each came about, with any member.
func (m *Model) predictBlock(x [][]float64, first int) (values, spread []float64, how []outcome, err error) {
	if !m.Committee() {
		values, how, err = m.predictRules(x, first)
		return values, nil, how, err
	}
	said := make([][]float64, len(m.Members)) // [K][N]
	how = make([]outcome, len(x))
	for k, member := range m.Members {
		var by []outcome
		if said[k], by, err = member.predictRules(x, first); err != nil {
			return nil, nil, nil, err
		}
		for i, o := range by {
			how[i].uncovered = how[i].uncovered || o.uncovered
			how[i].limited = how[i].limited || o.limited
		}
	}
	values, spread = make([]float64, len(x)), make([]float64, len(x))
	votes := make([]float64, len(m.Members))
	for i := range x {
		for k := range said {
			votes[k] = said[k][i]
		}
		values[i], spread[i], _, _ = moments(votes, nil)
		if !numeric.Finite(values[i], spread[i]) { // too far apart for 64-bit numbers
			values[i], spread[i], how[i].uncovered = m.Target.Mean, math.MaxFloat64, true
		}
	}
	return values, spread, how, nil
}
