package plot

import (
	"errors"
	"fmt"
	"math"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph"
)

// PruningPath draws the RMSE on the validation part, with its standard error, and on the
// training part over the number of rules. A dot marks the chosen number if a step has it.
func PruningPath(steps []tskgraph.PathStep, chosen int, target, unit string) (*Figure, error) {
	if len(steps) == 0 {
		return nil, errors.New("plot: a pruning path without steps")
	}
	var train, validation, dot plotter.XYs
	var spread plotter.YErrors
	for _, s := range steps {
		point := plotter.XY{X: float64(s.Rules), Y: s.RMSETrain}
		train = append(train, point)
		if s.RMSEValidation != nil && s.StandardError != nil {
			point.Y = *s.RMSEValidation
			validation = append(validation, point)
			spread = append(spread, struct{ Low, High float64 }{*s.StandardError, *s.StandardError})
		}
		if s.Rules == chosen {
			dot = append(dot, point)
		}
	}
	p := newPlot("rules", "RMSE of "+label(target, unit), 50*vg.Millimeter)
	var l legend
	if len(validation) > 0 {
		ends, err := plotter.NewYErrorBars(struct {
			plotter.XYer
			plotter.YErrorer
		}{validation, spread})
		if err != nil {
			return nil, err
		}
		ends.LineStyle, ends.CapWidth = draw.LineStyle{Color: blue, Width: vg.Points(0.5)}, vg.Points(3)
		line, err := plotter.NewLine(validation)
		if err != nil {
			return nil, err
		}
		line.LineStyle = strokes[0]
		p.Add(ends, line)
		l = append(l, entry{"validation, with standard error", line})
	}
	line, err := plotter.NewLine(train)
	if err != nil {
		return nil, err
	}
	line.LineStyle = strokes[1]
	p.Add(line)
	l = append(l, entry{"training", line})
	if len(dot) > 0 {
		mark, err := plotter.NewScatter(dot)
		if err != nil {
			return nil, err
		}
		mark.GlyphStyle = draw.GlyphStyle{Color: green, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
		p.Add(mark)
		l = append(l, entry{fmt.Sprintf("chosen: %d rules", chosen), mark})
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, float64(steps[0].Rules+1), ticks(6)
	return multiples([]*gonum.Plot{p}, 1, 52*vg.Millimeter, l), nil
}

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
