package words

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// treeModel returns a model with the rules of the tree of wantTree; spread is that of their borders, in scaled units.
func treeModel(t *testing.T, shape membership.Function, spread float64) *model.Model {
	t.Helper()
	m, d := wordModel(t, shape, 5)
	place := func(r, feature int, low, high float64) {
		f := m.Features[feature]
		low, high = (low-f.Mean)/f.SD, (high-f.Mean)/f.SD
		var p []float64
		if between, ok := shape.(membership.Between); ok {
			p = between.Between(low, high, spread)
		} else {
			p = shape.Place((max(low, -2)+min(high, 2))/2, (min(high, 2)-max(low, -2))/3)
		}
		for j, v := range p {
			m.RuleBase.Antecedents[j][r][feature] = v
		}
	}
	inf := math.Inf(1)
	for _, r := range []int{0, 1, 4} {
		place(r, 0, -inf, 40.3)
	}
	place(2, 0, 40.3, 70.2)
	place(3, 0, 70.2, inf)
	for _, excluded := range []struct{ rule, feature int }{{0, 2}, {0, 3}, {1, 1}, {1, 4}, {4, 1}, {4, 4}} {
		place(excluded.rule, excluded.feature, -inf, 0.5)
	}
	place(1, 5, -inf, 0.5)
	place(4, 5, 0.5, inf)
	f := m.Features[0]
	m.RuleBase.Splits = []rules.Split{
		{Feature: 0, Threshold: (40.3 - f.Mean) / f.SD, Below: []int{0, 1, 4}, Above: []int{2, 3}},
		{Feature: 1, Not: [2][]int{{2, 3}, {1, 4}}, Below: []int{0}, Above: []int{1, 4}},
		{Feature: 5, Below: []int{1}, Above: []int{4}},
		{Feature: 0, Threshold: (70.2 - f.Mean) / f.SD, Below: []int{2}, Above: []int{3}},
	}
	for r := range m.RuleBase.Consequents {
		m.RuleBase.Consequents[r][0] = float64(r)
	}
	m = testenv.Must(model.New(context.Background(), m.Preprocessing, m.RuleBase, d.X, nil, m.Training))
	return m
}

const wantTree = `a is below 40.3 mm
    season is autumn or winter
        rule 1
    season is spring or summer
        flag is 0
            rule 2
        flag is 1
            rule 5
a is at least 40.3 mm
    a is below 70.2 mm
        rule 3
    a is at least 70.2 mm
        rule 4
`

