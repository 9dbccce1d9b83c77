package byhand

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

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
	for _, c := range p.Schema.Columns {
		g := group{column: c}
		for k := range c.Width() {
			if !p.Features[feature].Constant {
				g.inputs = append(g.inputs, input)
				if c.Encoding == data.OneHot {
					g.levels = append(g.levels, c.Levels[k])
				}
				input++
			}
			feature++
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
		return group{column: data.Column{Name: name, Encoding: data.Numeric}, inputs: []int{i}}, nil
	}
	if column, level, ok := strings.Cut(name, "="); ok && in.columns[column].column.Encoding == data.OneHot {
		return group{}, Errorf(in.file, line, 0, "the column %s has no level %s in the training part: it has %s", escape.Quote(column), escape.Quote(level), escape.List(in.columns[column].levels))
	}
	if in.pca {
		return group{}, Errorf(in.file, line, 0, "%s is not an input: these are principal components, %s (data.pca)", escape.Quote(name), escape.List(in.names))
	}
	return group{}, Errorf(in.file, line, 0, "there is no column %s: the columns are %s%s", escape.Quote(name), escape.List(in.names), meant(name, in.names))
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
