package byhand

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// preprocessing returns what the columns and targets of a rulebook state. The values of a column of
// numbers are taken to be uniform over its range, the levels of a column equally frequent, and so are
// classes.
func preprocessing(b *Rulebook) (model.Preprocessing, error) {
	var p model.Preprocessing
	if len(b.Columns) == 0 {
		return p, Errorf(b.File, 0, 0,
			"the columns are not known: state them, such as columns: {outside: {range: [-10, 30]}}, or use those of a model")
	}
	if len(b.Targets) == 0 {
		return p, Errorf(b.File, 0, 0, "the target is not known: state its name, such as target: heating, or use that of a model")
	}
	for _, c := range b.Columns {
		features, err := featuresOf(b, c)
		if err != nil {
			return p, err
		}
		p.Schema.Columns = append(p.Schema.Columns, table.NewColumn(c.Name, c.Unit, c.Levels, c.Ordered))
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
	f := uniform(c.Range[0], c.Range[1])
	if c.SD > 0 {
		f.Mean, f.SD, f.Power = c.Mean, c.SD, c.Power
	}
	return []model.Feature{f}, nil
}

// uniform returns the feature of a column of numbers whose values are uniform over a range.
func uniform(low, high float64) model.Feature {
	f := model.Feature{Mean: float64(low/2) + float64(high/2), SD: (high - low) / math.Sqrt(12), Min: low, Max: high}
	f.Quantiles = quantiles(func(share float64) float64 {
		if share == 1 {
			return high // not rounded
		}
		if share > 0 {
			share += unevenness // whole numbers would be values of a column of few
		}
		return low + float64(share*(high-low))
	})
	return f
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
		m = model.Target{Mean: float64(t.Range[0]/2) + float64(t.Range[1]/2), SD: (t.Range[1] - t.Range[0]) / math.Sqrt(12), Min: t.Range[0],
			Max: t.Range[1]}
	}
	if t.Mean != nil {
		m.Mean = *t.Mean
		m.Min, m.Max = min(m.Min, m.Mean), max(m.Max, m.Mean)
	}
	return m
}

// inputs resolves the names of a rulebook to the inputs of a preprocessing.
type inputs struct {
	file    string
	all     []model.Feature
	columns map[string]group
	names   []string                 // of columns and inputs, for suggestions
	own     map[string]model.Feature // scaling that the file states, by input
	pca     bool
}

// group is the inputs of one column.
type group struct {
	column data.Column
	inputs []int    // used, of all inputs
	levels []string // of the inputs of a one-hot column
}

// newInputs returns the inputs of a preprocessing for a rulebook.
func newInputs(b *Rulebook, p model.Preprocessing) *inputs {
	in := &inputs{file: b.File, all: p.Inputs(), columns: map[string]group{}, own: ownScaling(b), pca: p.Components != nil}
	for _, f := range in.all {
		in.names = append(in.names, f.Name)
	}
	feature, input := 0, 0
	for _, c := range p.Schema.Parts() {
		g := group{column: c}
		for k := range c.Width() {
			if !p.Features[feature].Constant {
				g.inputs = append(g.inputs, input)
				if c.Nominal() {
					g.levels = append(g.levels, c.Levels[k])
				}
				input++
			}
			feature++
		}
		if c.Beside() { // its input has a name of its own
			continue
		}
		in.columns[c.Name] = g
		if !slices.Contains(in.names, c.Name) && !in.pca {
			in.names = append(in.names, c.Name)
		}
	}
	return in
}

// ownScaling returns the scaling of inputs that a rulebook states.
func ownScaling(b *Rulebook) map[string]model.Feature {
	own := map[string]model.Feature{}
	for _, c := range b.Columns {
		if c.SD > 0 {
			own[c.Name] = model.Feature{Name: c.Name, Mean: c.Mean, SD: c.SD, Power: c.Power}
		}
	}
	if b.Saved != nil {
		for _, f := range b.Saved.preprocessing().Inputs() {
			own[f.Name] = f
		}
	}
	return own
}