// TestTreeByHand: steep borders lead all samples to the rule that fires most, and the text of the
// tree has the borders in the data's own units.
func TestTreeByHand(t *testing.T) {
	m := treeModel(t, membership.Sigmoid{}, 0.02)
	_, samples := wordModel(t, membership.Gaussian{}, 1)
	d := testenv.Must(ModelOn(m, samples))
	if d.Tree == nil || *d.Tree.Agreement != 1 {
		t.Fatalf("%+v, %v", d.Tree, d.noTree)
	}
	var b strings.Builder
	if err := WriteTree(&b, d); err != nil {
		t.Fatal(err)
	}
	// a = 0, 0.5, ..., 100: 81 samples below, half of them in autumn or winter, 60 from 40.5 to 70.
	for _, want := range []string{"it leads 100% of the training samples to", "a is below 40.3 mm\n",
		"  rule 1: y is about 2.98 kg (20% of the samples)\n", "  rule 3: y is about 4.98 kg (30% of the samples)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if root := d.Tree.Root; root.Samples != d.Samples || root.Sides[0].Samples != 81 ||
		*root.Sides[1].Sides[0].Output != *d.Rules[2].Local.Output {
		t.Errorf("%+v", root)
	}
	b.Reset()
	if err := WriteTree(&b, Model(m)); err != nil { // all quantiles of a are whole numbers
		t.Fatal(err)
	}
	want := strings.NewReplacer("below 40.3", "at most 40", "least 40.3", "least 41", "below 70.2", "at most 70", "least 70.2",
		"least 71").Replace(wantTree)
	if _, tree, _ := strings.Cut(b.String(), "\n\n"); tree != want || !strings.Contains(b.String(), "--data") {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

// TestTreeOfEveryShape: the borders of boxes of any shape are where the functions of the sides
// cross, and the tree is kept only if it leads to the rules that fire most.
func TestTreeOfEveryShape(t *testing.T) {
	_, samples := wordModel(t, membership.Gaussian{}, 1)
	kept := 0
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		m := treeModel(t, shape, 0.2)
		d := testenv.Must(ModelOn(m, samples))
		scaled := testenv.Must(m.Scale(samples.X))
		tree, err := newTree(m, groups(m, nil))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		agreed := 0.0
		for n, f := range m.RuleBase.FiringLevels(scaled, nil) {
			r := tree.Root.leaf(m.RuleBase.IfPart(scaled[n])).Rule - 1
			if f[r] == slices.Max(f) && f[r] > 0 {
				agreed++
			}
		}
		agreed /= float64(len(scaled))
		if (d.Tree != nil) != (agreed >= leastAgreement) || d.Tree != nil && math.Abs(*d.Tree.Agreement-agreed) > 1e-12 {
			t.Errorf("%s: the tree agrees on %v of the samples; %+v", name, agreed, d.Tree)
		}
		if d.Tree != nil {
			kept++
			if got := tree.Root.Sides[0].When; got != "a is at most 40 mm" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	if kept < 8 {
		t.Errorf("%d shapes have a tree", kept)
	}
}

// TestTreeOfSharedBorders: the tree has the borders that rules share and that their conditions
// name, however soft, not the values at which the grades are equal.
func TestTreeOfSharedBorders(t *testing.T) {
	_, samples := wordModel(t, membership.Gaussian{}, 1)
	m := treeModel(t, membership.Sigmoid{}, 0.5)
	tree := testenv.Must(newTree(m, groups(m, distinctValues(samples))))
	a := m.Features[0]
	for b, want := range map[*Branch]float64{tree.Root: 40.3, tree.Root.Sides[1]: 70.2} {
		if got := a.Unscaled(b.border); math.Abs(got-want) > 1e-9 {
			t.Errorf("border %v, want %v", got, want)
		}
	}
}

// TestNoTree: a description says why it has no tree.
func TestNoTree(t *testing.T) {
	_, samples := wordModel(t, membership.Gaussian{}, 1)
	for want, change := range map[string]func(m *model.Model){
		"did not start from one":              func(m *model.Model) { m.RuleBase.Splits = nil },
		"none divides rules 2 and 5":          func(m *model.Model) { m.RuleBase.Splits = slices.Delete(m.RuleBase.Splits, 2, 3) },
		"none divides rules 1, 2, 3, 4 and 5": func(m *model.Model) { m.RuleBase.Splits[0].Above = []int{2} },
		"between rules 1, 2 and 5 on one side of a split and rules 3 and 4 on the other": func(m *model.Model) { m.RuleBase.Flatten(0, 0) },
		"without the quantiles": func(m *model.Model) {
			for i := range m.Features {
				m.Features[i].Quantiles = nil
			}
		},
		"lead no training sample to rule 3": func(m *model.Model) { // soft below, it ends where it begins
			f, shape := m.Features[0], membership.Sigmoid{}
			begin, end := (40.3-f.Mean)/f.SD, (39.9-f.Mean)/f.SD
			steep, soft := shape.Between(end, end, 0.02), shape.Between(begin, begin, 1)
			for j, of := range [][]float64{soft, soft, steep, steep} {
				m.RuleBase.Antecedents[j][2][0] = of[j]
			}
			for j, v := range shape.Between(end, math.Inf(1), 0.02) {
				m.RuleBase.Antecedents[j][3][0] = v
			}
		},
		"it would lead only 60% of the training samples": func(m *model.Model) {
			not := &m.RuleBase.Splits[1].Not
			not[0], not[1] = not[1], not[0]
		},
	} {
		m := treeModel(t, membership.Sigmoid{}, 0.02)
		change(m)
		d := Model(m)
		if d.Tree != nil {
			d = testenv.Must(ModelOn(m, samples))
		}
		var b strings.Builder
		err := WriteTree(&b, d)
		if !errors.Is(err, ErrNoTree) || !strings.Contains(err.Error(), want) || b.Len() > 0 || d.Tree != nil {
			t.Errorf("%v, want %q; printed %q", err, want, &b)
		}
	}
}
