package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// fewDigits reports whether v has at most n significant digits, up to rounding errors of size.
func fewDigits(v float64, n int, size float64) bool {
	return math.Abs(numeric.Round(v, n)-v) <= 1e-12*size
}

// isMultiple reports whether v is a multiple of 10^place.
func isMultiple(v float64, place int, size float64) bool {
	return math.Abs(numeric.RoundTo(v, place)-v) <= 1e-12*size
}

// TestRound: for every shape, the numbers in the units of the data have few digits, the rules
// are valid, equal functions equal, and flat functions and slopes of zero as before.
func TestRound(t *testing.T) {
	shapes(t, func(t *testing.T, shape membership.Function) {
		for n := 1; n <= 4; n++ {
			m, x := random(t, shape, uint64(n))
			m.Target.SD = 2.5
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			rb := m.RuleBase
			rb.Flatten(1, 2)
			for j := range rb.Antecedents {
				rb.Antecedents[j][3] = rb.Antecedents[j][2]
			}
			rb.Consequents[0][2] = 0
			z := testenv.Must(m.Scale(x[:60]))
			y := make([]float64, len(z))
			for i := range y {
				y[i] = rng.NormFloat64()
			}
			got := testenv.Must(Round(context.Background(), m.Preprocessing, rb, n, z, y, nil))
			noError(got.Validate())
			if !got.IsFlat(1, 2) || got.Consequents[0][2] != 0 {
				t.Error("a flat function or a slope of zero is rounded to something else")
			}
			fine := 0 // functions with more digits
			size := errorSize(context.Background(), m.Preprocessing, rb, z, func(i int) float64 { return y[i] }, nil)
			for r := range rb.Rules() {
				checkFormula(t, m.Preprocessing, rb, got, r, n, size)
				for i, f := range m.Inputs() {
					for j, param := range shape.Params() {
						v := got.Antecedents[j][r][i]
						if r == 3 && v != got.Antecedents[j][2][i] {
							t.Errorf("equal functions are rounded to %v and %v", got.Antecedents[j][2][i], v)
						}
						u := f.InUnits(v, param.Kind)
						ok := fewDigits(u, n, math.Abs(u))
						if param.Kind == membership.Position {
							ok = isMultiple(u, int(math.Floor(math.Log10(f.SD/2)))+1-n, math.Abs(f.Mean)+f.SD)
						}
						if !ok && !got.IsFlat(r, i) {
							fine++
						}
					}
				}
			}
			if all := len(shape.Params()) * rb.Rules() * len(m.Inputs()); n > 1 && fine > all/20 {
				t.Errorf("%d digits: %d of %d parameters have more", n, fine, all)
			}
		}
	})
}

// TestRoundKeeps: what is kept is not rounded, in no bit, nor what it shares; the rest is.
func TestRoundKeeps(t *testing.T) {
	shapes(t, func(t *testing.T, shape membership.Function) {
		m, x := random(t, shape, 5)
		rb := m.RuleBase
		rb.Tie = make([][]int, rb.Rules())
		for r := range rb.Tie {
			for i := range rb.Features() {
				rb.Tie[r] = append(rb.Tie[r], r*(1-i%2)) // odd features have one function
				for j := range rb.Antecedents {
					rb.Antecedents[j][r][i] = rb.Antecedents[j][rb.Tie[r][i]][i]
				}
			}
		}
		rb.Keep = make([]rules.Keep, rb.Rules())
		rb.Keep[0], rb.Keep[1] = rules.KeepIf, rules.KeepThen
		knots := make([][]float64, rb.Features())
		knots[0] = []float64{-1.23456789, 0.12345678, 1.3456789}
		rules.AddCurves(rb, knots, true)
		for _, values := range rb.Curves {
			copy(values, []float64{0.123456, -0.23456, 0.34567})
		}
		z := testenv.Must(m.Scale(x[:60]))
		y := make([]float64, len(z))
		for i := range y {
			y[i] = float64(i % 7)
		}
		got := testenv.Must(Round(context.Background(), m.Preprocessing, rb, 2, z, y, nil))
		noError(got.Validate())
		marks, moved := rules.Kept(rb), map[float64]int{}
		for k, before := range append(slices.Clone(rb.Antecedents), rb.Consequents, rb.Curves) {
			after := append(slices.Clone(got.Antecedents), got.Consequents, got.Curves)[k]
			for r, row := range append(slices.Clone(marks.Antecedents), marks.Consequents, marks.Curves)[k] {
				for i, mark := range row {
					if before[r][i] != after[r][i] {
						moved[mark]++
					}
				}
			}
		}
		if moved[1] > 0 || moved[0] < 10 {
			t.Errorf("%d kept and %d other parameters are rounded", moved[1], moved[0])
		}
		if !slices.Equal(got.Knots[0], knots[0]) {
			t.Errorf("knots of a kept curve: %v", got.Knots[0])
		}
	})
}

