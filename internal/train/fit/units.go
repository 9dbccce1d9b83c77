package fit

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// unit is the inputs that one rule may mention, all those of some columns: in its IF part, and in either part.
type unit struct{ conditions, all []int }

// units returns the units of rules, of which rule r of clusters has that of r modulo their number; nil: rules mention any inputs. Of
// columns with roles or directions alone it is one. No cluster is one of missing numbers, which would divide the samples by what is not
// known of them: a tree may ask for these, and formulas have a term.
func (s *TrainingSet) units(m recipe.Model) (all []unit) {
	columns, beside := recipe.ColumnsOf(s.prep), recipe.Beside(s.prep)
	of := func(may func(column string) bool) (u unit) {
		for k, name := range columns {
			if !may(name) {
				continue
			}
			if u.all = append(u.all, k); m.Lacks(name)&rules.KeepIf == 0 && !beside[k] {
				u.conditions = append(u.conditions, k)
			}
		}
		return u
	}
	groups := m.Interactions.Units(slices.Compact(slices.Clone(columns)))
	for _, group := range groups {
		all = append(all, of(func(name string) bool { return slices.Contains(group, name) }))
	}
	if groups == nil && (len(m.Roles) > 0 || len(m.Monotone) > 0 || slices.Contains(beside, true)) {
		all = []unit{of(func(string) bool { return true })}
	}
	return all
}

// clustersOf returns clusters by an initialiser. With units of rules, each unit has its share of the clusters, found in the inputs of its
// IF parts; in the others they have mean zero and spread one.
func (s *TrainingSet) clustersOf(ctx context.Context, r recipe.Recipe, init string, of rules.Samples, R int, rng *rand.Rand) (
	*rules.Clusters, error) {
	units := s.units(r.Model)
	if units == nil {
		return initialisers[init](ctx, of, R, rng)
	}
	M, C := len(s.prep.Inputs()), len(of.Y)/len(of.X)
	out := &rules.Clusters{Targets: make([]float64, R*C)}
	for range R {
		out.Centers, out.Spreads = append(out.Centers, make([]float64, M)), append(out.Spreads, slices.Repeat([]float64{1}, M))
	}
	for k, u := range units[:min(len(units), R)] {
		part, inputs := of, u.conditions
		if inputs == nil { // one rule, whose IF always holds, is as good as several
			inputs = u.all[:1]
		}
		part.X = make([][]float64, len(of.X))
		for n, row := range of.X {
			for _, m := range inputs {
				part.X[n] = append(part.X[n], row[m])
			}
		}
		count := (R - k + len(units) - 1) / len(units) // rules k, k+len(units), ...
		found, err := initialisers[init](ctx, part, count, rng)
		if err != nil {
			return nil, err
		}
		for i := range count {
			at := k + i*len(units)
			for j, m := range inputs {
				out.Centers[at][m], out.Spreads[at][m] = found.Centers[i][j], found.Spreads[i][j]
			}
			copy(out.Targets[at*C:], found.Targets[i*C:(i+1)*C])
		}
		if found.Plane != nil {
			out.Plane = widened(found.Plane, inputs, M)
		}
		out.Iterations, out.Coinciding = max(out.Iterations, found.Iterations), out.Coinciding+found.Coinciding
		out.Empty, out.ZeroSpreads = out.Empty+found.Empty, out.ZeroSpreads+found.ZeroSpreads
	}
	return out, nil
}

// widened returns consequents [C(m+1)] of some inputs as those of all M inputs.
func widened(plane []float64, inputs []int, M int) (out []float64) {
	for c := 0; c < len(plane); c += len(inputs) + 1 {
		wide := make([]float64, M+1)
		wide[0] = plane[c]
		for j, m := range inputs {
			wide[1+m] = plane[c+1+j]
		}
		out = append(out, wide...)
	}
	return out
}

// confineUnits makes rules of clusters mention the inputs of their units alone.
func confineUnits(rb *rules.RuleBase, units []unit) {
	if units == nil {
		return
	}
	M := rb.Features()
	for r := range rb.Rules() {
		u := units[r%len(units)]
		for m := range M {
			if !slices.Contains(u.conditions, m) {
				rb.Flatten(r, m)
			}
			for c := 0; c < rb.OutputCount() && !slices.Contains(u.all, m); c++ {
				rb.Consequents[r][c*(M+1)+1+m] = 0
			}
		}
	}
}

// treeColumns returns whether a tree may split the given inputs on the way to one leaf, and which inputs its planes may have; nil: any.
func (s *TrainingSet) treeColumns(m recipe.Model) (splits func(inputs []int) bool, slopes []bool) {
	if len(m.Roles) == 0 && len(m.Monotone) == 0 && m.Interactions == nil {
		return nil, nil
	}
	columns := recipe.ColumnsOf(s.prep)
	for _, name := range columns {
		slopes = append(slopes, m.Lacks(name)&rules.KeepThen == 0)
	}
	return func(inputs []int) bool {
		var names []string
		for _, k := range inputs {
			if m.Lacks(columns[k])&rules.KeepIf != 0 {
				return false
			}
			names = append(names, columns[k])
		}
		return m.Interactions.Meet(names...)
	}, slopes
}
