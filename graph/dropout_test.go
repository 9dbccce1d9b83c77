package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

const keep = 0.7

// regularised are a network with Rule Dropout and batch normalisation, if they are on, and its
// batch.
type regularised struct {
	*Network
	rb              *rules.RuleBase // before training
	x               [][]float64
	mask            [][]float64
	target          []float64
	dropout, normal bool
}

func newRegularised(t *testing.T, dropout, normal bool) *regularised {
	t.Helper()
	p := newProblem(t, "gaussian", 4, 3, 9, true, 0)
	o := Options{Engine: "autodiff", Batch: 9, Penalties: []penalty.Penalty{penalty.Slopes{}}}
	if dropout {
		o.RuleDropout = keep
	}
	if normal {
		o.BatchNorm = &Moments{Mean: []float64{0.3, -0.2, 0.1}, Variance: []float64{1.5, 0.8, 1.2}}
	}
	n := testenv.Must(New(p.rb, o))
	rng := rand.New(rand.NewPCG(3, 4))
	for _, v := range n.trainable {
		if name := v.(interface{ Name() string }).Name(); name == "scale" || name == "shift" {
			for i := range v.Value().(*tensor.Dense).Float64s() {
				v.Value().(*tensor.Dense).Float64s()[i] += 0.3 * rng.NormFloat64()
			}
		}
	}
	r := &regularised{Network: n, rb: p.rb, dropout: dropout, normal: normal}
	for range 9 {
		row, mask := make([]float64, 3), make([]float64, 4)
		for m := range row {
			row[m] = rng.NormFloat64()
		}
		for i := range mask {
			mask[i] = float64(rng.IntN(2))
		}
		mask[rng.IntN(4)] = 1
		r.x, r.mask, r.target = append(r.x, row), append(r.mask, mask), append(r.target, rng.NormFloat64())
	}
	return r
}

// loss returns the loss with the current parameters from the definitions, without package
// layers.
func (r *regularised) loss() float64 {
	rb := r.rb.Clone()
	rb.Parameters = r.Parameters()
	total := 0.0
	for n, levels := range rb.FiringLevels(r.x, r.levelMask()) {
		y, z := 0.0, r.inputs(n)
		for i, level := range levels {
			if r.dropout {
				level *= r.mask[n][i] / keep
			}
			y += level * rb.Consequent(i, append(slices.Clone(r.x[n]), z...))
		}
		total += (y - r.target[n]) * (y - r.target[n]) / 2
	}
	return total
}

// levelMask returns the mask before the normalisation.
func (r *regularised) levelMask() [][]float64 {
	if r.dropout {
		return nil
	}
	return r.mask
}

// inputs returns the inputs of the consequents of sample n.
func (r *regularised) inputs(n int) []float64 {
	z := slices.Clone(r.x[n])
	for m := range z {
		if !r.normal {
			continue
		}
		mean, square := 0.0, 0.0
		for _, row := range r.x {
			mean += row[m] / 9
		}
		for _, row := range r.x {
			square += (row[m] - mean) * (row[m] - mean) / 9
		}
		gamma, beta := r.norm.scale.Float64s()[m], r.norm.shift.Float64s()[m]
		z[m] = gamma*(z[m]-mean)/math.Sqrt(square+1e-5) + beta
	}
	return z
}

// TestDropoutAndNormalisation compares loss and gradients with the definitions: the gradients
// with differences.
func TestDropoutAndNormalisation(t *testing.T) {
	for _, on := range [][2]bool{{true, false}, {false, true}, {true, true}} {
		r := newRegularised(t, on[0], on[1])
		defer r.Close()
		ones := slices.Repeat([]float64{1}, 9)
		got, _, skipped, err := r.Evaluate(slices.Concat(r.x...), r.target, slices.Concat(r.mask...), ones)
		if err != nil || skipped != 0 || math.Abs(got-r.loss()) > 1e-12*got {
			t.Fatalf("%v: loss %v, want %v; %d skipped, %v", on, got, r.loss(), skipped, err)
		}
		for _, p := range r.Params() {
			name := p.(interface{ Name() string }).Name()
			g := testenv.Must(p.Grad())
			values := p.Value().(*tensor.Dense).Float64s()
			for i, d := range g.(*tensor.Dense).Float64s() {
				const h = 1e-5
				at := values[i]
				values[i] = at + h
				up := r.loss()
				values[i] = at - h
				down := r.loss()
				values[i] = at
				if want := (up - down) / (2 * h); math.Abs(d-want) > 1e-7*(1+math.Abs(want)) {
					t.Errorf("%v: %s[%d]: gradient %v, by a difference %v", on, name, i, d, want)
				}
			}
		}
		if want := 4; len(r.Params()) != want && !on[1] || on[1] && len(r.Params()) != want+2 {
			t.Errorf("%v: %d parameters", on, len(r.Params()))
		}
		r.dropout = !r.dropout
		if math.Abs(got-r.loss()) < 1e-3 {
			t.Errorf("%v: Rule Dropout is DropRule", on)
		}
	}
}

// TestNormalisationIsFolded compares the predictions of the network, by the moments of all
// samples, with those of its rulebase, which has the normalisation in its consequents.
func TestNormalisationIsFolded(t *testing.T) {
	r := newRegularised(t, true, true)
	defer r.Close()
	got, covered, err := r.Predict(r.x)
	testenv.OK(t, err)
	rb := r.RuleBase()
	want, _, _ := rb.Forward(r.x, nil)
	for n := range want {
		if !covered[n] || math.Abs(got[n]-want[n]) > 1e-12 {
			t.Errorf("sample %d: %v, by the rulebase %v", n, got[n], want[n])
		}
	}
	if math.Abs(rb.Consequents[0][1]-r.Parameters().Consequents[0][1]) < 1e-6 {
		t.Error("the slopes are not scaled")
	}
	before := r.Parameters().Consequents[0][1]
	testenv.OK(t, r.Flatten([]rules.Antecedent{{Rule: 1, Feature: 2}}))
	if r.Parameters().Consequents[0][1] != before || !r.RuleBase().IsFlat(1, 2) {
		t.Error("Flatten changes the slopes")
	}
}

// TestOthersAreRestored: what Parameters lacks is restored, wrong sizes are refused.
func TestOthersAreRestored(t *testing.T) {
	r := newRegularised(t, false, true)
	defer r.Close()
	again := testenv.Must(New(r.rb, r.options))
	defer again.Close()
	testenv.OK(t, again.SetOthers(r.Others()))
	if !slices.Equal(slices.Concat(again.Others()...), slices.Concat(r.Others()...)) || len(r.Others()) != 2 {
		t.Errorf("others %v, restored %v", r.Others(), again.Others())
	}
	for _, wrong := range [][][]float64{nil, {{1, 1, 1}, {1}}, {{1, 1, math.NaN()}, {0, 0, 0}}} {
		testenv.FailsWith(t, again.SetOthers(wrong), "", "%v: no error", wrong)
	}
}