// checkFormula checks that the formula of a rule has round numbers.
func checkFormula(t *testing.T, p Preprocessing, before, after *rules.RuleBase, r, n int, rmse float64) {
	t.Helper()
	_, old := p.Formula(before.Consequents[r])
	intercept, slopes := p.Formula(after.Consequents[r])
	size := math.Abs(intercept) + math.Abs(p.Target.Mean)
	for m, v := range slopes {
		if want := numeric.Round(old[m], n); math.Abs(v-want) > 1e-12*math.Abs(want) {
			t.Errorf("rule %d, slope %d: %v, want %v", r, m, v, want)
		}
		size += math.Abs(v * p.Inputs()[m].Mean)
	}
	if !isMultiple(intercept, int(math.Floor(math.Log10(rmse/20))), size) {
		t.Errorf("rule %d: intercept %v with an RMSE of %v", r, intercept, rmse)
	}
}

// TestRoundKeepsTheMean: rounding to one digit does not shift what a rule says where it fires, up to the rounding of the intercept.
func TestRoundKeepsTheMean(t *testing.T) {
	m, x := random(t, membership.Gaussian{}, 9)
	z := testenv.Must(m.Scale(x[:60]))
	weights := make([]float64, len(z))
	for n := range weights {
		weights[n] = float64(1 + n%4)
	}
	y, _, _ := m.RuleBase.Forward(z, nil)
	for n := range y {
		y[n] += 0.1 * float64(n%2*2-1)
	}
	rounded := testenv.Must(Round(context.Background(), m.Preprocessing, m.RuleBase, 1, z, y, weights))
	changed := false
	for r := range rounded.Rules() {
		sum, shift := 0.0, 0.0
		for n, f := range rounded.FiringLevels(z, nil) {
			sum += weights[n] * f[r]
			shift += weights[n] * f[r] * (rounded.Consequent(r, z[n]) - m.RuleBase.Consequent(r, z[n]))
		}
		if math.Abs(shift/sum) > 0.1/40+1e-12 {
			t.Errorf("rule %d is shifted by %v", r, shift/sum)
		}
		for i, v := range rounded.Consequents[r][1:] {
			changed = changed || math.Abs(v/m.RuleBase.Consequents[r][i+1]-1) > 0.1
		}
	}
	if !changed {
		t.Error("no slope changed by a tenth: nothing is tested")
	}
}

