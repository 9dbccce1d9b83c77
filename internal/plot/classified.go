package plot

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Classified are predicted class probabilities of a data set, with the true classes.
type Classified struct {
	Target  string      // name
	Names   []string    // [K] of the classes
	P       [][]float64 // [K][N] probabilities
	Y       []float64   // [N] indices of the true classes
	Weights []float64   // [N]; nil: all one
}

// measure returns the measures of the probabilities; without samples, or fewer than two classes, there are none.
func (c Classified) measure() (metric.Classes, error) {
	if len(c.Y) == 0 || len(c.P) < 2 {
		return metric.Classes{}, errors.New("plot: no classes to draw")
	}
	return metric.MeasureClasses(c.P, c.Y, c.Weights), nil
}

// names returns the names of some classes, escaped for people.
func (c Classified) names(of []int) []string {
	names := make([]string, len(of))
	for i, k := range of {
		names[i] = escape.Text(c.Names[k])
	}
	return names
}

// samplesText is the number of samples in a legend.
func samplesText(c metric.Classes) string {
	return fmt.Sprintf("%s %s", numeric.Count(c.Samples), numeric.SamplesWord(c.Weighted))
}

// TaskError reports that a figure is of what another response predicts than that of the model.
type TaskError struct{ Message string }

func (e *TaskError) Error() string { return "plot: " + e.Message }

// Classify returns the class probabilities that a model predicts for a data set. A target of numbers is a *TaskError.
func Classify(m *model.Model, d *data.Dataset) (Classified, error) {
	if m.Schema.Classes == nil {
		return Classified{}, &TaskError{fmt.Sprintf("the target %s is of numbers, not of classes: draw residuals, its errors",
			escape.Quote(m.Schema.Target))}
	}
	if !slices.Equal(d.Schema.Classes, m.Schema.Classes) {
		return Classified{}, &data.Error{Message: "the data have other classes than the model"}
	}
	predicted, d, err := predict(m, d)
	return Classified{m.Schema.Target, m.Schema.Classes, predicted.Outputs, d.Y, d.Weights}, err
}

// Quantify returns the quantiles that a model predicts for a data set. A model that does not predict several is a *TaskError.
func Quantify(m *model.Model, d *data.Dataset) (Quantiled, error) {
	if len(m.Response.Quantiles) < 2 {
		return Quantiled{}, &TaskError{"the model does not predict several quantiles: train with train.loss quantile and two levels or more " +
			"in train.quantiles"}
	}
	predicted, d, err := predict(m, d)
	return Quantiled{m.Schema.Target, m.Schema.TargetUnit, m.Response.Quantiles, predicted.Outputs, d.Y, d.Weights}, err
}

// predict predicts the weighed samples of a data set, which it returns.
func predict(m *model.Model, d *data.Dataset) (model.Predictions, *data.Dataset, error) {
	if err := m.CheckFeatures(d); err != nil {
		return model.Predictions{}, d, err
	}
	weighed, err := d.Weighed()
	if err != nil {
		return model.Predictions{}, d, err
	}
	p, err := m.Predict(m.Fill(weighed).X)
	return p, weighed, err
}

// Calibration draws how often what is predicted with a probability is true: the second class if there are two, else the most
// probable class. Bars are one standard error to either side; at the bottom is a histogram of the probabilities.
func Calibration(c Classified) (*Figure, error) {
	measures, err := c.measure()
	if err != nil {
		return nil, err
	}
	of := "the most probable class"
	if len(c.P) == 2 {
		of = escape.Text(c.Names[1])
	}
	p := newPlot("predicted probability of "+of, "observed share", 66*vg.Millimeter)
	for k, share := range shares(numeric.Histogram(metric.Chance(c.P), 0, 1, chances)) {
		addBar(p, float64(k)/chances, float64(k+1)/chances, 0, 0.2*share)
	}
	addDiagonal(p)
	var points plotter.XYs
	var errs plotter.YErrors // within the unit interval
	for _, bin := range measures.Calibration {
		points = append(points, plotter.XY{X: bin.Predicted, Y: bin.Observed})
		errs = append(errs, struct{ Low, High float64 }{min(bin.SE, bin.Observed), min(bin.SE, 1-bin.Observed)})
	}
	p.errorBars(points, errs, 0.7)
	line := p.line(points, strokes[0])
	p.dots(points, blue, 1.8)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.01, 1.01, -0.01, 1.01
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(6)
	l := legend{
		{text: fmt.Sprintf("%s: calibration error %.3g", samplesText(measures), measures.CalibrationError)},
		{"\u00b1 1 standard error", line}, {"probabilities", swatch{bars}},
	}
	return multiples([]*axes{p}, 1, 66*vg.Millimeter, l)
}

