package plot

import (
	"errors"
	"math"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/optim"
)

// smooth is the largest number of points of a smoothed curve.
const smooth = 80

// Learning draws the RMSE, or another metric of the loss, of the mini-batches, also smoothed (root mean square over the
// updates of each of at most 80 points), and of the validation part, over the updates. For a
// committee it draws the smoothed curves of all members, or the curves of one member, counted
// from 1; 0 is all. Dotted lines mark the numbers of updates after which rules were pruned.
func Learning(metrics []optim.Metrics, member int, pruned []int, target, unit string) (*Figure, error) {
	members := optim.ByMember(slices.DeleteFunc(slices.Clone(metrics), func(m optim.Metrics) bool { return member != 0 && m.Member != member }))
	if len(members) == 0 {
		return nil, errors.New("plot: no iterations to draw")
	}
	axis := "RMSE of " + label(target, unit)
	if metric := members[0][0].Metric; metric != "" {
		axis = metric
	}
	p := newPlot("update", axis, 50*vg.Millimeter)
	var l legend
	longest := 0
	low, high := math.Inf(1), math.Inf(-1)
	for i, of := range members {
		c := newCurve(of)
		longest = max(longest, c.updates)
		if len(members) == 1 {
			each, err := plotter.NewLine(c.batch)
			if err != nil {
				return nil, err
			}
			each.LineStyle = background
			p.Add(each)
			l = append(l, entry{"mini-batch", each})
		}
		l2, err := c.add(p, i == 0, len(members) > 1)
		if err != nil {
			return nil, err
		}
		l = append(l, l2...)
		low, high = min(low, c.low), max(high, c.high)
	}
	if low > high {
		return nil, errors.New("plot: no error to draw: every sample was skipped")
	}
	for i, at := range pruned {
		x := float64(at) + 0.5
		mark, err := plotter.NewLine(plotter.XYs{{X: x, Y: low / 10}, {X: x, Y: high * 10}})
		if err != nil {
			return nil, err
		}
		mark.LineStyle = draw.LineStyle{Color: ink, Width: vg.Points(0.7), Dashes: strokes[2].Dashes}
		p.Add(mark)
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
	return multiples([]*gonum.Plot{p}, 1, 52*vg.Millimeter, l), nil
}

// curve is the training of one model.
type curve struct {
	updates                     int
	batch, smoothed, validation plotter.XYs
	low, high                   float64 // range of the points
}

// newCurve returns the curves over the updates, counted from 1. Mini-batches whose samples
// were all skipped have no error and no point.
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

// add draws the smoothed curves, and returns legend entries for those of the first model.
func (c curve) add(p *gonum.Plot, first, several bool) (legend, error) {
	var l legend
	for i, curve := range []struct {
		name   string
		points plotter.XYs
	}{{"mini-batch, smoothed", c.smoothed}, {"validation", c.validation}} {
		if len(curve.points) == 0 {
			continue
		}
		line, err := plotter.NewLine(curve.points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = strokes[i]
		if several {
			line.Width /= 2
			curve.name += ", of each member"
		}
		p.Add(line)
		if first {
			l = append(l, entry{curve.name, line})
		}
	}
	return l, nil
}
