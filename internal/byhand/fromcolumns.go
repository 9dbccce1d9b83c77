package byhand

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// preprocessing returns what the columns and targets of a rulebook state. The values of a column of
// numbers are taken to be uniform over its range, the levels of a column equally frequent, and so are
// classes.
func preprocessing(b *Rulebook) (model.Preprocessing, error) {
	var p model.Preprocessing
	if len(b.Columns) == 0 {
		return p, Errorf(b.File, 0, 0, "the columns are not known: state them, such as columns: {outside: {range: [-10, 30]}}, or use those of a model")
	}
	if len(b.Targets) == 0 {
		return p, Errorf(b.File, 0, 0, "the target is not known: state its name, such as target: heating, or use that of a model")
	}
	for _, c := range b.Columns {
		features, err := featuresOf(b, c)
		if err != nil {
			return p, err
		}
		column := data.Column{Name: c.Name, Unit: c.Unit, Encoding: data.Numeric, Levels: c.Levels}
		switch {
		case c.Levels != nil && c.Ordered:
			column.Encoding = data.Ordinal
		case c.Levels != nil:
			column.Encoding = data.OneHot
		}
		p.Schema.Columns = append(p.Schema.Columns, column)
		p.Features = append(p.Features, features...)
	}
	respond(b, &p)
	for i, name := range p.Schema.Features() {
		if i < len(p.Features) {
			p.Features[i].Name = name
		}
	}
	if err := model.CheckPreprocessing(p); err != nil {
		return p, Errorf(b.File, 0, 0, "%s", escape.Text(err.Error()))
	}
	return p, nil
}

// featuresOf returns the features of a column.
func featuresOf(b *Rulebook, c Column) ([]model.Feature, error) {
	K := float64(len(c.Levels))
	switch {
	case len(c.Levels) == 1:
		return nil, Errorf(b.File, c.Line, 0, "%s: a column of one level says nothing: leave it out", escape.Text(c.Name))
	case c.Levels != nil && c.Ordered:
		f := model.Feature{Mean: (K + 1) / 2, SD: math.Sqrt((float64(K*K) - 1) / 12), Min: 1, Max: K}
		f.Quantiles = quantiles(func(share float64) float64 { return 1 + math.Floor(min(share*K, K-1)) })
		return []model.Feature{f}, nil
	case c.Levels != nil:
		f := model.Feature{Mean: 1 / K, SD: math.Sqrt((1 - 1/K) / K), Max: 1}
		f.Quantiles = quantiles(func(share float64) float64 {
			if share > 1-1/K {
				return 1
			}
			return 0
		})
		all := make([]model.Feature, len(c.Levels))
		for k := range all {
			all[k] = f
		}
		return all, nil
	case c.Range == nil:
		return nil, Errorf(b.File, c.Line, 0, "%s: state its range, such as range: [0, 10], or its levels", escape.Text(c.Name))
	}
	low, high := c.Range[0], c.Range[1]
	f := model.Feature{Mean: float64(low/2) + float64(high/2), SD: (high - low) / math.Sqrt(12), Min: low, Max: high}
	if c.SD > 0 {
		f.Mean, f.SD, f.Power = c.Mean, c.SD, c.Power
	}
	f.Quantiles = quantiles(func(share float64) float64 {
		if share == 1 {
			return high // not rounded
		}
		if share > 0 {
			share += unevenness // whole numbers would be values of a column of few
		}
		return low + float64(share*(high-low))
	})
	return []model.Feature{f}, nil
}

// unevenness is an offset of quantiles.
const unevenness = 0.00123

func quantiles(at func(share float64) float64) []float64 {
	var all []float64
	for i := range model.QuantileSteps + 1 {
		all = append(all, at(float64(i)/model.QuantileSteps))
	}
	return all
}

// respond sets what the targets state.
func respond(b *Rulebook, p *model.Preprocessing) {
	first := b.Targets[0]
	p.Schema.Target, p.Schema.TargetUnit, p.Target = first.Name, first.Unit, targetOf(first)
	if first.Classes != nil {
		p.Schema.Classes, p.Schema.TargetUnit, p.Target = first.Classes, "", model.Target{Max: 1}
		p.Response = model.Response{Link: "softmax"}
		if len(first.Classes) == 2 {
			p.Response.Link = "logit"
		}
		for _, name := range first.Classes {
			p.Response.Classes = append(p.Response.Classes, model.Class{Name: name, Share: 1 / float64(len(first.Classes))})
		}
		return
	}
	if len(b.Targets) == 1 {
		return
	}
	p.Response = model.Response{Link: "identity", Targets: []model.Target{p.Target}}
	for _, t := range b.Targets[1:] {
		p.Schema.Others = append(p.Schema.Others, data.Other{Name: t.Name, Unit: t.Unit})
		p.Response.Targets = append(p.Response.Targets, targetOf(t))
	}
}

// targetOf returns the target in its unit: with the middle of its range as the mean, unless that is
// stated.
func targetOf(t Target) model.Target {
	var m model.Target
	if t.Range != nil {
		m = model.Target{Mean: float64(t.Range[0]/2) + float64(t.Range[1]/2), SD: (t.Range[1] - t.Range[0]) / math.Sqrt(12), Min: t.Range[0], Max: t.Range[1]}
	}
	if t.Mean != nil {
		m.Mean = *t.Mean
		m.Min, m.Max = min(m.Min, m.Mean), max(m.Max, m.Mean)
	}
	return m
}
