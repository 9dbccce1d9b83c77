package graph

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/rules"
)

// tied ties rules of a problem to the functions of the first: rules 0, 2 and 3 at
// feature 0, rules 1 and 2 at feature 1.
func (p *problem) tied() *problem {
	p.rb.Tie = [][]int{{0, 0}, {1, 1}, {0, 1}, {0, 3}}
	for _, g := range p.rb.TiedGroups() {
		for _, a := range p.rb.Antecedents {
			for _, r := range g.Rules {
				a[r][g.Feature] = a[g.Rules[0]][g.Feature]
			}
		}
	}
	return p
}

// TestTiedGradientIsTheSum checks that the gradient of every copy is the sum of those of
// untied copies, the derivative of the loss when all move together, and that the other
// gradients are those without ties.
func TestTiedGradientIsTheSum(t *testing.T) { bothEngines(t, testTiedGradientIsTheSum) }

func testTiedGradientIsTheSum(t *testing.T, engine string) {
	for _, shape := range []string{"gaussian", "trapezoid", "psigmoid"} {
		p := newProblem(t, shape, 4, 2, 9, true, 0.05).on(engine).tied()
		n := p.network(t)
		if _, err := n.Gradients(); err == nil {
			t.Error("gradients before the first Evaluate")
		}
		p.evaluate(t, n)
		p.evaluate(t, n) // a second run must not add to the gradients
		got := gradients(t, n)
		free := *p
		free.rb = p.rb.Clone()
		free.rb.Tie = nil
		f := free.network(t)
		free.evaluate(t, f)
		want := gradients(t, f)
		for _, g := range p.rb.TiedGroups() {
			for j, a := range want.Antecedents {
				sum := 0.0
				for _, r := range g.Rules {
					sum += a[r][g.Feature]
				}
				for _, r := range g.Rules {
					a[r][g.Feature] = sum
				}
				if shape == "gaussian" {
					if d := p.together(j, g); math.Abs(d-sum) > 1e-6*(1+math.Abs(sum)) {
						t.Errorf("parameter %d of %v: %v, by differences %v", j, g, sum, d)
					}
				}
			}
		}
		for j := range want.Antecedents {
			if e := relativeError(got.Antecedents[j], want.Antecedents[j]); e > 1e-12 {
				t.Errorf("%s, parameter %d: relative difference %g from the sums", shape, j, e)
			}
		}
		for r, w := range got.Consequents {
			if !slices.Equal(w, want.Consequents[r]) {
				t.Errorf("%s: gradient of consequents %v, without ties %v", shape, w, want.Consequents[r])
			}
		}
	}
}

func gradients(t *testing.T, n *Network) rules.Parameters {
	t.Helper()
	g, err := n.Gradients()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// together is the difference of the plain loss when all copies move.
func (p *problem) together(j int, g rules.Tied) float64 {
	const h = 1e-5
	by := func(step float64) float64 {
		for _, r := range g.Rules {
			p.rb.Antecedents[j][r][g.Feature] += step
		}
		return p.plainLoss()
	}
	up := by(h)
	down := by(-2 * h)
	by(h)
	return (up - down) / (2 * h)
}

// TestSetConsequents checks that the network has, and predicts with, the consequents set.
func TestSetConsequents(t *testing.T) {
	p := newProblem(t, "gaussian", 3, 2, 5, false, 0)
	n := p.network(t)
	w := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	n.SetConsequents(w)
	rb := n.RuleBase()
	for r := range w {
		if !slices.Equal(rb.Consequents[r], w[r]) {
			t.Errorf("rule %d: %v, want %v", r, rb.Consequents[r], w[r])
		}
	}
	want, _ := rb.Forward(p.x, nil)
	got, _, err := n.Predict(p.x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("sample %d: %v, want %v", i, got[i], want[i])
		}
	}
}
