package report

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/study"
)

// figure is a figure of small multiples over the iterations: a panel per data set, a curve
// per algorithm.
type figure struct {
	name, caption string
	shape         string
	value         string // column of the table with the values: rmse or percent
	label         string // of the y axis
	algorithms    []string
	panels        []panel
	zero          bool // draw the line at zero
	log           bool // the y axis is logarithmic
}

// panel has the curves of one data set; nil for an algorithm without a curve.
type panel struct {
	dataset, title string
	curves         [][]float64
}

// figures returns the paper's figures whose curves were measured.
func figures(r *Report) []*figure {
	mbgd := []string{study.MBGDRDA, study.VariantR0, study.VariantPruning, study.VariantR}
	var all []*figure
	for _, shape := range r.results.Plan.Memberships {
		runs := over(r.results.Plan.Repeats)
		all = append(all,
			fill(r, &figure{
				name: "rmse-curves-" + shape, shape: shape, value: "rmse", label: "test RMSE", algorithms: mbgd,
				caption: fmt.Sprintf("Average test RMSEs (over %s) of the four MBGD based algorithms on the %d datasets, when %s MFs were used.", runs, len(r.results.Plan.Sets), adjective(shape)),
			}),
			fill(r, &figure{
				name: "improvements-" + shape, shape: shape, value: "percent", label: "improvement, %", algorithms: mbgd[2:], zero: true,
				caption: fmt.Sprintf("Percentage improvements of the average test RMSEs (over %s) of %s and %s over %s, when %s MFs were used.",
					runs, study.VariantPruning, study.VariantR, study.VariantR0, adjective(shape)),
			}),
			fill(r, &figure{
				name: "anfis-curves", shape: shape, value: "rmse", label: "test RMSE", log: true, algorithms: []string{study.FullR, study.GDR, study.LSER},
				caption: fmt.Sprintf("Average test RMSEs (over %s) of %s (full batches), %s and %s, when %s MFs were used; logarithmic scale.",
					over(min(r.results.Plan.Repeats, study.ANFISRepeats)), study.VariantR, study.GDR, study.LSER, adjective(shape)),
			}),
		)
	}
	return slices.DeleteFunc(all, func(f *figure) bool { return len(f.panels) == 0 })
}

// fill adds the panels of the data sets that have a curve.
func fill(r *Report, f *figure) *figure {
	for _, set := range r.results.Plan.Sets {
		p := panel{dataset: set.Name, title: set.Title}
		found := false
		for _, a := range f.algorithms {
			curve := r.results.AverageCurve(set.Name, f.shape, a)
			if f.value == "percent" {
				curve = study.Improvement(curve, r.results.AverageCurve(set.Name, f.shape, study.VariantR0))
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

// table returns the curves as a table for programs.
func (f *figure) table() *Table {
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

// series are the strokes of the algorithms, the same in every figure.
var series = map[string]plot.Series{
	study.MBGDRDA:        {Reference: true},
	study.VariantR0:      {Stroke: 0},
	study.VariantPruning: {Stroke: 1},
	study.VariantR:       {Stroke: 2},
	study.FullR:          {Stroke: 2},
	study.GDR:            {Stroke: 0},
	study.LSER:           {Stroke: 1},
}

// draw returns the figure in one of [plot.Formats].
func (f *figure) draw(format string) ([]byte, error) {
	p := plot.Panels{Label: f.label, Zero: f.zero, Log: f.log}
	for _, name := range f.algorithms {
		s := series[name]
		s.Name = name
		p.Series = append(p.Series, s)
	}
	for _, of := range f.panels {
		p.Panels = append(p.Panels, plot.Panel{Title: of.title, Curves: of.curves})
	}
	drawn, err := plot.Multiples(p)
	if err != nil {
		return nil, fmt.Errorf("report: figure %s: %w", f.name, err)
	}
	var b bytes.Buffer
	err = drawn.Write(&b, format)
	return b.Bytes(), err
}
