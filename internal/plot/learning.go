package plot

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// smooth is the largest number of points of a smoothed curve.
const smooth = 80

// Learning draws the RMSE, or another metric of the loss, of the mini-batches, also smoothed (root mean square over the updates of each of
// at most 80 points, the named line), and of the validation part, over the updates. For a committee it draws the smoothed curves of all
// members, or the curves of one member, counted from 1; 0 is all. Dotted lines mark the numbers of updates after which rules were pruned.
func Learning(metrics []optim.Metrics, member int, pruned []int, target, unit string) (*Figure, error) {
	members := optim.ByMember(slices.DeleteFunc(slices.Clone(metrics),
		func(m optim.Metrics) bool { return member != 0 && m.Member != member }))
	if len(members) == 0 {
		return nil, errors.New("plot: no iterations to draw")
	}
	axis := "RMSE of " + label(target, unit)
	if metric := members[0][0].Metric; metric != "" {
		axis = metric
	}
	p := newPlot("update", axis, 50*vg.Millimeter)
	var l legend
	var named names
	longest := 0
	low, high := math.Inf(1), math.Inf(-1)
	for i, of := range members {
		c := newCurve(of)
		longest = max(longest, c.updates)
		if len(members) == 1 {
			p.line(c.batch, background)
		}
		if of := c.add(p, len(members) > 1); i == 0 {
			named = of
		}
		low, high = min(low, c.low), max(high, c.high)
	}
	if low > high {
		return nil, errors.New("plot: no error to draw: every sample was skipped")
	}
	for i, at := range pruned {
		x := float64(at) + 0.5
		mark := p.line(plotter.XYs{{X: x, Y: low / 10}, {X: x, Y: high * 10}},
			draw.LineStyle{Color: ink, Width: vg.Points(0.7), Dashes: strokes[2].Dashes})
		if i == 0 {
			l = append(l, entry{"rules pruned", mark})
		}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, float64(longest), ticks(5)
	room := math.Pow(high/low, 0.08)
	if p.Y.Min, p.Y.Max = low/room, high*room; high > 4*low {
		p.Y.Scale, p.Y.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(logTicks)
	} else if low == high {
		p.Y.Min, p.Y.Max = low/2, 2*low
	}
	p.Add(named)
	if len(members) > 1 {
		l = append(l, entry{text: fmt.Sprintf("a line for each of %d members", len(members))})
	}
	return multiples([]*axes{p}, 1, 52*vg.Millimeter, l)
}

// curve is the training of one model.
type curve struct {
	updates                     int
	batch, smoothed, validation plotter.XYs
	low, high                   float64 // range of the points
}

// newCurve returns the curves over the updates, counted from 1. Mini-batches whose samples were all skipped have no error and no point.
func newCurve(metrics []optim.Metrics) curve {
	c := curve{updates: len(metrics), low: math.Inf(1), high: math.Inf(-1)}
	add := func(points *plotter.XYs, i int, v float64) {
		if v > 0 {
			*points = append(*points, plotter.XY{X: float64(i + 1), Y: v})
			c.low, c.high = min(c.low, v), max(c.high, v)
		}
	}
	for i, m := range metrics {
		add(&c.batch, i, m.Batch)
		if m.Validation != nil {
			add(&c.validation, i, *m.Validation)
		}
	}
	n := min(len(c.batch), smooth)
	for i := range n {
		from, to := i*len(c.batch)/n, (i+1)*len(c.batch)/n
		norm, x := 0.0, 0.0
		for _, b := range c.batch[from:to] {
			norm = math.Hypot(norm, b.Y) // the sum of squares could overflow
			x += b.X / float64(to-from)
		}
		c.smoothed = append(c.smoothed, plotter.XY{X: x, Y: norm / math.Sqrt(float64(to-from))})
	}
	return c
}

// add draws the smoothed curves and returns their names.
func (c curve) add(p *axes, several bool) (all names) {
	for i, curve := range []struct {
		name   string
		points plotter.XYs
	}{{"mini-batch", c.smoothed}, {"validation", c.validation}} {
		if len(curve.points) == 0 {
			continue
		}
		style := strokes[i]
		if several {
			style.Width /= 2
		}
		p.line(curve.points, style)
		all.add(curve.name, curve.points, style.Color)
	}
	return all
}

// PruningRounds draws the numbers of rules that each round of pruning keeps, merges and removes.
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
	return multiples([]*axes{p}, 1, 48*vg.Millimeter, l)
}

// PruningPath draws the figure of the criterion on the validation part, with its standard error, and on the training part over the number
// of rules, and below it the fidelity of each step that has one, with a line at [model.MaxFidelity]. A dot marks the chosen number if a
// step has it. Target and unit are those of the figures, see [model.Measured].
func PruningPath(steps []tskgraph.PathStep, chosen int, target, unit string) (*Figure, error) {
	if len(steps) == 0 {
		return nil, errors.New("plot: a pruning path without steps")
	}
	p, l := errorPath(steps, chosen, steps[0].Metric+" of "+label(target, unit))
	panels := []*axes{p}
	if below := fidelityPath(steps, chosen); below != nil {
		panels, p.X.Label.Text = append(panels, below), ""
	}
	for _, panel := range panels {
		panel.X.Min, panel.X.Max, panel.X.Tick.Marker = 0, float64(steps[0].Rules+1), ticks(6)
	}
	return multiples(panels, 1, 52*vg.Millimeter, l)
}

// errorPath returns the panel of the errors, and the legend.
func errorPath(steps []tskgraph.PathStep, chosen int, y string) (*axes, legend) {
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
	var named names
	if len(validation) > 0 {
		p.errorBars(validation, spread, 0.5)
		p.line(validation, strokes[0])
		named.add("validation \u00b1 1 SE", validation[:1], blue) // the path begins at the right
	}
	p.line(train, strokes[1])
	named.add("training", train[:1], vermillion)
	p.Add(named)
	if len(dot) > 0 {
		l = append(l, entry{fmt.Sprintf("chosen: %d rules", chosen), p.dots(dot, green, 2.8)})
	}
	return p, l
}

// fidelityPath returns the panel of the fidelities; nil if no step has one.
func fidelityPath(steps []tskgraph.PathStep, chosen int) *axes {
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
		return nil
	}
	p := newPlot("rules", "fidelity (strongest rule alone)", 50*vg.Millimeter)
	limit := plotter.XYs{{X: 0, Y: model.MaxFidelity}, {X: float64(steps[0].Rules + 1), Y: model.MaxFidelity}}
	p.line(limit, draw.LineStyle{Color: color.Gray{Y: 0x77}, Width: vg.Points(0.5)})
	p.line(points, strokes[0])
	if len(dot) > 0 {
		p.dots(dot, green, 2.8)
	}
	return p
}