// chances is the number of bins of probabilities.
const chances = 25

// swatch is the thumbnail of an area.
type swatch struct{ fill color.Color }

func (s swatch) Thumbnail(c *draw.Canvas) {
	c.SetColor(s.fill)
	c.Fill(c.Rectangle.Path())
}

const (
	mostCurves = 10   // of a figure of receiver operating characteristics
	mostSteps  = 1000 // of a curve
)

// ROC draws the receiver operating characteristic of each class against all others, of the second class if there are two,
// with the areas under the curves. It draws at most ten curves, those with the least areas.
func ROC(c Classified) (*Figure, error) {
	measures, err := c.measure()
	if err != nil {
		return nil, err
	}
	type curve struct {
		class int
		metric.Curve
	}
	var curves []curve
	for k := range c.P {
		if len(c.P) == 2 && k == 0 {
			continue
		}
		if of, ok := metric.ROC(c.P[k], c.Y, k, c.Weights); ok {
			curves = append(curves, curve{k, of})
		}
	}
	if len(curves) == 0 {
		return nil, errors.New("plot: all samples have the same class: no receiver operating characteristic")
	}
	says := samplesText(measures)
	if len(c.P) > 2 {
		says += fmt.Sprintf(": mean AUC %.4g", *measures.AUC)
	}
	if all := len(curves); all > mostCurves {
		slices.SortStableFunc(curves, func(a, b curve) int { return cmp.Compare(a.AUC, b.AUC) })
		curves = curves[:mostCurves]
		says += fmt.Sprintf(", the %d lowest of %d curves", mostCurves, all)
	}
	if measures.Absent > 0 {
		says += fmt.Sprintf("; %d classes without a sample", measures.Absent)
	}
	p := newPlot("false positive rate", "true positive rate", 60*vg.Millimeter)
	addDiagonal(p)
	l := legend{{text: says}}
	classes := make([]int, len(curves))
	for i, of := range curves {
		classes[i] = of.class
	}
	width := 45 * vg.Millimeter
	if len(curves) <= mostNames {
		width = 15 * vg.Millimeter // beside the plot
	}
	texts := fit(c.names(classes), style(tickSize), width)
	var named names
	for i, of := range curves {
		short, text := of.Corners(mostSteps), fmt.Sprintf("%s: AUC %.4g", texts[i], of.AUC)
		points := xys(short.FPR, short.TPR)
		if line := p.line(points, stroke(i)); len(curves) > mostNames {
			l = append(l, entry{text, line})
		} else {
			named.add(text, points, stroke(i).Color)
		}
	}
	p.Add(named)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.01, 1.01, -0.01, 1.01
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(6)
	return multiples([]*axes{p}, 1, 68*vg.Millimeter, l)
}

// stroke returns the line style of curve i of ten: each has its own pair of colour and dashes.
func stroke(i int) draw.LineStyle {
	s := strokes[i%len(strokes)]
	if n := i / len(strokes); n > 0 {
		s.Dashes = strokes[(i+n)%len(strokes)].Dashes
		s.Width = vg.Points(0.8)
	}
	return s
}

// addDiagonal draws the diagonal of the unit square.
func addDiagonal(p *axes) {
	p.line(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, draw.LineStyle{Color: faint, Width: vg.Points(0.7), Dashes: strokes[2].Dashes})
}
