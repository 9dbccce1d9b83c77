package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

const (
	ownNeighbours = 5 // rows with a line of their own
	ownValues     = 5 // columns of such a row
)

// writeNeighbours writes the part of the neighbours in a prediction, with the nearest rows: their
// values in the columns with the largest contributions.
func writeNeighbours(b *strings.Builder, e *words.Explained) {
	n := e.Neighbours
	if n == nil {
		return
	}
	fmt.Fprintf(b, "  %12s  %s\n", e.Change(n.Contribution), similar(e))
	for i, row := range n.Rows {
		if i == ownNeighbours {
			fmt.Fprintf(b, "  %12s    %s\n", "", counted(len(n.Rows)-i, "other row"))
			break
		}
		fmt.Fprintf(b, "  %12s    row %d of the model file, share %.0f%%: %s, %s%s\n",
			"", row.Row, 100*row.Share, e.Amount(row.Target), highLow(e, row.Residual), valuesOf(e, row))
	}
}

// similar says how far the similar rows lay from the predictions of them.
func similar(e *words.Explained) string {
	n, who := e.Neighbours, "the rules say"
	if len(e.Members) > 0 {
		who = "the members say"
	}
	text := fmt.Sprintf("%s lay %s than %s of them", counted(len(n.Rows), "similar known row"), highLow(e, n.Contribution/n.Weight), who)
	if n.Weight < 1 {
		text += fmt.Sprintf(", times %.2g", n.Weight)
	}
	return text
}

// highLow describes a difference between a target and its prediction without neighbours.
func highLow(e *words.Explained, residual float64) string {
	by := e.Change(residual)
	if amount, lower := strings.CutPrefix(by, "-"); lower {
		return amount + " lower"
	}
	return strings.TrimPrefix(by, "+") + " higher"
}

// valuesOf lists the values of a row.
func valuesOf(e *words.Explained, row words.ExplainedNeighbour) string {
	var cells []string
	for _, c := range e.Columns[:min(ownValues, len(e.Columns))] {
		at := slices.IndexFunc(row.Values, func(cell words.Cell) bool { return cell.Column == c.Column })
		cells = append(cells, escape.Text(c.Column)+" "+row.Values[at].Precise())
	}
	return "; " + strings.Join(cells, ", ")
}
