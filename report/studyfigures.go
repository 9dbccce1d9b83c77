package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/study"
)

// studyFigure is a figure of small multiples: a panel per data set, a curve per
// algorithm over the iterations.
type studyFigure struct {
	name, caption string
	shape         string
	value         string // the unit of the curves: a column of the table, and the label
	label         string
	algorithms    []string // in the order of the strokes
	panels        []panel
	zero          bool // draw the line at zero
	log           bool // the values are on a logarithmic scale
}

// panel holds the curves of one data set; nil for an algorithm without one.
type panel struct {
	dataset, title string
	curves         [][]float64
}

// figures returns the paper's figures as far as their curves were measured.
func (s *Study) figures() []*studyFigure {
	mbgd := []string{study.MBGDRDA, study.VariantR0, study.VariantPruning, study.VariantR}
	var all []*studyFigure
	for _, shape := range s.results.Plan.Memberships {
		runs := over(s.results.Plan.Repeats)
		all = append(all,
			s.figure(&studyFigure{
				name: "rmse-curves-" + shape, shape: shape, value: "rmse", label: "test RMSE", algorithms: mbgd,
				caption: fmt.Sprintf("Average test RMSEs (over %s) of the four MBGD based algorithms on the %d datasets, when %s MFs were used.", runs, len(s.results.Plan.Sets), adjective(shape)),
			}),
			s.figure(&studyFigure{
				name: "improvements-" + shape, shape: shape, value: "percent", label: "improvement, %", algorithms: mbgd[2:], zero: true,
				caption: fmt.Sprintf("Percentage improvements of the average test RMSEs (over %s) of %s and %s over %s, when %s MFs were used.",
					runs, study.VariantPruning, study.VariantR, study.VariantR0, adjective(shape)),
			}),
			s.figure(&studyFigure{
				name: "anfis-curves", shape: shape, value: "rmse", label: "test RMSE", log: true, algorithms: []string{study.FullR, study.GDR, study.LSER},
				caption: fmt.Sprintf("Average test RMSEs (over %s) of %s (full batches), %s and %s, when %s MFs were used; logarithmic scale.",
					over(min(s.results.Plan.Repeats, study.ANFISRepeats)), study.VariantR, study.GDR, study.LSER, adjective(shape)),
			}),
		)
	}
	return slices.DeleteFunc(all, func(f *studyFigure) bool { return len(f.panels) == 0 })
}

// figure fills in the panels.
func (s *Study) figure(f *studyFigure) *studyFigure {
	for _, set := range s.results.Plan.Sets {
		p := panel{dataset: set.Name, title: set.Title}
		found := false
		for _, a := range f.algorithms {
			curve := s.results.AverageCurve(set.Name, f.shape, a)
			if f.value == "percent" {
				curve = study.Improvement(curve, s.results.AverageCurve(set.Name, f.shape, study.VariantR0))
			}
			p.curves = append(p.curves, curve)
			found = found || curve != nil
		}
		if found {
			f.panels = append(f.panels, p)
		}
	}
	return f
}

// table returns the curves as numbers.
func (f *studyFigure) table() *Table {
	t := &Table{Name: f.name, Caption: f.caption, Columns: []string{"dataset", "algorithm", "iteration", f.value}}
	for _, p := range f.panels {
		for i, curve := range p.curves {
			for k, v := range curve {
				t.Rows = append(t.Rows, []any{p.dataset, f.algorithms[i], k + 1, v})
			}
		}
	}
	return t
}

// extent returns the range of values to show, with a margin: all of the curves, but
// for the descent of the first tenth of the iterations.
func (p panel) extent(log bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, curve := range p.curves {
		for _, v := range curve[len(curve)/10:] {
			low, high = min(low, v), max(high, v)
		}
	}
	if log && low > 0 {
		margin := max(math.Pow(high/low, 0.05), 1.01)
		return low / margin, high * margin
	}
	margin := 0.05 * (high - low)
	if margin == 0 {
		margin = max(0.01*math.Abs(high), 1e-9)
	}
	return low - margin, high + margin
}

// studyStrokes are the lines of the algorithms, the same in every figure.
var studyStrokes = map[string]draw.LineStyle{
	study.MBGDRDA:        {Color: color.RGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xff}, Width: vg.Points(1.3), Dashes: []vg.Length{vg.Points(1.5), vg.Points(1.5)}},
	study.VariantR0:      strokes[0],
	study.VariantPruning: strokes[1],
	study.VariantR:       strokes[2],
	study.FullR:          strokes[2],
	study.GDR:            strokes[0],
	study.LSER:           strokes[1],
}
