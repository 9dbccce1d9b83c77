package plot

import (
	"errors"
	"fmt"
	"math"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/tskgraph/tskgraph"
)

// PruningRounds draws the numbers of rules that each round of pruning keeps, merges and
// removes.
func PruningRounds(rounds []tskgraph.PruneRound) (*Figure, error) {
	if len(rounds) == 0 {
		return nil, errors.New("plot: no rounds of pruning")
	}
	p := newPlot("round of pruning", "rules", 50*vg.Millimeter)
	kept, merged, removed := make(plotter.Values, len(rounds)), make(plotter.Values, len(rounds)), make(plotter.Values, len(rounds))
	names := make([]string, len(rounds))
	most := 0.0
	for i, r := range rounds {
		kept[i], merged[i], removed[i] = float64(r.After), float64(r.RemovedBySimilarity), float64(r.RemovedByFiring)
		names[i] = fmt.Sprint(i + 1)
		most = math.Max(most, float64(r.Before))
	}
	width := min(12*vg.Millimeter, 50*vg.Millimeter/vg.Length(len(rounds)))
	var l legend
	var below *plotter.BarChart
	for i, part := range []struct {
		name   string
		values plotter.Values
	}{{"kept", kept}, {"merged into a similar rule", merged}, {"removed: low firing level", removed}} {
		b, err := plotter.NewBarChart(part.values, width)
		if err != nil {
			return nil, err
		}
		b.Color, b.LineStyle.Width = strokes[i].Color, 0
		if below != nil {
			b.StackOn(below)
		}
		below = b
		p.Add(b)
		l = append(l, entry{part.name, b})
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.6, float64(len(rounds))-0.4
	p.Y.Min, p.Y.Max = 0, 1.05*most
	return multiples([]*gonum.Plot{p}, 1, 48*vg.Millimeter, l), nil
}
