package model

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// sum adds the parts of an explanation from the left.
func (e *Explanation) sum() float64 {
	sum := e.Mean
	for _, r := range e.Rules {
		sum += r.Contribution
	}
	if e.Neighbours != nil {
		if e.Members != nil {
			sum = e.Neighbours.Before
		}
		sum += e.Neighbours.Contribution
	}
	sum += e.Limit
	for _, v := range e.Rounding {
		sum += v
	}
	return sum
}

func explain(t *testing.T, m *Model, x []float64) *Explanation {
	t.Helper()
	e, err := m.Explain(x)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExplainByHand: x = 12 is z = 1; rule 1 has c 0, sigma 1, rule 2 c 2, sigma 2.
func TestExplainByHand(t *testing.T) {
	e := explain(t, small(), []float64{12})
	f1, f2 := math.Exp(-0.5), math.Exp(-0.125)
	f1, f2 = f1/(f1+f2), f2/(f1+f2)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-15*max(1, math.Abs(want)) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if e.Rules[0].Rule != 2 || e.Rules[1].Rule != 1 {
		t.Fatalf("%+v", e.Rules)
	}
	near("prediction", e.Prediction, 5+f1*3-f2*0.5)
	near("share", e.Rules[0].Share, f2)
	near("output", e.Rules[1].Output, 8)
	near("contribution", e.Rules[1].Contribution, 3*f1)
	near("contribution", e.Rules[0].Contribution, -0.5*f2)
}

// TestExplainAddsUp: the parts sum to the prediction to the bit, for every shape and
// sample, with categories, missing values and limits.
func TestExplainAddsUp(t *testing.T) {
	limited, uncovered, rounded := 0, 0, 0
	for seed, name := range membership.Names() {
		shape, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		m, x := random(t, shape, uint64(seed))
		m.Target.Margin = 0.01
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		for n, row := range x {
			e := explain(t, m, row)
			if e.sum() != e.Prediction || e.Prediction != p.Values[n] {
				t.Fatalf("%s, sample %d: parts add up to %v, prediction %v, predicted %v", name, n, e.sum(), e.Prediction, p.Values[n])
			}
			limited += count(e.Limit != 0)
			uncovered += count(e.Uncovered)
			rounded += count(len(e.Rounding) > 0)
		}
	}
	if limited == 0 || uncovered == 0 || rounded == 0 {
		t.Errorf("%d limited, %d uncovered, %d rounded: some case was never reached", limited, uncovered, rounded)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestExplainCancelling: contributions nearly cancel, so that their sum is of the size
// of the rounding errors.
func TestExplainCancelling(t *testing.T) {
	racedetector.Skip(t)
	rng := rand.New(rand.NewPCG(3, 4))
	twice := 0
	for range 50000 {
		m := small()
		m.Target.Mean, m.Target.SD = 0, 0.1+rng.Float64()
		m.RuleBase.Parameters = rules.NewParameters(2, 3, 1)
		for r := range 3 {
			m.RuleBase.Antecedents[0][r][0], m.RuleBase.Antecedents[1][r][0] = rng.NormFloat64(), 1
		}
		x := []float64{10 + 2*rng.Float64()}
		z, err := m.Scale([][]float64{x})
		if err != nil {
			t.Fatal(err)
		}
		f, w := m.RuleBase.FiringLevels(z, nil)[0], m.RuleBase.Consequents
		w[0][0], w[1][0] = rng.NormFloat64(), rng.NormFloat64()
		w[2][0] = -(f[0]*w[0][0] + f[1]*w[1][0]) / f[2]
		e := explain(t, m, x)
		if e.sum() != e.Prediction || len(e.Rounding) > 2 {
			t.Fatalf("parts add up to %v, prediction %v, %v", e.sum(), e.Prediction, e.Rounding)
		}
		twice += count(len(e.Rounding) == 2)
	}
	if twice == 0 {
		t.Error("no case needed two rounding steps")
	}
}

func TestExplainRefuses(t *testing.T) {
	m := small()
	var sample *SampleError
	for _, x := range [][]float64{{math.NaN()}, {}, {1e300}} {
		if len(x) > 0 && x[0] == 1e300 {
			m.RuleBase.Consequents[0][1] = 1e10
		}
		if _, err := m.Explain(x); !errors.As(err, &sample) {
			t.Errorf("%v: %v", x, err)
		}
	}
}

func TestExplainCommittee(t *testing.T) {
	a, b := small(), small()
	b.RuleBase.Consequents[0][0] = 3
	m, err := NewCommittee(a.Preprocessing, []*Model{a, b}, a.Training)
	if err != nil {
		t.Fatal(err)
	}
	e := explain(t, m, []float64{11})
	if len(e.Members) != 2 || e.Rules != nil || e.Prediction != e.Members[0].Prediction+(e.Members[1].Prediction-e.Members[0].Prediction)/2 {
		t.Errorf("%+v", e)
	}
}
