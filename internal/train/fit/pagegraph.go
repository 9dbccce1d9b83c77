package fit

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// pageGraph is pages under training: the graph of their rules, whose parameters p follow from the numbers theta of the pages,
//
//	p = p0 + J theta        dL/dtheta = J' dL/dp
//
// Theta are what rules are about, slopes, the values of levels, entries of tables that are added, and the ends of ramps, less what they
// were and in units of their own. The rules' parameters are linear in them, so that J is the difference between the rules of a page with
// one number changed and those of the page, see [model.Preprocessing.PageRules]. Factors, which multiply the others, stay. It makes an
// [optim.Objective].
type pageGraph struct {
	*graph.Network
	pages   []*page.Page // with the present numbers
	ramps   []*pageRamp
	numbers []pageNumber
	first   [][]float64 // p0, by tensor
	live    [][]float64 // p
	groups  [2]*pageGroup
}

// pageNumber is a number of a page.
type pageNumber struct {
	at          *float64
	start, unit float64
	by          []pageSlope
	of          *float64 // its theta
	gradient    *float64
}

// pageSlope is an entry of J: the change of an element of a tensor by a unit of a number.
type pageSlope struct {
	tensor, element int
	slope           float64
}

// pageGroup is the theta that a solver sees as one parameter.
type pageGroup struct {
	name            string
	value, gradient *tensor.Dense
}

func (g *pageGroup) Name() string                  { return g.name }
func (g *pageGroup) Value() gorgonia.Value         { return g.value }
func (g *pageGroup) Grad() (gorgonia.Value, error) { return g.gradient, nil }
func (g *pageGroup) place(k int) (v, by *float64) {
	return &g.value.Float64s()[k], &g.gradient.Float64s()[k]
}
func newPageGroup(name string, n int) *pageGroup {
	empty := func() *tensor.Dense { return tensor.New(tensor.WithShape(n), tensor.Of(tensor.Float64)) }
	return &pageGroup{name, empty(), empty()}
}

// newPageGraph returns the graph of a copy of pages with a ramp at least.
func newPageGraph(prep model.Preprocessing, all []*page.Page, o graph.Options) (*pageGraph, error) {
	g := &pageGraph{}
	for _, pg := range all {
		g.pages = append(g.pages, g.copied(pg))
	}
	rb, err := prep.PageRules(g.pages...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoPages, err)
	}
	g.first = tensorsOf(rb)
	ends := g.collect(prep)
	for k := range g.numbers {
		if err := g.differentiate(prep, &g.numbers[k], k < ends); err != nil {
			return nil, err
		}
	}
	if g.Network, err = graph.New(rb, o); err != nil {
		return nil, err
	}
	for _, p := range g.Network.Params() {
		g.live = append(g.live, p.Value().(*tensor.Dense).Float64s())
	}
	g.groups = [2]*pageGroup{newPageGroup("ramp", ends), newPageGroup("slope", len(g.numbers)-ends)}
	for k := range g.numbers {
		n := &g.numbers[k]
		if n.of, n.gradient = g.groups[0].place(min(k, ends-1)); k >= ends {
			n.of, n.gradient = g.groups[1].place(k - ends)
		}
	}
	return g, nil
}

// unitOfThen is the unit of numbers of THEN parts and tables, in units of the target: they are near their optimum, and the ends of ramps
// are not.
const unitOfThen = 0.3

// collect lists the numbers: those of ends of ramps, which it counts, come first.
func (g *pageGraph) collect(prep model.Preprocessing) (ends int) {
	add := func(at *float64, unit float64) {
		g.numbers = append(g.numbers, pageNumber{at: at, start: *at, unit: unit})
	}
	for _, r := range g.ramps {
		f := featureOf(prep, r.column)
		r.low, r.high = min(f.Min, r.From), max(f.Max, r.To)
		add(&r.From, r.unit)
		add(&r.To, r.unit)
	}
	ends, output := len(g.numbers), float64(unitOfThen*prep.Target.Scaling())
	terms := func(all []page.Term) {
		for k := range all {
			if t := &all[k]; t.Level != "" {
				add(&t.Yes, output)
				add(&t.No, output)
			} else {
				add(&t.Slope, output/featureOf(prep, t.Column).SD)
			}
		}
	}
	for _, pg := range g.pages {
		for r := range pg.Rules {
			add(&pg.Rules[r].About, output)
			terms(pg.Rules[r].Terms)
		}
		terms(pg.Terms)
		for _, t := range pg.Tables {
			for k := range t.Entries {
				if !pg.Factors {
					add(&t.Entries[k], output)
				}
			}
		}
	}
	return ends
}

