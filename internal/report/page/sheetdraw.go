package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// drawing is a picture of the sheet.
type drawing struct {
	Title, Alt, Note string
	Picture          template.HTML // an SVG of which names are escaped
}

// The size of a drawing, and of the margins of its plot.
const (
	drawnWidth, drawnHeight = 240.0, 132.0
	drawnLeft, drawnBottom  = 38.0, 26.0
	drawnTop, drawnRight    = 6.0, 8.0

	drawnBars   = 6 // columns
	drawnClass  = 8
	drawnPoints = 300
	drawnCurves = 4
	nameHeight  = 9
)

// canvas draws an SVG, on axes if it has any.
type canvas struct {
	strings.Builder
	x, y [2]float64 // ends of the axes
}

func (c *canvas) at(x, y float64) (float64, float64) {
	share := func(v float64, of [2]float64) float64 { return (v - of[0]) / (of[1] - of[0]) }
	const width, height = drawnWidth - drawnLeft - drawnRight, drawnHeight - drawnBottom - drawnTop
	return drawnLeft + share(x, c.x)*width, drawnHeight - drawnBottom - share(y, c.y)*height
}

// text draws text that may be a name from the table.
func (c *canvas) text(x, y float64, anchor, text string) {
	fmt.Fprintf(c, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, template.HTMLEscapeString(text))
}

// axes draws round numbers along both axes, or places along the horizontal one, and its label.
func (c *canvas) axes(label string, places []string) {
	for _, v := range roundNumbers(c.y[0], c.y[1]) {
		_, y := c.at(c.x[0], v)
		fmt.Fprintf(c, `<path class="grid" d="M%.1f %.1fH%.1f"/>`, drawnLeft, y, drawnWidth-drawnRight)
		c.text(drawnLeft-4, y+3, "end", short(v))
	}
	base := drawnHeight - drawnBottom
	fmt.Fprintf(c, `<path class="base" d="M%.1f %.1fH%.1f"/>`, drawnLeft, base, drawnWidth-drawnRight)
	if places == nil {
		for _, v := range roundNumbers(c.x[0], c.x[1]) {
			x, _ := c.at(v, c.y[0])
			c.text(x, base+10, "middle", short(v))
		}
	}
	for k, name := range places {
		x, _ := c.at(float64(k), c.y[0])
		c.text(x, base+10, "middle", cutTo(name, int((drawnWidth-drawnLeft)/float64(len(places))/4.6)))
	}
	c.text(drawnWidth-drawnRight, drawnHeight-3, "end", cutTo(label, 42))
}

// picture returns the drawing.
func (c *canvas) picture(title, alt, note string) drawing {
	return drawing{title, alt, note, template.HTML(c.String())}
}

// roundNumbers returns two to six round numbers in a range.
func roundNumbers(from, to float64) (all []float64) {
	power := math.Pow(10, math.Floor(math.Log10((to-from)/4)))
	for _, k := range []float64{1, 2, 5, 10} {
		if step := k * power; (to-from)/step <= 5 {
			for i := math.Ceil(from/step - 1e-9); i*step <= to+step*1e-9; i++ {
				all = append(all, i*step)
			}
			return all
		}
	}
	return nil
}

// short formats a number of an axis.
func short(v float64) string {
	size := math.Abs(v)
	switch {
	case size == 0:
		return "0"
	case size >= 1e9:
		return minus(numeric.Show(v, 3))
	case size >= 1e6:
		return value(numeric.Round(v/1e6, 3)) + " M"
	case size >= 1e4:
		return value(numeric.Round(v/1e3, 3)) + " k"
	}
	return value(numeric.Round(v, 3))
}

// cutTo shortens a text to some letters.
func cutTo(text string, most int) string {
	if all := []rune(text); len(all) > most {
		return string(all[:max(1, most-1)]) + "…"
	}
	return text
}

// drawings returns what matters most, predictions against what was observed, and the effect of the column that matters most.
func (v *view) drawings() ([]drawing, error) {
	all := []drawing{v.drawImportance()}
	if v.Confusion != nil {
		all = append(all, v.drawConfusion())
	} else {
		all = append(all, v.drawPoints())
	}
	effect, err := v.drawEffect()
	return append(all, effect), err
}

