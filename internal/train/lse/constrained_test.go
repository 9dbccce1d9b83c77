package lse

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/rules"
)

// constraints are bounds and kept rules of rules over two features.
var constraints = map[string]func(rb *rules.RuleBase){
	"kept":      func(rb *rules.RuleBase) { rb.Keep = []rules.Keep{rules.KeepThen, 0, rules.KeepAll, rules.KeepIf} },
	"all kept":  func(rb *rules.RuleBase) { rb.Keep = slices.Repeat([]rules.Keep{rules.KeepThen}, 4) },
	"signs":     func(rb *rules.RuleBase) { rb.Signs = []int{0, -1, 1} },
	"one sign":  func(rb *rules.RuleBase) { rb.Signs = []int{0, -1, 0} },
	"signs and": func(rb *rules.RuleBase) { rb.Signs = []int{0, 1, -1}; rb.Keep = []rules.Keep{0, rules.KeepThen, 0, 0} },
}

// TestConstraints: the estimates satisfy the constraints to the bit, and no feasible change of one
// consequent has a lower loss, whether the start is at the bounds or not.
func TestConstraints(t *testing.T) {
	for name, constrain := range constraints {
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, 5))
			rb := rulebase(rng, 4, 2)
			x, y := samples(rng, 300, 2)
			for _, w := range rb.Consequents {
				for a := range w {
					w[a] = rng.NormFloat64()
				}
			}
			constrain(rb)
			rules.ProjectSigns(rb)
			if seed == 0 {
				for _, w := range rb.Consequents {
					clear(w[1:])
				}
			}
			e := testenv.Must(New(context.Background(), x, y, nil, 4, 0.3))
			w := testenv.Must(e.Estimate(context.Background(), rb))
			free := checkMinimum(t, fmt.Sprintf("%s, %d", name, seed), rb, w, func(w [][]float64) float64 { return loss(rb, w, x, y, nil, 0.3) })
			if want := map[string]int{"kept": 6, "all kept": 0}; free < want[name] {
				t.Errorf("%s: %d free consequents, want %d", name, free, want[name])
			}
			at := rb.Clone()
			at.Consequents = w
			again := testenv.Must(e.Estimate(context.Background(), at))
			if a, b := loss(rb, w, x, y, nil, 0.3), loss(rb, again, x, y, nil, 0.3); b > a*(1+1e-9) {
				t.Errorf("%s: loss %v, from there %v", name, a, b)
			}
		}
	}
}

// checkMinimum checks w against the constraints of rb and for a minimum of the loss, and returns the
// number of consequents that are not kept.
func checkMinimum(t *testing.T, name string, rb *rules.RuleBase, w [][]float64, loss func(w [][]float64) float64) (free int) {
	t.Helper()
	at := rb.Clone()
	at.Consequents = w
	if err := at.Validate(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	least := loss(w)
	for r, row := range w {
		if rb.Keeps(r, rules.KeepThen) {
			if !slices.Equal(row, rb.Consequents[r]) {
				t.Errorf("%s: rule %d: %v became %v", name, r, rb.Consequents[r], row)
			}
			continue
		}
		for a, v := range row {
			free++
			for _, h := range []float64{1e-3, -1e-3} {
				sign := 0
				if rb.Signs != nil {
					sign = rb.Signs[a]
				}
				row[a] = rules.Signed(v+h, sign)
				if l := loss(w); l < least*(1-1e-12) {
					t.Errorf("%s: w[%d,%d] = %v has loss %v, %v has %v", name, r, a, v, least, row[a], l)
				}
				row[a] = v
			}
		}
	}
	return free
}

// TestConstraintsRankDeficient: equal columns and rules that never fire do not prevent an end.
func TestConstraintsRankDeficient(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	rb := rulebase(rng, 6, 4)
	x, y := samples(rng, 40, 4)
	for _, row := range x {
		row[1], row[2] = row[0], -row[0]
	}
	rb.Antecedents[0][2][0] = 1e6
	rb.Signs = []int{0, 1, 1, 1, -1}
	w := testenv.Must(testenv.Must(New(context.Background(), x, y, nil, 6, 0)).Estimate(context.Background(), rb))
	checkMinimum(t, "rank deficient", rb, w, func(w [][]float64) float64 { return loss(rb, w, x, y, nil, 0) })
}

// BenchmarkEstimateSigns measures an estimate with bounded slopes from the estimate before.
func BenchmarkEstimateSigns(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	rb := rulebase(rng, 16, 8)
	x, y := samples(rng, 1000, 8)
	e := testenv.Must(New(context.Background(), x, y, nil, 16, 0.05))
	for _, signs := range [][]int{nil, {0, 1, -1, 1, -1, 1, -1, 1, -1}} {
		rb.Signs = signs
		rules.ProjectSigns(rb)
		b.Run(fmt.Sprint(signs != nil), func(b *testing.B) {
			for b.Loop() {
				w := testenv.Must(e.Estimate(context.Background(), rb))
				rb.Consequents = w
				rb.Antecedents[0][0][0] += 1e-3
			}
		})
	}
}