// featureOf returns the feature of a column of numbers.
func featureOf(prep model.Preprocessing, name string) model.Feature {
	at := 0
	for _, c := range prep.Schema.Columns {
		if c.Name == name {
			return prep.Features[at]
		}
		at += c.Width()
	}
	return model.Feature{SD: 1}
}

// differentiate computes the change of the rules by a unit of a number. Ends of ramps are moved inwards by an eighth of the width, so that
// no border passes another one.
func (g *pageGraph) differentiate(prep model.Preprocessing, n *pageNumber, end bool) error {
	step := n.unit
	if end {
		if step /= 4; slices.ContainsFunc(g.ramps, func(r *pageRamp) bool { return n.at == &r.To }) {
			step = -step
		}
	}
	*n.at = n.start + step
	rb, err := prep.PageRules(g.pages...)
	step = *n.at - n.start // as rounded
	*n.at = n.start
	if err != nil {
		return fmt.Errorf("%w: %w", errNoPages, err)
	}
	for t, values := range tensorsOf(rb) {
		for i, v := range values {
			if was := g.first[t][i]; v != was {
				n.by = append(n.by, pageSlope{t, i, (v - was) / step * n.unit})
			}
		}
	}
	return nil
}

// tensorsOf returns the parameters of rules as a network holds them, see [graph.Network.Params].
func tensorsOf(rb *rules.RuleBase) (all [][]float64) {
	M := rb.Features()
	for _, rows := range rb.Antecedents {
		all = append(all, rules.Columns(rows, 0, M))
	}
	var biases []float64
	for c := range rb.OutputCount() {
		biases = append(biases, rules.Columns(rb.Consequents, c*(M+1), c*(M+1)+1)...)
	}
	all = append(all, biases, rb.Slopes())
	if rb.Curves != nil {
		curves, _ := rb.KnotMajor()
		all = append(all, curves)
	}
	return all
}

// Params returns theta: of the ends of ramps, and of all other numbers.
func (g *pageGraph) Params() []gorgonia.ValueGrad {
	return []gorgonia.ValueGrad{g.groups[0], g.groups[1]}
}

// Evaluate is that of the network, with the gradient by theta.
func (g *pageGraph) Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error) {
	if data, penalty, skipped, err = g.Network.Evaluate(x, target, mask, weight); err != nil {
		return data, penalty, skipped, err
	}
	var gradients [][]float64
	for _, p := range g.Network.Params() {
		v, err := p.Grad()
		if err != nil {
			return data, penalty, skipped, err
		}
		gradients = append(gradients, v.(*tensor.Dense).Float64s())
	}
	for k := range g.numbers {
		n, sum := &g.numbers[k], 0.0
		for _, s := range n.by {
			sum += float64(s.slope * gradients[s.tensor][s.element])
		}
		*n.gradient = sum
	}
	return data, penalty, skipped, nil
}

// Project sets the numbers of the pages and the parameters of the rules to theta, after the ends of ramps are apart, in the range of their
// column, and not beyond another border of a rule.
func (g *pageGraph) Project() {
	for k := range g.numbers {
		n := &g.numbers[k]
		*n.at = n.start + float64(n.unit**n.of)
	}
	g.part()
	for t, values := range g.first {
		copy(g.live[t], values)
	}
	for k := range g.numbers {
		n := &g.numbers[k]
		*n.of = (*n.at - n.start) / n.unit
		for _, s := range n.by {
			g.live[s.tensor][s.element] += float64(s.slope * *n.of)
		}
	}
}
