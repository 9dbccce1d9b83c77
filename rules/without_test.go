package rules_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestMonotone: the nearest values that do not fall are the largest, over all stretches that end at or after a value, of the least means of
// those that begin at or before it.
func TestMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 12; n++ {
		for _, sign := range []int{1, -1} {
			given := make([]float64, n)
			for i := range given {
				given[i] = float64(sign) * math.Round(3*rng.NormFloat64())
			}
			got := slices.Clone(given)
			rules.Monotone(got, sign)
			for k := range given {
				want := math.Inf(-1)
				for i := 0; i <= k; i++ {
					least, sum := math.Inf(1), 0.0
					for j := i; j < n; j++ {
						sum += float64(sign) * given[j]
						if j >= k {
							least = min(least, sum/float64(j-i+1))
						}
					}
					want = max(want, least)
				}
				if math.Abs(float64(sign)*got[k]-want) > 1e-12 {
					t.Errorf("%v, sign %d: %v", given, sign, got)
				}
			}
			again := slices.Clone(got)
			if rules.Monotone(again, sign); !slices.Equal(again, got) {
				t.Errorf("%v changes to %v", got, again)
			}
		}
	}
}

// confined returns three rules over two features; the first must not mention the second feature, the others not the first in the THEN part.
func confined() *rules.RuleBase {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{
		Centers: [][]float64{{0, 0}, {1, 1}, {1.001, 1.001}}, Spreads: [][]float64{{1, 1}, {1, 1}, {1, 1}}, Targets: []float64{1, 2, 2.001}})
	for _, w := range rb.Consequents {
		w[1], w[2] = 3, -4
	}
	rb.Without = [][]rules.Keep{{0, rules.KeepAll}, {rules.KeepThen, 0}, {rules.KeepThen, 0}}
	return rb
}

// TestWithout: Confine takes away what parts must not mention, Validate finds it, and pruning merges only rules that may mention the same.
func TestWithout(t *testing.T) {
	rb := confined()
	testenv.FailsWith(t, rb.Validate(), "without[r=0,m=1]: the IF part mentions the feature")
	rb.Flatten(0, 1)
	testenv.FailsWith(t, rb.Validate(), "without[r=0,m=1]: output 0 has the slope -4")
	rules.Confine(rb)
	testenv.OK(t, rb.Validate())
	if w := rb.Consequents; w[0][1] != 3 || w[0][2] != 0 || w[1][1] != 0 || w[1][2] != -4 {
		t.Errorf("consequents %v", w)
	}
	for want, change := range map[string]func(rb *rules.RuleBase){
		"without: 2 rows; there are 3 rules":        func(rb *rules.RuleBase) { rb.Without = rb.Without[:2] },
		"without[r=1]: 1 features; there are 2":     func(rb *rules.RuleBase) { rb.Without[1] = rb.Without[1][:1] },
		"without[r=1,m=1] = 4: must lie between 0 ": func(rb *rules.RuleBase) { rb.Without[1][1] = 4 },
	} {
		wrong := rb.Clone()
		change(wrong)
		testenv.FailsWith(t, wrong.Validate(), want)
	}
	x := [][]float64{{0, 0}, {1, 1}, {1, 0}, {0.5, 1}}
	pruned, account, err := rules.Prune(context.Background(), rb, x, nil, 0, 0.01) // all rules are this similar
	testenv.OK(t, err)
	if m := account.Merged; len(m) != 1 || m[0].Rule != 3 || m[0].Into != 2 || len(pruned.Without) != 2 || pruned.Validate() != nil {
		t.Errorf("%+v, %v", account, pruned.Without)
	}
	rb.Without = nil
	if _, account, _ = rules.Prune(context.Background(), rb, x, nil, 0, 0.01); len(account.Merged) != 2 {
		t.Errorf("rules that may mention all: %+v", account)
	}
}
