package words

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/model"
)

// Neighbours describes the neighbours of a model, without the rows that they store, see [model.Neighbours].
type Neighbours struct {
	K           int     `json:"k"`
	Power       int     `json:"power"`
	Weight      float64 `json:"weight"`
	Rows        int     `json:"rows"` // stored
	LeaveOneOut float64 `json:"leave_one_out"`
	Without     float64 `json:"without"`
}

// neighboursOf describes the neighbours of a model; nil if it has none.
func neighboursOf(m *model.Model) *Neighbours {
	n := m.Neighbours
	if n == nil {
		return nil
	}
	return &Neighbours{K: n.K, Power: n.Power, Weight: n.Weight, Rows: len(n.Rows), LeaveOneOut: n.LeaveOneOut, Without: n.Without}
}

// String says what the neighbours add to a prediction.
func (n Neighbours) String() string {
	return fmt.Sprintf("Neighbours: every prediction adds %.2g times the mean error on the %d most similar of %d stored training rows, near\n"+
		"ones counting more. RMSE on these rows, each without itself: %s; without neighbours: %s. The rules do not show this part;\n"+
		"`tskgraph explain` shows it for a row. Whoever has the model file can read the rows.",
		n.Weight, n.K, n.Rows, digits.Show(n.LeaveOneOut, 4), digits.Show(n.Without, 4))
}

// ExplainedNeighbours is the part of the neighbours in a prediction.
type ExplainedNeighbours struct {
	model.Correction
	Rows []ExplainedNeighbour `json:"rows"` // those of the Correction
}

// ExplainedNeighbour is a stored row near a sample, with its values by column.
type ExplainedNeighbour struct {
	model.Neighbour
	Values []Cell `json:"values"`
}

// explainedNeighbours describes a correction; nil if there is none.
func explainedNeighbours(m *model.Model, c *model.Correction) *ExplainedNeighbours {
	if c == nil {
		return nil
	}
	e := &ExplainedNeighbours{Correction: *c, Rows: []ExplainedNeighbour{}}
	for _, row := range c.Rows {
		e.Rows = append(e.Rows, ExplainedNeighbour{row, valuesOf(m, row.X)})
	}
	return e
}