// bar draws a bar with its name and its value, the i-th of n, as long as a share of the width.
func (c *canvas) bar(i, n int, share float64, name, text string) {
	const names, texts = 92.0, 40.0
	height := (drawnHeight - 8) / float64(n)
	y := 4 + float64(i)*height
	fmt.Fprintf(c, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, names, y+0.15*height,
		max(0.5, share*(drawnWidth-names-texts)), 0.7*min(height, 18))
	c.text(names-4, y+0.15*height+0.35*min(height, 18)+3, "end", cutTo(name, 16))
	c.text(names+4+max(0.5, share*(drawnWidth-names-texts)), y+0.15*height+0.35*min(height, 18)+3, "start", text)
}

func (v *view) drawImportance() drawing {
	c, shown := &canvas{}, v.acting()
	shown = shown[:min(drawnBars, len(shown))]
	for i, one := range shown {
		share := 0.0
		if shown[0].Mean > 0 {
			share = max(0, one.Mean/shown[0].Mean)
		}
		c.bar(i, len(shown), share, one.Name, short(one.Mean))
	}
	f := v.content.Figure
	return c.picture("What matters most", "Bars of the importance of the columns",
		fmt.Sprintf("How much the error (%s) rises if a column is shuffled.", label(f.Name, f.Unit)))
}

func (v *view) drawConfusion() drawing {
	c, rows := &canvas{}, v.Confusion.Rows[:min(drawnClass, len(v.Confusion.Rows))]
	for i, row := range rows {
		for _, cell := range row.Cells {
			if cell.Right {
				c.bar(i, len(rows), cell.Share, row.Name, percent(cell.Share))
			}
		}
	}
	return c.picture("How often it is right", "Bars of the share of each class that is predicted",
		fmt.Sprintf("Of each %s in %s, the share that gets its name.", brief(v.Target), partOf(v.Data)))
}

func (v *view) drawPoints() drawing {
	p, j := v.content.Points, v.Model.Words().Start
	observed, predicted := p.Observed[j], p.Predicted[j]
	low, high := p.Axes[j][0], p.Axes[j][1]
	c := &canvas{x: p.Axes[j], y: p.Axes[j]}
	c.axes("predicted "+label(v.Target, v.Unit), nil)
	beyond, path := 0, ""
	for _, i := range numeric.Some(len(observed), drawnPoints) {
		if min(observed[i], predicted[i]) < low || max(observed[i], predicted[i]) > high {
			beyond++
			continue
		}
		x, y := c.at(predicted[i], observed[i])
		path += fmt.Sprintf("M%.1f %.1fh0", x, y)
	}
	fmt.Fprintf(c, `<path class="dots" d="%s"/>`, path)
	x0, y0 := c.at(low, low)
	x1, y1 := c.at(high, high)
	fmt.Fprintf(c, `<path class="second dashed" d="M%.1f %.1fL%.1f %.1f"/>`, x0, y0, x1, y1)
	note := "Vertical: observed. On the line the prediction is true. " + rowsShown(min(len(observed), drawnPoints), p.Of, v.Data)
	if beyond > 0 {
		note += fmt.Sprintf(" Beyond the picture: %s.", numeric.Count(beyond))
	}
	return c.picture("Predicted and observed", "Observed over predicted values", note)
}

func rowsShown(n, of int, part string) string {
	if n == of {
		return fmt.Sprintf("All %s of %s.", numeric.Count(of), partOf(part))
	}
	return fmt.Sprintf("%s of the %s of %s.", numeric.Count(n), numeric.Count(of), partOf(part))
}

