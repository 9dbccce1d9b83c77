package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// mutant is a route with one mistake.
type mutant struct {
	Wrong string // the mistake, such as "normalisation missing"
	In    string // its place, such as "layer DropRule"
	route route  // replaces the correct route of the same name
}

// mutantsOf returns the mutants for a shape. Each is a correct route with a wrong membership
// function, mask or batch, or with a wrong layer of the network or step of the closed form.
// No gradient is changed after it is computed.
func mutantsOf(shape membership.Function) []mutant {
	return slices.Concat(functionMutants(shape), chainMutants(shape), inputMutants(), layerMutants(shape), curveMutants(shape),
		lossMutants(), outputMutants(), tieMutants(shape), inferenceMutants(shape))
}

// mutantCases returns the cases of the trials of mutants.
func mutantCases() []Case {
	return slices.Concat([]Case{
		Case{R: 3, M: 3, B: 8}.with(true, 0.05),
		Case{R: 5, M: 3, B: 8, Tied: true}.with(true, 0.05),
		Case{R: 4, M: 2, B: 24, Width: 0.05}.with(true, 0.05),  // zero grades, uncovered samples
		Case{R: 2, M: 60, B: 16, Width: 0.13}.with(true, 0.05), // products that underflow
		Case{R: 3, M: 3, B: 8}.withAll(),
	}, lossMutantCases(), []Case{
		Case{R: 3, M: 3, B: 8, Curves: SharedCurves}.withAll(),
	}, Case{R: 3, M: 3, B: 12}.withInference())
}

// trial is the outcome of the comparison with a mutant.
type trial struct {
	Membership string
	Wrong      string
	In         string
	route      string
	Caught     bool
	By         string // the first check that failed: "sigma, autodiff / closed form"
	Mismatch   string // its line

	noEffect bool // its results were correct, to Tolerance
}

// tryMutants tries the mutants of one shape on the same problems, that with all parts first: it shows most mistakes. The correct
// routes run once.
func tryMutants(shape membership.Function, rng *rand.Rand) ([]trial, error) {
	var problems []solved
	for _, c := range append([]Case{Case{R: 3, M: 3, B: 8, Curves: OwnCurves}.withAll()}, mutantCases()...) {
		p, _, err := drawProblem(shape, c, rng)
		if err != nil {
			return nil, err
		}
		s, err := solve(p)
		if err != nil {
			return nil, err
		}
		problems = append(problems, s)
	}
	mutants := mutantsOf(shape)
	trials, errs := make([]trial, len(mutants)), make([]error, len(mutants))
	parallel.Each(len(mutants), func(k int) {
		trials[k], errs[k] = try(mutants[k], problems)
	})
	for k, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%w (mutant: %s)", err, mutants[k].Wrong)
		}
	}
	if _, written := membership.AsFormula(shape); written {
		// A narrow shape may have no sample on which two rules fire, so that, for
		// example, a missing normalisation has no effect.
		trials = slices.DeleteFunc(trials, func(t trial) bool { return t.noEffect })
	}
	return trials, nil
}

// solved is a problem with the results of the routes that apply to it.
type solved struct {
	*problem
	routes  []route
	results []*solution
}

func solve(p *problem) (solved, error) {
	routes := applicable(p.RuleBase)
	results, err := runAll(p, routes)
	return solved{p, routes, results}, err
}

// lossMutantCases returns the cases of the trials of mutants of losses.
func lossMutantCases() []Case {
	var cases []Case
	for _, l := range loss.All() {
		switch c := (Case{R: 3, M: 3, B: 8, Loss: l}); l.Link().Name() {
		case "log":
			c.Outputs, c.Scale = 4, 40 // beyond the limit of the exponential
			cases = append(cases, c)
		case "identity":
			if l.Name() != (loss.Squared{}).Name() {
				cases = append(cases, c.withAll())
			}
		default:
			cases = append(cases, c.withAll())
		}
	}
	return append(cases, withWeights(Case{R: 3, M: 3, B: 8, Outputs: 3, Curves: OwnCurves, Loss: loss.Squared{}}).withAll())
}