// TestRoundTransformed: functions of a transformed feature have round numbers in units of the
// transform; a perfect fit and a constant target are no obstacle.
func TestRoundTransformed(t *testing.T) {
	m := smallBent()
	m.RuleBase.Antecedents[0][0][0] = 0.123456
	z := testenv.Must(m.Scale([][]float64{{1}, {4}}))
	y, _, _ := m.RuleBase.Forward(z, nil)
	got := testenv.Must(Round(context.Background(), m.Preprocessing, m.RuleBase, 3, z, y, nil))
	if v := got.Antecedents[0][0][0]; math.Abs(v-0.123) > 1e-15 {
		t.Errorf("c = %v, want 0.123", v)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	if err := testenv.Must(Round(context.Background(), m.Preprocessing, m.RuleBase, 3, z, []float64{1e200, -1e200},
		nil)).Validate(); err != nil { // its squares overflow
		t.Error(err)
	}
	m.Target = Target{}
	if err := testenv.Must(Round(context.Background(), m.Preprocessing, m.RuleBase, 3, z, make([]float64, 2), nil)).Validate(); err != nil {
		t.Error(err)
	}
}

// wide is a sigmoid whose borders keep a distance.
type wide struct{ membership.Sigmoid }

func (wide) Project(p [][]float64) {
	for i, low := range p[0] {
		p[2][i] = max(p[2][i], low+1e-4)
	}
}

// TestRoundKeepsSharedBorders: a border stays the same on both sides, even if one of the
// functions has more digits because its borders would otherwise coincide.
func TestRoundKeepsSharedBorders(t *testing.T) {
	m := small()
	m.Features[0].Mean, m.Features[0].SD = 0, 1
	rb := m.RuleBase
	rb.Shape = wide{}
	rb.Antecedents = [][][]float64{{{-1e200}, {0.12345}}, {{0.5}, {0.54321}}, {{0.12345}, {0.12367}}, {{0.54321}, {0.7}}}
	rb.Splits = []rules.Split{{Feature: 0, Threshold: 0.3, Below: []int{0}, Above: []int{1}}}
	noError(rb.Validate())
	for n := 1; n < 5; n++ {
		got := testenv.Must(Round(context.Background(), m.Preprocessing, rb, n, [][]float64{{0}, {1}}, []float64{0, 1}, nil))
		if err := got.Validate(); err != nil {
			t.Errorf("%d digits: %v", n, err)
		}
		if got.Antecedents[0][1][0] == 0.12345 {
			t.Errorf("%d digits: not rounded", n)
		}
	}
}

// TestRoundOutputs checks that the consequents of every output are rounded, in the unit of its target or on the scale of the link.
func TestRoundOutputs(t *testing.T) {
	z := [][]float64{{-1}, {0.5}, {1}}
	c := &rules.Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{0.123456789, -2.3456789, 0.777777777}}
	for link, response := range map[string]Response{
		"softmax": {Link: softmaxLink, Classes: make([]Class, 3)},
		"ordered": {Link: orderedLink, Quantiles: []float64{0.1, 0.5, 0.9}, TrainingQuantiles: make([]float64, 3)},
	} {
		p := Preprocessing{Features: []Feature{{Name: "x", Mean: 10, SD: 2}}, Target: Target{Mean: 50, SD: 20, Min: 0, Max: 100},
			Response: response}
		rb := rules.New(membership.Gaussian{}, c)
		for o := range 3 {
			rb.Output(o).Consequents[0][1] = 0.123456789
		}
		got := testenv.Must(Round(context.Background(), p, rb, 2, z, make([]float64, 9), nil))
		for o := range 3 {
			one, _ := p.output(o)
			intercept, slopes := one.Formula(got.Output(o).Consequents[0])
			if !fewDigits(slopes[0], 2, 1) || link == "softmax" && !isMultiple(intercept, -2,
				1) || rb.Output(o).Consequents[0][0] == got.Output(o).Consequents[0][0] {
				t.Errorf("%s: output %d: %v + %v x", link, o, intercept, slopes)
			}
		}
	}
}

// TestRoundOpen: an open border keeps its bits, so that rules.yaml has .inf and not a number of its size.
func TestRoundOpen(t *testing.T) {
	shapes(t, func(t *testing.T, shape membership.Function) {
		bordered, ok := shape.(membership.Between)
		if !ok {
			t.Skip("no borders")
		}
		f, floor := Feature{Mean: 10, SD: 8.0712739}, 1e-3
		for _, v := range [][]float64{bordered.Between(math.Inf(-1), 0.3, 0.1), bordered.Between(0.3, math.Inf(1), 0.1)} {
			for j, param := range shape.Params() {
				if got := roundFunction(f, shape.Params(), floor, v, 3)[j]; membership.IsOpen(param, v[j]) && got != v[j] {
					t.Errorf("%s of an open border: %v, rounded to %v", param.Name, v[j], got)
				}
			}
		}
	})
}

func noError(err error) {
	if err != nil {
		panic(err)
	}
}