// drawEffect draws the mean prediction over the column that matters most, with all other columns as they are: of classes and quantiles a
// curve for each of the first.
func (v *view) drawEffect() (drawing, error) {
	acting := v.acting()
	if len(acting) == 0 {
		return (&canvas{}).picture("The main column", "Nothing is drawn", "No column matters."), nil
	}
	main := v.content.Columns[acting[0].Column]
	curves, xs, err := v.dependence(main)
	if err != nil {
		return drawing{}, err
	}
	outputs := v.content.Response.Outputs
	if len(outputs) == 2 && v.Confusion != nil {
		outputs, curves = outputs[1:], curves[1:] // the first class has the rest
	}
	outputs, curves = outputs[:min(drawnCurves, len(outputs))], curves[:min(drawnCurves, len(curves))]
	c := &canvas{x: [2]float64{xs[0], xs[len(xs)-1]}}
	if main.Levels != nil {
		c.x = [2]float64{xs[0] - 0.5, xs[len(xs)-1] + 0.5}
	}
	c.y = [2]float64{slices.Min(curves[0]), slices.Max(curves[0])}
	for _, ys := range curves {
		c.y = [2]float64{min(c.y[0], slices.Min(ys)), max(c.y[1], slices.Max(ys))}
	}
	if margin := 0.05 * (c.y[1] - c.y[0]); margin > 0 {
		if c.y[1] += margin; c.y[0] < 0 || c.y[0] > margin {
			c.y[0] -= margin
		}
	} else {
		c.y = [2]float64{c.y[0] - 1, c.y[1] + 1}
	}
	c.axes(label(main.Name, main.Unit), main.Levels)
	for k, ys := range curves {
		c.curve(xs, ys, k, main.Levels != nil)
	}
	if len(curves) > 1 {
		c.names(curves, outputs)
	}
	return c.picture("The effect of "+brief(main.Name), "Mean prediction over "+main.Name,
		fmt.Sprintf("Vertical: the mean prediction of %s, all other columns as they are.", v.predicts())), nil
}

// names draws the names of curves above their ends, apart from each other.
func (c *canvas) names(curves [][]float64, outputs []outputValue) {
	order := make([]int, len(curves))
	for k := range order {
		order[k] = k
	}
	end := func(k int) float64 { return curves[k][len(curves[k])-1] }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(end(a), end(b)) })
	above := math.Inf(1)
	for _, k := range order {
		x, y := c.at(c.x[1], end(k))
		above = min(above-nameHeight, y-3)
		fmt.Fprintf(c, `<g class="of-%d">`, k)
		c.text(x, above, "end", cutTo(outputs[k].Name, 20))
		c.WriteString("</g>")
	}
}

// predicts names what a curve shows.
func (v *view) predicts() string {
	if v.Confusion == nil {
		return label(v.Target, v.Unit)
	}
	if outputs := v.content.Response.Outputs; len(outputs) == 2 {
		return "the probability of " + outputs[1].Name
	}
	return "the probability of each class"
}

// curve draws a line, or a dot for each level.
func (c *canvas) curve(xs, ys []float64, k int, dots bool) {
	path, step := "", "M"
	for i := range xs {
		x, y := c.at(xs[i], ys[i])
		path += fmt.Sprintf("%s%.1f %.1f", step, x, y)
		if step = "L"; dots {
			path, step = path+"h0", "M"
		}
	}
	class := "curve"
	if dots {
		class = "places"
	}
	fmt.Fprintf(c, `<path class="%s of-%d" d="%s"/>`, class, k, path)
}

const (
	dependenceSteps = 30
	dependenceRows  = 100
)

// dependence returns the mean predictions [J][.] at levels of a column, or at numbers between its 1% and 99% quantiles.
func (v *view) dependence(c inputColumn) (means [][]float64, xs []float64, err error) {
	d := v.in.Data.Dataset
	if v.in.Train != nil {
		d = v.in.Train.Dataset
	}
	if c.Levels == nil {
		values := slices.Sorted(slices.Values(column(d.X, c.Feature)))
		low, high := values[len(values)/100], values[len(values)-1-len(values)/100]
		if xs = c.Values; xs == nil {
			for i := range dependenceSteps + 1 {
				xs = append(xs, low+(high-low)*float64(i)/dependenceSteps)
			}
		}
	}
	for k := range c.Levels {
		xs = append(xs, float64(k))
	}
	m := v.Model.WithoutNeighbours()
	means = make([][]float64, len(m.Values()))
	for _, at := range xs {
		var rows [][]float64
		for _, n := range numeric.Some(d.Len(), dependenceRows) {
			rows = append(rows, v.with(d.X[n], c, at))
		}
		p, err := m.Predict(rows)
		if err != nil {
			return nil, nil, err
		}
		for j, ys := range p.All() {
			sum := 0.0
			for _, y := range ys {
				sum += y / float64(len(ys))
			}
			means[j] = append(means[j], sum)
		}
	}
	return means, xs, nil
}
