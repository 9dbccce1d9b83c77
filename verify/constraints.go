package verify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// update returns rules after their trainable parameters moved by steps, in the order of
// graph.Network.Params, and were projected.
type update func(rb *rules.RuleBase, step func() float64) (*rules.RuleBase, error)

// networkUpdate returns the [update] by the network of an engine.
func networkUpdate(engine string) update {
	return func(rb *rules.RuleBase, step func() float64) (*rules.RuleBase, error) {
		n, err := graph.New(rb, graph.Options{Engine: engine, Batch: 1})
		if err != nil {
			return nil, err
		}
		defer n.Close()
		for _, p := range n.Params() {
			values := p.Value().(*tensor.Dense).Float64s()
			for i := range values {
				values[i] += step()
			}
		}
		n.Project()
		return n.RuleBase(), nil
	}
}

// constraintDraws is the number of rulebases that a check of constraints draws.
const constraintDraws = 8

// constraints checks an update of rules of a shape with two outputs, some of which share functions,
// are kept, must not mention a feature, or have bounded slopes (see rules.RuleBase): parameters that are kept, or of what is not mentioned,
// must not change in any bit, bounded slopes must be those of the rules without constraints or, if these have the wrong sign, zero, curves
// of bounded features the nearest monotone ones, and all others must be those of the rules without constraints.
func constraints(shape membership.Function, engine string, update update, rng *rand.Rand) (Check, error) {
	if err := checkShape(shape, rng); err != nil {
		return Check{}, err
	}
	if update == nil {
		return Check{}, errors.New("verify: the update is nil")
	}
	c := Check{Membership: shape.Name(), Parameter: "constraints", Pair: engine + " / by hand", Passed: true}
	for range constraintDraws {
		rb := drawRules(shape, Case{R: 6, M: 3, B: 1, Outputs: 2, Tied: true}, rng).RuleBase
		constrain(rb, rng)
		seed := rng.Uint64()
		steps := func() func() float64 {
			rng := rand.New(rand.NewPCG(seed, 1))
			return func() float64 { return 3 * rng.NormFloat64() }
		}
		free := rb.Clone()
		free.Keep, free.Signs, free.Without = nil, nil, nil
		free, err := update(free, steps())
		if err != nil {
			return c, err
		}
		got, err := update(rb, steps())
		if err != nil {
			return c, err
		}
		compareExactly(&c, got, constrainedByHand(rb, free))
	}
	return c, nil
}

// compareExactly fails a check if two rulebases differ in any bit of a parameter.
func compareExactly(c *Check, got, want *rules.RuleBase) {
	wanted := matrices(want.Parameters)
	for i, block := range matrices(got.Parameters) {
		for r, row := range block {
			for k, v := range row {
				w := wanted[i][r][k]
				c.norm, c.MaxAbsErr = math.Max(c.norm, math.Abs(w)), math.Max(c.MaxAbsErr, math.Abs(v-w))
				if v != w && c.Passed {
					c.MaxRelErr, c.Passed, c.Worst = math.Inf(1), false, fmt.Sprintf("[block=%d,r=%d,k=%d]", i, r, k)
					c.Mismatch = fmt.Sprintf("constraints%s: update %v, by hand %v", c.Worst, v, w)
				}
			}
		}
	}
}

// checkConstraints runs [constraints] for all engines of each shape.
func checkConstraints(r *Report, shapes []membership.Function, rng *rand.Rand) error {
	for _, shape := range shapes {
		for _, engine := range graph.Engines(shape, inference.Product{}) {
			c, err := constraints(shape, engine, networkUpdate(engine), rng)
			if err != nil {
				return err
			}
			r.add([]Check{c}, 0)
		}
	}
	return nil
}

// constrain keeps parts of the first rules, bounds the slopes and curves of the last feature of each output on another side, and takes the
// first feature out of the IF part of the fourth rule and the second one out of the THEN part of the fifth.
func constrain(rb *rules.RuleBase, rng *rand.Rand) {
	rb.Keep = []rules.Keep{rules.KeepIf, rules.KeepThen, rules.KeepAll, 0, 0, 0}
	rb.Signs = []int{0, 0, 0, 1, 0, 0, 0, -1}
	for _, w := range rb.Consequents {
		w[3], w[7] = max(w[3], -w[3]), min(w[7], -w[7])
	}
	rb.Knots, rb.Curves = nil, nil
	rules.AddCurves(rb, [][]float64{{-1, 0, 1}, nil, {-1, 0, 1, 2}}, true)
	for _, values := range rb.Curves {
		for q := range values {
			values[q] = rng.NormFloat64()
		}
	}
	rb.Without = make([][]rules.Keep, 6)
	for r := range rb.Without {
		rb.Without[r] = make([]rules.Keep, 3)
	}
	if rules.CanBeFlat(rb.Shape) {
		rb.Without[3][0] = rules.KeepIf
	}
	if rb.Tie != nil {
		rb.Tie[3][0] = 1000 // of its own
	}
	rb.Without[4][1] = rules.KeepThen
	rules.Confine(rb)
}

// constrainedByHand returns what the constraints of before make of free, the rules after an update
// without constraints.
func constrainedByHand(before, free *rules.RuleBase) *rules.RuleBase {
	want := free.Clone()
	for r, keep := range before.Keep {
		for c := range 2 {
			w := want.Consequents[r][4*c:]
			if sign := before.Signs[4*c+3]; float64(sign)*w[3] < 0 {
				w[3] = 0
			}
			rules.Monotone(want.Curves[c*6+r][3:7], before.Signs[4*c+3])
			if r == 4 {
				w[2] = 0
			}
			if keep == rules.KeepThen || keep == rules.KeepAll {
				copy(w[:4], before.Consequents[r][4*c:])
				copy(want.Curves[c*6+r], before.Curves[c*6+r])
			}
		}
		for m := range 3 {
			if keep != rules.KeepIf && keep != rules.KeepAll && before.Without[r][m] != rules.KeepIf {
				continue
			}
			for j, a := range before.Antecedents {
				here := rules.Element{Parameter: j, Rule: r, Feature: m}
				group := []rules.Element{here}
				for _, shared := range before.Shared() {
					if slices.Contains(shared, here) {
						group = shared
					}
				}
				for _, e := range group {
					*want.At(e) = a[r][m]
				}
			}
		}
	}
	return want
}
