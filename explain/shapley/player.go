package shapley

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// player is a column on which the model depends.
type player struct {
	column       int // index into the columns of the schema
	first, width int // its features
}

// playersOf returns the columns on which a model depends.
func playersOf(m *model.Model) []player {
	var players []player
	first := 0
	for i, c := range m.Schema.Columns {
		p := player{i, first, c.Width()}
		if depends(m, p) {
			players = append(players, p)
		}
		first += p.width
	}
	return players
}

// depends reports whether the predictions of a model, or of any member, depend on a column:
// whether a rule mentions one of its features in the IF part or in the THEN part, or a curve does.
func depends(m *model.Model, p player) bool {
	for _, member := range m.Members {
		if depends(member, p) {
			return true
		}
	}
	if m.Committee() {
		return false
	}
	for _, input := range p.inputs(m) {
		if m.Components != nil || bends(m.RuleBase, input) {
			return true
		}
		for r := range m.RuleBase.Rules() {
			if !m.RuleBase.IsFlat(r, input) || m.RuleBase.Consequents[r][1+input] != 0 {
				return true
			}
		}
	}
	return false
}

// bends reports whether an input has a curve that is not zero.
func bends(rb *rules.RuleBase, input int) bool {
	if rb.Curves == nil {
		return false
	}
	first := 0
	for _, knots := range rb.Knots[:input] {
		first += len(knots)
	}
	for _, values := range rb.Curves {
		if slices.ContainsFunc(values[first:][:len(rb.Knots[input])], func(v float64) bool { return v != 0 }) {
			return true
		}
	}
	return false
}

// inputs returns the indices of the player's features among the used features of a model.
func (p player) inputs(m *model.Model) []int {
	var inputs []int
	used := 0
	for i, f := range m.Features {
		if f.Constant {
			continue
		}
		if i >= p.first && i < p.first+p.width {
			inputs = append(inputs, used)
		}
		used++
	}
	return inputs
}

// differs reports whether two rows differ in a feature of the player. Two missing values are
// equal.
func (p player) differs(x, b []float64) bool {
	for i := p.first; i < p.first+p.width; i++ {
		if x[i] != b[i] && !(math.IsNaN(x[i]) && math.IsNaN(b[i])) {
			return true
		}
	}
	return false
}

// copy copies the player's features.
func (p player) copy(to, from []float64) {
	copy(to[p.first:p.first+p.width], from[p.first:p.first+p.width])
}

// differing returns the players, by index, in which two rows differ. All others are dummies in
// the game of this pair of rows.
func differing(players []player, x, b []float64) []int {
	var differing []int
	for i, p := range players {
		if p.differs(x, b) {
			differing = append(differing, i)
		}
	}
	return differing
}