// try runs a mutant in place of its route, where that applies, until a check fails.
func try(m mutant, problems []solved) (trial, error) {
	t := trial{Membership: problems[0].RuleBase.Shape.Name(), Wrong: m.Wrong, In: m.In, route: m.route.name()}
	t.noEffect = true
	for _, p := range problems {
		at := slices.IndexFunc(p.routes, func(r route) bool { return r.name() == m.route.name() })
		if l, ok := m.route.(limited); at < 0 || ok && !l.to(p.problem) {
			continue
		}
		wrong, err := run(m.route, p.problem)
		if err != nil {
			return t, err
		}
		results := slices.Clone(p.results)
		results[at] = wrong
		same := compare(p.problem, []route{m.route, m.route}, []*solution{wrong, p.results[at]})
		t.noEffect = t.noEffect && !slices.ContainsFunc(same, func(c Check) bool { return !(c.MaxRelErr <= Tolerance) })
		failed := slices.DeleteFunc(compare(p.problem, p.routes, results), func(c Check) bool { return c.Passed })
		if len(failed) > 0 {
			t.By, t.Mismatch = failed[0].Parameter+", "+failed[0].Pair, failed[0].Mismatch
			t.Caught = !slices.ContainsFunc(failed, func(c Check) bool { return !slices.Contains(strings.Split(c.Pair, " / "), t.route) })
			break
		}
	}
	return t, nil
}

// inferenceMutants have another t-norm or defuzzification, or a wrong derivative of the
// weights.
func inferenceMutants(shape membership.Function) []mutant {
	var mutants []mutant
	add := func(wrong, in string, alter func(rb *rules.RuleBase)) {
		mutants = append(mutants, mutant{wrong, in, altered{autodiff, func(p *problem) {
			rb := *p.RuleBase
			alter(&rb)
			p.RuleBase = &rb
		}}})
	}
	norms := inference.TNorms()
	for i, t := range norms {
		other := norms[(i+1)%len(norms)]
		add(other.Name()+" instead of "+t.Name(), "t-norm", func(rb *rules.RuleBase) {
			if rb.TNorm == t {
				rb.TNorm = other
			}
		})
	}
	defuzzifications := inference.Defuzzifications()
	for i, d := range defuzzifications {
		other := defuzzifications[(i+1)%len(defuzzifications)]
		add(other.Name()+" instead of "+d.Name(), "defuzzification", func(rb *rules.RuleBase) {
			if rb.Defuzzification == d {
				rb.Defuzzification = other
			}
		})
	}
	add("one feature more", "defuzzification", func(rb *rules.RuleBase) {
		if rb.Defuzzification == (inference.HTSK{}) {
			rb.Defuzzification = oneMore{rb.Defuzzification}
		}
	})
	if _, ok := shape.(membership.Gradients); ok {
		mutants = append(mutants,
			mutant{"the weight treated as the firing level", "closed form: dw/df", closedForm{func(s *steps) {
				s.weight = func(float64) float64 { return 1 }
			}}})
	}
	return mutants
}

// oneMore is a defuzzification of a feature more in its expression.
type oneMore struct{ inference.Defuzzification }

// Expr returns the expression for M+1 features.
func (d oneMore) Expr(b membership.Builder, z membership.Term, M int) membership.Term {
	return d.Defuzzification.Expr(b, z, M+1)
}

// wrongUpdate is an update with one mistake: rules with constraints are changed before it, or after
// it, given those without constraints.
type wrongUpdate struct {
	wrong  string
	before func(rb *rules.RuleBase)
	after  func(free, got *rules.RuleBase)
	flat   bool // it moves flat functions, which of some shapes are so far away that no step does
}