// lookup returns the column or input of a name: a group of one input, or of those of a one-hot
// column.
func (in *inputs) lookup(name string, line int) (group, error) {
	if g, ok := in.columns[name]; ok && !in.pca {
		if len(g.inputs) == 0 {
			return g, Errorf(in.file, line, 0, "the column %s is constant in the training part: leave it out of the rules", escape.Quote(name))
		}
		return g, nil
	}
	i := slices.IndexFunc(in.all, func(f model.Feature) bool { return f.Name == name })
	if i >= 0 {
		return group{column: table.NewColumn(name, "", nil, false), inputs: []int{i}}, nil
	}
	if column, level, ok := strings.Cut(name, "="); ok && in.columns[column].column.Nominal() {
		return group{}, Errorf(in.file, line, 0, "the column %s has no level %s in the training part: it has %s", escape.Quote(column),
			escape.Quote(level), escape.List(in.columns[column].levels))
	}
	if in.pca {
		return group{}, Errorf(in.file, line, 0, "%s is not an input: these are principal components, %s (data.pca)", escape.Quote(name),
			escape.List(in.names))
	}
	return group{}, Errorf(in.file, line, 0, "there is no column %s: the columns are %s%s", escape.Quote(name), escape.List(in.names),
		meant(name, in.names))
}

// outputNames returns the names of the outputs of the rules [C]: of the targets, levels of the quantiles,
// or classes; with the logit link, of the second class.
func outputNames(p model.Preprocessing) []string {
	var names []string
	values := p.Values()
	for _, v := range values[len(values)-p.OutputCount():] {
		names = append(names, v.Choice())
	}
	return names
}

// Model returns a model of the rules, with the preprocessing of another model (nil: that of the section
// model of the file or, without it, made from Columns). It was not trained: nothing is known of the share of the
// rules. The rules of a file that [FromModel] wrote have the bits of the model's.
func (b *Rulebook) Model(like *model.Model) (*model.Model, error) {
	if like != nil && like.Committee() {
		return nil, errors.New("the model whose columns are used is a committee, whose members have columns of their own: choose a single model")
	}
	training := model.Training{Samples: 1, Engine: "fused", Options: map[string]string{}, Versions: buildinfo.Versions(),
		Metrics: map[string]float64{}}
	if b.Pages != nil {
		return b.pageModel(like, training)
	}
	p, loss := model.Preprocessing{}, ""
	var err error
	switch {
	case like != nil:
		p, loss, training.Samples = like.Preprocessing, like.Training.Options["train.loss"], like.Training.Samples
	case b.Saved != nil:
		p, loss, training.Samples = b.Saved.preprocessing(), b.Saved.Loss, b.Saved.Samples
	default:
		if p, err = preprocessing(b); err != nil {
			return nil, err
		}
	}
	if loss != "" {
		training.Options["train.loss"] = loss
	}
	rb, err := b.Start(p, membership.Gaussian{})
	if err != nil {
		return nil, err
	}
	m := &model.Model{Preprocessing: p, RuleBase: rb, Training: training, Rules: make([]model.RuleSummary, rb.Rules())}
	for r := range m.Rules {
		m.Rules[r].Share = 1 / float64(rb.Rules())
	}
	if err := m.Encode(io.Discard); err != nil {
		return nil, Errorf(b.File, 0, 0, "%s", escape.Text(err.Error()))
	}
	return m, nil
}

// on returns the rulebook without the rules that are off, and without what Saved has of them: their own curves, and all splits,
// whose sides would lack rules. Without rules that are off it is b itself; if all are off it is an error.
func (b *Rulebook) on() (*Rulebook, error) {
	off := func(r Rule) bool { return r.Off }
	if !slices.ContainsFunc(b.Rules, off) {
		return b, nil
	}
	one := *b
	one.Rules = slices.DeleteFunc(slices.Clone(b.Rules), off)
	if len(one.Rules) == 0 {
		return nil, Errorf(b.File, b.Rules[0].Line, 0, "all rules are off: a model needs one")
	}
	if b.Saved == nil {
		return &one, nil
	}
	saved := *b.Saved
	saved.Splits = nil
	if R := len(b.Rules); len(saved.Curves) == len(b.Rules[0].Then)*R { // own curves, those of output c from row c R
		saved.Curves = nil
		for i, values := range b.Saved.Curves {
			if !b.Rules[i%R].Off {
				saved.Curves = append(saved.Curves, values)
			}
		}
	}
	one.Saved = &saved
	return &one, nil
}
