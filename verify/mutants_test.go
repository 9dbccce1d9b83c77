package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// Mutant is a route with one mistake.
type Mutant struct {
	Wrong string // the mistake, such as "normalisation missing"
	In    string // its place, such as "layer DropRule"
	Route Route  // replaces the correct route of the same name
}

// Mutants returns the mutants for a shape. Each is a correct route with a wrong membership
// function, mask or batch, or with a wrong layer of the network or step of the closed form.
// No gradient is changed after it is computed.
func Mutants(shape membership.Function) []Mutant {
	return slices.Concat(functionMutants(shape), chainMutants(shape), inputMutants(), layerMutants(shape), curveMutants(shape), lossMutants(), outputMutants(), tieMutants(shape), inferenceMutants(shape))
}

// MutantCases returns the cases of the trials of mutants.
func MutantCases() []Case {
	return slices.Concat([]Case{
		Case{R: 3, M: 3, B: 8}.with(true, 0.05),
		Case{R: 5, M: 3, B: 8, Tied: true}.with(true, 0.05),
		Case{R: 4, M: 2, B: 24, Width: 0.05}.with(true, 0.05),  // zero grades, uncovered samples
		Case{R: 2, M: 60, B: 16, Width: 0.13}.with(true, 0.05), // products that underflow
		Case{R: 3, M: 3, B: 8}.withAll(),
	}, lossMutantCases(), []Case{
		Case{R: 3, M: 3, B: 8, Curves: SharedCurves}.withAll(),
		Case{R: 3, M: 3, B: 8, Curves: OwnCurves}.withAll(),
	}, Case{R: 3, M: 3, B: 12}.withInference())
}

// Trial is the outcome of the comparison with a mutant.
type Trial struct {
	Membership string `json:"membership"`
	Wrong      string `json:"wrong"`
	In         string `json:"in"`
	Route      string `json:"route"`
	Caught     bool   `json:"caught"`
	By         string `json:"caught_by"` // the first check that failed: "sigma, autodiff / closed form"
	Mismatch   string `json:"mismatch"`  // its line

	noEffect bool // its results were correct, to Tolerance
}

// tryMutants tries the mutants of one shape on the same problems. The correct routes run
// once.
func tryMutants(shape membership.Function, rng *rand.Rand) ([]Trial, error) {
	var problems []solved
	for _, c := range MutantCases() {
		p, _, err := Draw(shape, c, rng)
		if err != nil {
			return nil, err
		}
		s, err := solve(p)
		if err != nil {
			return nil, err
		}
		problems = append(problems, s)
	}
	mutants := Mutants(shape)
	trials, errs := make([]Trial, len(mutants)), make([]error, len(mutants))
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
		trials = slices.DeleteFunc(trials, func(t Trial) bool { return t.noEffect })
	}
	return trials, nil
}

// solved is a problem with the results of the routes that apply to it.
type solved struct {
	*Problem
	routes  []Route
	results []*Result
}

func solve(p *Problem) (solved, error) {
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
func try(m Mutant, problems []solved) (Trial, error) {
	t := Trial{Membership: problems[0].RuleBase.Shape.Name(), Wrong: m.Wrong, In: m.In, Route: m.Route.Name()}
	t.noEffect = true
	for _, p := range problems {
		at := slices.IndexFunc(p.routes, func(r Route) bool { return r.Name() == m.Route.Name() })
		if l, ok := m.Route.(limited); at < 0 || ok && !l.to(p.Problem) {
			continue
		}
		wrong, err := run(m.Route, p.Problem)
		if err != nil {
			return t, err
		}
		results := slices.Clone(p.results)
		results[at] = wrong
		same := compare(p.Problem, []Route{m.Route, m.Route}, []*Result{wrong, p.results[at]})
		t.noEffect = t.noEffect && !slices.ContainsFunc(same, func(c Check) bool { return !(c.MaxRelErr <= Tolerance) })
		failed := slices.DeleteFunc(compare(p.Problem, p.routes, results), func(c Check) bool { return c.Passed })
		if len(failed) > 0 {
			t.By, t.Mismatch = failed[0].Parameter+", "+failed[0].Pair, failed[0].Mismatch
			t.Caught = !slices.ContainsFunc(failed, func(c Check) bool { return !slices.Contains(strings.Split(c.Pair, " / "), t.Route) })
			break
		}
	}
	return t, nil
}