// movesFlat reports whether a step changes a flat function of a shape.
func movesFlat(shape membership.Function) bool {
	rb := rules.New(shape, &rules.Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{0}})
	rb.Flatten(0, 0)
	return slices.ContainsFunc(rb.Antecedents, func(a [][]float64) bool { return a[0][0]+1 != a[0][0] })
}

var wrongUpdates = []wrongUpdate{
	{wrong: "a kept rule moves", before: func(rb *rules.RuleBase) { rb.Keep[2] = 0 }},
	{wrong: "a kept THEN part moves", before: func(rb *rules.RuleBase) { rb.Keep[1] = 0 }},
	{wrong: "a kept IF part moves", before: func(rb *rules.RuleBase) { rb.Keep[0] = 0 }},
	{wrong: "copies of kept functions move", before: func(rb *rules.RuleBase) { rb.Tie, rb.Splits = nil, nil }},
	{wrong: "signs ignored", before: func(rb *rules.RuleBase) { rb.Signs = nil }},
	{wrong: "signs of the second output ignored", before: func(rb *rules.RuleBase) { rb.Signs[7] = 0 }},
	{wrong: "a condition on a feature that the IF part must not mention", flat: true,
		before: func(rb *rules.RuleBase) { rb.Without[3][0] = 0 }},
	{wrong: "a slope of a feature that the THEN part must not mention", before: func(rb *rules.RuleBase) { rb.Without[4][1] = 0 }},
	{wrong: "curves of bounded features free", after: func(free, got *rules.RuleBase) {
		for i, values := range got.Curves {
			copy(values[3:], free.Curves[i][3:])
		}
	}},
	{wrong: "curves projected the other way", after: func(free, got *rules.RuleBase) {
		copy(got.Curves[5][3:], free.Curves[5][3:])
		rules.Monotone(got.Curves[5][3:], -1)
	}},
	{wrong: "curves of free features projected", after: func(_, got *rules.RuleBase) { rules.Monotone(got.Curves[5][:3], 1) }},
	{wrong: "slopes projected to the wrong side", after: func(free, got *rules.RuleBase) {
		for r, w := range got.Consequents {
			w[3] = min(free.Consequents[r][3], 0)
		}
	}},
	{wrong: "one rule not projected", after: func(free, got *rules.RuleBase) { copy(got.Consequents[4], free.Consequents[4]) }},
	{wrong: "biases projected", after: func(_, got *rules.RuleBase) {
		for _, w := range got.Consequents {
			w[0], w[4] = max(w[0], 0), min(w[4], 0)
		}
	}},
	{wrong: "free slopes projected", after: func(_, got *rules.RuleBase) {
		for _, w := range got.Consequents {
			w[1] = max(w[1], 0)
		}
	}},
}

// of returns an update with the mistake.
func (w wrongUpdate) of(u update) update {
	var free *rules.RuleBase
	return func(rb *rules.RuleBase, step func() float64) (*rules.RuleBase, error) {
		if rb.Keep == nil {
			var err error
			free, err = u(rb, step)
			return free, err
		}
		if w.before != nil {
			rb = rb.Clone()
			w.before(rb)
		}
		got, err := u(rb, step)
		if err == nil && w.after != nil {
			w.after(free, got)
		}
		return got, err
	}
}

// tryConstraints tries every wrong update of the fastest engine of a shape.
func tryConstraints(shape membership.Function, rng *rand.Rand) ([]trial, error) {
	var trials []trial
	engine := graph.Engines(shape, inference.Product{})[0]
	for _, w := range wrongUpdates {
		if w.flat && !movesFlat(shape) {
			continue
		}
		c, err := constraints(shape, engine, w.of(networkUpdate(engine)), rng)
		if err != nil {
			return nil, err
		}
		t := trial{Membership: shape.Name(), Wrong: w.wrong, In: "constraints", route: engine, Caught: !c.Passed}
		if t.Caught {
			t.By, t.Mismatch = c.Parameter+", "+c.Pair, c.Mismatch
		}
		trials = append(trials, t)
	}
	return trials, nil
}
