package plot

import (
	"errors"
	"fmt"
	"image/color"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/model"
)

// PruningPath draws the figure of the criterion on the validation part, with its standard error, and on the
// training part over the number of rules, and below it the fidelity of each step that has
// one, with a line at [model.MaxFidelity]. A dot marks the chosen number if a step has it.
// Target and unit are those of the figures, see [model.Measured].
func PruningPath(steps []tskgraph.PathStep, chosen int, target, unit string) (*Figure, error) {
	if len(steps) == 0 {
		return nil, errors.New("plot: a pruning path without steps")
	}
	p, l, err := errorPath(steps, chosen, steps[0].Metric+" of "+label(target, unit))
	if err != nil {
		return nil, err
	}
	panels := []*gonum.Plot{p}
	below, err := fidelityPath(steps, chosen)
	if err != nil {
		return nil, err
	}
	if below != nil {
		panels, p.X.Label.Text = append(panels, below), ""
	}
	for _, panel := range panels {
		panel.X.Min, panel.X.Max, panel.X.Tick.Marker = 0, float64(steps[0].Rules+1), ticks(6)
	}
	return multiples(panels, 1, 52*vg.Millimeter, l), nil
}

// errorPath returns the panel of the errors, and the legend.
func errorPath(steps []tskgraph.PathStep, chosen int, y string) (*gonum.Plot, legend, error) {
	var train, validation, dot plotter.XYs
	var spread plotter.YErrors
	for _, s := range steps {
		point := plotter.XY{X: float64(s.Rules), Y: s.LossTrain}
		train = append(train, point)
		if s.LossValidation != nil && s.StandardError != nil {
			point.Y = *s.LossValidation
			validation = append(validation, point)
			spread = append(spread, struct{ Low, High float64 }{*s.StandardError, *s.StandardError})
		}
		if s.Rules == chosen {
			dot = append(dot, point)
		}
	}
	p := newPlot("rules", y, 50*vg.Millimeter)
	var l legend
	if len(validation) > 0 {
		ends, err := plotter.NewYErrorBars(struct {
			plotter.XYer
			plotter.YErrorer
		}{validation, spread})
		if err != nil {
			return nil, nil, err
		}
		ends.LineStyle, ends.CapWidth = draw.LineStyle{Color: blue, Width: vg.Points(0.5)}, vg.Points(3)
		line, err := plotter.NewLine(validation)
		if err != nil {
			return nil, nil, err
		}
		line.LineStyle = strokes[0]
		p.Add(ends, line)
		l = append(l, entry{"validation, with standard error", line})
	}
	line, err := plotter.NewLine(train)
	if err != nil {
		return nil, nil, err
	}
	line.LineStyle = strokes[1]
	p.Add(line)
	l = append(l, entry{"training", line})
	if len(dot) > 0 {
		mark, err := addDot(p, dot)
		if err != nil {
			return nil, nil, err
		}
		l = append(l, entry{fmt.Sprintf("chosen: %d rules", chosen), mark})
	}
	return p, l, nil
}

// addDot adds the dot of the chosen step.
func addDot(p *gonum.Plot, at plotter.XYs) (*plotter.Scatter, error) {
	mark, err := plotter.NewScatter(at)
	if err != nil {
		return nil, err
	}
	mark.GlyphStyle = draw.GlyphStyle{Color: green, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
	p.Add(mark)
	return mark, nil
}

// fidelityPath returns the panel of the fidelities; nil if no step has one.
func fidelityPath(steps []tskgraph.PathStep, chosen int) (*gonum.Plot, error) {
	var points, dot plotter.XYs
	for _, s := range steps {
		if s.Fidelity == nil {
			continue
		}
		point := plotter.XY{X: float64(s.Rules), Y: *s.Fidelity}
		points = append(points, point)
		if s.Rules == chosen {
			dot = append(dot, point)
		}
	}
	if len(points) == 0 {
		return nil, nil
	}
	p := newPlot("rules", "fidelity (strongest rule alone)", 50*vg.Millimeter)
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	line.LineStyle = strokes[0]
	limit, err := plotter.NewLine(plotter.XYs{{X: 0, Y: model.MaxFidelity}, {X: float64(steps[0].Rules + 1), Y: model.MaxFidelity}})
	if err != nil {
		return nil, err
	}
	limit.LineStyle = draw.LineStyle{Color: color.Gray{Y: 0x77}, Width: vg.Points(0.5)}
	p.Add(limit, line)
	if len(dot) > 0 {
		_, err = addDot(p, dot)
	}
	return p, err
}
