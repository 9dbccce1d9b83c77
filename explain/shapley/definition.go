package shapley

import (
	"slices"

	"github.com/tskgraph/tskgraph/model"
)

// member evaluates a single model, or a member of a committee.
type member interface {
	// explaining returns the coalitions of a row x to explain.
	explaining(x []float64) (coalitions, error)

	// cost returns the number of rules of a prediction, see [Attributor.Cost].
	cost() int
}

// newMember returns the fastest way to evaluate a model.
func newMember(m *model.Model, players []player, background [][]float64) (member, error) {
	d := definition{model: m, players: players, background: background}
	if m.Components != nil || !factorises(m.RuleBase) { // each component depends on all players
		return d, nil
	}
	return newFactored(d)
}

// mixedRows is the number of rows that definition predicts at a time.
const mixedRows = 1024

// definition predicts each mixture of two rows, whatever the model.
type definition struct {
	model      *model.Model
	players    []player
	background [][]float64
	x          []float64
}

func (d definition) explaining(x []float64) (coalitions, error) {
	d.x = x
	return d, nil
}

func (d definition) cost() int { return mixedCost * d.model.RuleBase.Rules() }

func (d definition) subsets(v []float64, weight float64, b int, players []int) error {
	all := make([]int, len(v))
	for i := range all {
		all[i] = i
	}
	return d.some(v, weight, b, players, all)
}

// some is subsets for some of the subsets.
func (d definition) some(v []float64, weight float64, b int, players, subsets []int) error {
	for part := range slices.Chunk(subsets, mixedRows) {
		rows := make([][]float64, len(part))
		for i, subset := range part {
			rows[i] = slices.Clone(d.background[b])
			for k, p := range players {
				if subset&(1<<k) != 0 {
					d.players[p].copy(rows[i], d.x)
				}
			}
		}
		if err := d.add(v, weight, rows, part); err != nil {
			return err
		}
	}
	return nil
}

func (d definition) walk(v []float64, weight float64, b int, players []int) error {
	row := slices.Clone(d.background[b])
	rows, all := [][]float64{row}, []int{0}
	for t, p := range players {
		row = slices.Clone(row)
		d.players[p].copy(row, d.x)
		rows, all = append(rows, row), append(all, t+1)
	}
	return d.add(v, weight, rows, all)
}

// add adds weight times the predictions of rows to the elements of v at the given indices.
func (d definition) add(v []float64, weight float64, rows [][]float64, at []int) error {
	p, err := d.model.Predict(rows)
	if err != nil {
		return err
	}
	for i, value := range p.Values {
		v[at[i]] += float64(weight * value)
	}
	return nil
}
