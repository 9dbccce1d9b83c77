package model

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
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
	return testenv.Must(m.Explain(x))
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
// sample, with categories, missing values, limits and curves.
func TestExplainAddsUp(t *testing.T) {
	limited, uncovered, rounded := 0, 0, 0
	for seed, name := range membership.Names() {
		for _, curves := range []string{"no", "shared", "own"} {
			m, x := random(t, testenv.Must(membership.Lookup(name)), uint64(seed))
			if m.Target.Margin = 0.01; curves != "no" {
				m = withCurves(t, m, x, curves == "own")
			}
			for n, want := range predict(t, m, x).Values {
				e := explain(t, m, x[n])
				if e.sum() != e.Prediction || e.Prediction != want {
					t.Fatalf("%s, %s curves, sample %d: parts add up to %v, prediction %v, predicted %v", name, curves, n, e.sum(), e.Prediction, want)
				}
				limited += count(e.Limit != 0)
				uncovered += count(e.Uncovered)
				rounded += count(len(e.Rounding) > 0)
			}
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

// TestExplainCancelling: contributions nearly cancel, so that their sum is of the size of the rounding errors.
func TestExplainCancelling(t *testing.T) {
	testenv.SkipRace(t)
	rng := rand.New(rand.NewPCG(3, 4))
	twice := 0
	for range testenv.CaseNumber(8000, 15_000, 50_000) {
		m := small()
		m.Target.Mean, m.Target.SD = 0, 0.1+rng.Float64()
		m.RuleBase.Parameters = rules.NewParameters(2, 3, 1)
		for r := range 3 {
			m.RuleBase.Antecedents[0][r][0], m.RuleBase.Antecedents[1][r][0] = rng.NormFloat64(), 1
		}
		x := []float64{10 + 2*rng.Float64()}
		z := testenv.Must(m.Scale([][]float64{x}))
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
	m := testenv.Must(NewCommittee(a.Preprocessing, []*Model{a, b}, a.Training))
	e := explain(t, m, []float64{11})
	if len(e.Members) != 2 || e.Rules != nil || e.Prediction != e.Members[0].Prediction+(e.Members[1].Prediction-e.Members[0].Prediction)/2 {
		t.Errorf("%+v", e)
	}
}

// tableOf returns a data set of the schema of small.
func tableOf(x, y []float64) *data.Dataset {
	d := &data.Dataset{Schema: small().Schema, Y: y}
	for _, v := range x {
		d.X = append(d.X, []float64{v})
	}
	return d
}

func readability(t *testing.T, m *Model, d, training *data.Dataset) Readability {
	t.Helper()
	return testenv.Must(MeasureReadability(context.Background(), m, d, training))
}

// near reports whether v is a number that differs from want by at most 1e-12 of it.
func near(v *float64, want float64) bool { return v != nil && math.Abs(*v-want) <= 1e-12*want }

// The rules of small have centres at x = 10 and 14 (z 0 and 2) and say 1+2z and -1+z/2 above the mean 5.
func TestReadabilityByHand(t *testing.T) {
	d := tableOf([]float64{8, 10, 16}, []float64{4, 7, 5})
	says := [][2]float64{{4, 3.5}, {6, 4}, {12, 5.5}} // z = -1, 0, 3
	strongest := []float64{4, 6, 5.5}
	whole, alone, disagree := 0.0, 0.0, 0.0
	var firing, output [2]float64
	for n, z := range []float64{-1, 0, 3} {
		a, b := math.Exp(-z*z/2), math.Exp(-(z-2)*(z-2)/2)
		f := [2]float64{a / (a + b), b / (a + b)}
		p := f[0]*says[n][0] + f[1]*says[n][1]
		whole += (p - d.Y[n]) * (p - d.Y[n]) / 3
		alone += (strongest[n] - d.Y[n]) * (strongest[n] - d.Y[n]) / 3
		for r := range f {
			disagree += f[r] * (says[n][r] - p) * (says[n][r] - p) / 3
			firing[r] += f[r]
			output[r] += f[r] * says[n][r]
		}
	}
	sd := math.Sqrt((4.0/3*4.0/3 + 5.0/3*5.0/3 + 1.0/9) / 2)
	m := small()
	m.RuleBase.Antecedents = [][][]float64{{{0}, {2}}, {{1}, {1}}}
	r := readability(t, m, d, nil)
	if !near(r.Fidelity, math.Sqrt(alone/whole)) || !near(r.Disagreement,
		math.Sqrt(disagree)/sd) || r.Idle != 0 || r.OutOfRange != 0 || r.Samples != 3 || r.Rules != 2 {
		t.Errorf("fidelity %v, want %v; disagreement %v, want %v; %+v", *r.Fidelity, math.Sqrt(alone/whole), *r.Disagreement,
			math.Sqrt(disagree)/sd, r)
	}
	if m.Target.Max = 4.4; output[1]/firing[1] < 4.4 || output[0]/firing[0] < 4.4 {
		t.Fatal("both means are above 4.4")
	}
	if r := readability(t, m, d, nil); r.OutOfRange != 1 || r.Readable() {
		t.Errorf("out of range %v, want 1: %v and %v are above 4.4", r.OutOfRange, output[0]/firing[0], output[1]/firing[1])
	}
	highest := max(output[0]/firing[0], output[1]/firing[1])
	for share, want := range map[float64]bool{0.0005: false, 0.002: true} { // of the range, by which the mean is above it
		m.Target.Max = (highest + share*m.Target.Min) / (1 + share)
		if r := readability(t, m, d, nil); r.OutOfRange > 0 != want {
			t.Errorf("%v of the range above it: out of range %v", share, r.OutOfRange)
		}
	}
	if r := readability(t, m, tableOf([]float64{8, 10}, []float64{4, 7}), nil); r.Idle != 0.5 || r.Readable() {
		t.Errorf("idle %v, want 0.5: the second rule is weaker on both", r.Idle)
	}
	if r := readability(t, m, tableOf([]float64{8, 10}, []float64{4, 7}), d); r.Idle != 0 || r.Tied != 0 {
		t.Errorf("idle %v, tied %v, want 0: the second rule decides a training sample", r.Idle, r.Tied)
	}
}

// Rules without conditions are equally strong everywhere: none of them decides, and the one that errs most counts, whatever their order.
func TestReadabilityOfTies(t *testing.T) {
	d := tableOf([]float64{8, 10, 16}, []float64{4, 7, 5})
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		m := small()
		first := m.RuleBase.Consequents
		m.RuleBase.Antecedents = [][][]float64{{{0}, {0}}, {{1}, {1 + 1e-15}}}
		m.RuleBase.Consequents = [][]float64{first[order[0]], first[order[1]]}
		whole, alone, err := HeldOutLosses(context.Background(), m, d, 1)
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range []float64{0.25, 9, 49} { // says {4, 3.5}, {6, 4}, {12, 5.5}
			if math.Abs(alone[n]-want) > 1e-12 || !(whole[n] < want) {
				t.Errorf("squared errors %v of the model, %v of the worse rule; want %v", whole[n], alone[n], want)
			}
		}
		if r := readability(t, m, d, nil); r.Idle != 1 || r.Tied != 1 {
			t.Errorf("idle %v, tied %v, want 1: no sample is decided", r.Idle, r.Tied)
		}
	}
}

// Samples that no rule covers are counted and left out.
func TestReadabilityUncovered(t *testing.T) {
	m := smallTrapezoid()
	d := tableOf([]float64{11, 15, 19, 12}, []float64{4, 7, 5, 6})
	got, want := readability(t, m, d, nil), readability(t, m, tableOf([]float64{11, 19, 12}, []float64{4, 5, 6}), nil)
	if got.Uncovered != 1 || *got.Fidelity != *want.Fidelity {
		t.Errorf("%+v, fidelity %v; without the uncovered sample %v", got, *got.Fidelity, *want.Fidelity)
	}
	_, alone, err := HeldOutLosses(context.Background(), m, d, 1)
	if err != nil || !math.IsNaN(alone[1]) || math.IsNaN(alone[0]) {
		t.Errorf("errors of the strongest rule %v, %v; NaN for the uncovered sample only", alone, err)
	}
	if r := readability(t, m, tableOf([]float64{15, 15}, []float64{4, 7}), nil); r.Fidelity != nil || r.Readable() || r.Uncovered != 2 {
		t.Errorf("nothing covered: %+v", r)
	}
}

// The errors of the model are those of its predictions, to the bit.
func TestHeldOutLossesArePredictions(t *testing.T) {
	shapes(t, func(t *testing.T, shape membership.Function) {
		m, x := random(t, shape, 5)
		d := &data.Dataset{Schema: m.Schema, X: x, Y: make([]float64, len(x)), Weights: make([]float64, len(x)),
			Missing: data.Missing{Policy: "mean"}}
		for n := range d.Weights {
			d.Weights[n] = 1 + float64(n%3)
		}
		whole, _, err := HeldOutLosses(context.Background(), m, d, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := predict(t, m, x).Values
		for n := range want {
			e := want[n] / 2
			want[n] = numeric.WeightAt(d.Weights, n) * (e * e)
		}
		if !sameBits(whole, want) {
			t.Error("differ from the predictions")
		}
	})
}

// A weight counts as repetitions do, except in the divisor of the target's standard deviation.
func TestReadabilityIsWeighted(t *testing.T) {
	m := small()
	d := tableOf([]float64{8, 10, 16}, []float64{4, 7, 5})
	d.Weights, d.Schema.Weight = []float64{2, 2, 1}, "w"
	twice := tableOf([]float64{8, 8, 10, 10, 16}, []float64{4, 4, 7, 7, 5})
	got, want := readability(t, m, d, nil), readability(t, m, twice, nil)
	divisors := math.Sqrt(float64(5.0/4) / (3.0 / 2)) // n/(n-1)
	if !near(got.Fidelity, *want.Fidelity) || !near(got.Disagreement, *want.Disagreement*divisors) {
		t.Errorf("fidelity %v and %v, disagreement %v and %v", *got.Fidelity, *want.Fidelity, *got.Disagreement, *want.Disagreement*divisors)
	}
	if plain := readability(t, m, tableOf([]float64{8, 10, 16}, d.Y), nil); near(plain.Fidelity, *got.Fidelity) {
		t.Error("the weights had no effect")
	}
}

// A model without errors and a rule that differs from it by rounding have no ratio to show.
func TestFidelityOfAnExactModel(t *testing.T) {
	m := small()
	m.RuleBase.Consequents = [][]float64{{1, 2}, {1, 2 + 1e-15}}
	d := tableOf([]float64{8, 10, 16}, []float64{4, 6, 12})
	if r := readability(t, m, d, nil); !near(r.Fidelity, 1) {
		t.Errorf("fidelity %v, want 1", r.Fidelity)
	}
}

// The figures of a committee are means over its members.
func TestReadabilityOfACommittee(t *testing.T) {
	a, b := small(), small()
	b.RuleBase.Consequents = [][]float64{{1, 2}, {1, 2}}
	c := testenv.Must(NewCommittee(a.Preprocessing, []*Model{a, b}, Training{}))
	d := tableOf([]float64{8, 10}, []float64{4, 7})
	ra, rb, r := readability(t, a, d, nil), readability(t, b, d, nil), readability(t, c, d, nil)
	if !near(r.Fidelity, (*ra.Fidelity+*rb.Fidelity)/2) || !near(r.Disagreement,
		(*ra.Disagreement+*rb.Disagreement)/2) || r.Rules != 4 || r.Members != 2 || r.Idle != (ra.Idle+rb.Idle)/2 {
		t.Errorf("%+v; members %+v and %+v", r, ra, rb)
	}
	if *ra.Fidelity == *rb.Fidelity {
		t.Error("the members are equal")
	}
	if _, _, err := HeldOutLosses(context.Background(), c, d, 1); err == nil {
		t.Error("a committee has a strongest rule")
	}
}
