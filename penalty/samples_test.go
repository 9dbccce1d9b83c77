package penalty_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// batch returns test samples with C outputs; the third is not covered. The targets are
// probabilities.
func batch(C int) penalty.Samples {
	s := penalty.Samples{R: R, Levels: slices.Clone(matrices[penalty.OnLevels]), Weight: []float64{1, 0.5, 0, 2}}
	all := []float64{0.3, -1.2, 2.5, 0.7, 0.6, -0.4, 1, 2, 3, 5, 5.5, 5.25}
	for c := range C {
		outputs, predictions := make([]float64, len(all)), make([]float64, len(s.Weight))
		for i := range all {
			outputs[i] = all[(5*c+i)%len(all)] + 0.13*float64(c)
			predictions[i/R] += s.Levels[i] * outputs[i]
		}
		s.Outputs, s.Predictions = append(s.Outputs, outputs), append(s.Predictions, predictions)
	}
	for range s.Weight {
		s.Target = append(s.Target, []float64{0.2, 0.7, 0.1}[:C]...)
	}
	return s
}

// samplesFaults returns the violations of the contract by a penalty of samples.
func samplesFaults(p penalty.OfSamples) (found []string) {
	outputs := []int{1, 3}
	if a, ok := p.(penalty.LossAgreement); ok && (a.Loss.Name() == "softmax" || a.Loss.Name() == "quantile") {
		outputs = outputs[1:]
	}
	for _, C := range outputs {
		s := batch(C)
		byLevels, byOutputs := make([]float64, len(s.Levels)), make([][]float64, C)
		for c := range byOutputs {
			byOutputs[c] = make([]float64, len(s.Levels))
		}
		p.Gradient(byLevels, byOutputs, s)
		value := func() float64 { return p.Value(s) }
		for _, fault := range gradientFaults(value, s.Levels, byLevels) {
			found = append(found, "levels: "+fault)
		}
		for c, outputs := range s.Outputs {
			for _, fault := range gradientFaults(value, outputs, byOutputs[c]) {
				found = append(found, "outputs: "+fault)
			}
		}
		if k, ok := p.(penalty.SamplesKernel); ok {
			found = append(found, samplesKernelFaults(k, s, p.Value(s), byLevels, byOutputs)...)
		}
	}
	return found
}

// samplesKernelFaults compares a kernel with the value and the gradient.
func samplesKernelFaults(k penalty.SamplesKernel, s penalty.Samples, value float64, byLevels []float64,
	byOutputs [][]float64) (found []string) {
	B, C := len(s.Weight), len(s.Outputs)
	memory, factor, scale := make([]float64, k.Memory(B, R, C)), slices.Clone(s.Levels), []float64{0.5, 1, 2, 3}
	if got := k.Forward(memory, s); math.Abs(got-value) > 1e-13*(1+value) {
		found = append(found, fmt.Sprintf("kernel %v, value %v", got, value))
	}
	firing, out := slices.Repeat([]float64{0.25}, B*R), make([][]float64, C)
	for c := range out {
		out[c] = slices.Repeat([]float64{-0.5}, B*R)
	}
	k.Backward(firing, out, memory, factor, scale, s)
	for i := range firing {
		n, mean := i/R, 0.0
		for j := n * R; j < (n+1)*R; j++ {
			mean += s.Levels[j] * byLevels[j]
		}
		if want := 0.25 + scale[n]*factor[i]*(byLevels[i]-mean); math.Abs(firing[i]-want) > 1e-13*(1+math.Abs(mean)) {
			found = append(found, fmt.Sprintf("kernel: gradient by firing level [%d] %v, want %v", i, firing[i], want))
		}
		for c := range out {
			if want := byOutputs[c][i] - 0.5; math.Abs(out[c][i]-want) > 1e-13*(1+math.Abs(want)) {
				found = append(found, fmt.Sprintf("kernel: gradient by output [%d] %v, want %v", i, out[c][i], want))
			}
		}
	}
	both := func() {
		k.Forward(memory, s)
		k.Backward(firing, out, memory, factor, scale, s)
	}
	if n := testing.AllocsPerRun(5, both); n != 0 {
		found = append(found, fmt.Sprintf("kernel: %v allocations", n))
	}
	return found
}

// wrongSamples is a penalty of samples with one fault.
type wrongSamples struct {
	penalty.Agreement
	value, byLevels, byOutputs, forward, backward float64 // factors
	allocates                                     bool
}

func (w wrongSamples) Value(s penalty.Samples) float64 { return w.value * w.Agreement.Value(s) }

func (w wrongSamples) Gradient(byLevels []float64, byOutputs [][]float64, s penalty.Samples) {
	w.Agreement.Gradient(byLevels, byOutputs, s)
	for i := range byLevels {
		byLevels[i] *= w.byLevels
		for _, by := range byOutputs {
			by[i] *= w.byOutputs
		}
	}
}

func (w wrongSamples) Forward(memory []float64, s penalty.Samples) float64 {
	if w.allocates {
		s.Weight = slices.Clone(s.Weight)
	}
	return w.forward * w.Agreement.Forward(memory, s)
}

func (w wrongSamples) Backward(byFiring []float64, byOutputs [][]float64, memory, factor, scale []float64, s penalty.Samples) {
	w.Alpha *= w.backward
	w.Agreement.Backward(byFiring, byOutputs, memory, factor, scale, s)
}

// TestConformanceCatchesSamples checks that TestConformance finds each kind of violation by
// a penalty of samples.
func TestConformanceCatchesSamples(t *testing.T) {
	a := penalty.Agreement{Alpha: 0.3}
	if found := faults(wrongSamples{a, 1, 1, 1, 1, 1, false}); len(found) > 0 {
		t.Errorf("no fault: %q", found)
	}
	for want, w := range map[string]wrongSamples{
		"value -":                     {a, -1, -1, -1, -1, -1, false},
		"levels: gradient [0]":        {a, 1, 2, 1, 1, 1, false},
		"outputs: gradient [0]":       {a, 1, 1, 2, 1, 1, false},
		"kernel 0":                    {a, 1, 1, 1, 2, 1, false},
		"kernel: gradient by firing":  {a, 1, 1, 1, 1, 2, false},
		"kernel: gradient by output ": {a, 1, 1, 1, 1, 2, false},
		"allocations":                 {a, 1, 1, 1, 1, 1, true},
	} {
		if found := strings.Join(faults(w), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found only %q", want, found)
		}
	}
}

// TestAgreementByHand checks values computed by hand. Outputs 1 and 5 at levels 3/4 and
// 1/4 predict 2 and disagree by D = 3/4 1 + 1/4 9 = 3; with the target 4, the squared
// errors of the rules, 3/4 9 + 1/4 1 = 7, are that of the prediction plus D.
func TestAgreementByHand(t *testing.T) {
	s := penalty.Samples{
		R: 2, Levels: []float64{0.75, 0.25, 1, 0}, Outputs: [][]float64{{1, 5, 3, 100}}, Predictions: [][]float64{{2, 3}},
		Target: []float64{4, 0}, Weight: []float64{0.5, 7},
	}
	if got := (penalty.Agreement{Alpha: 0.2}).Value(s); math.Abs(got-0.5*0.1*3) > 1e-15 {
		t.Errorf("%v, want 0.15", got)
	}
	if got := (penalty.Agreement{Alpha: 1}).Value(s); math.Abs(2*got/0.5-(7-4)) > 1e-15 {
		t.Errorf("D is %v, want 7 - 4", 2*got/0.5)
	}
}

// TestLossAgreements checks the penalty for every registered loss against the contract; for
// the squared loss and that of quantiles it is [penalty.Agreement].
func TestLossAgreements(t *testing.T) {
	for _, l := range loss.All() {
		p := penalty.LossAgreement{Alpha: 0.3, Loss: loss.Joint(l, nil)}
		for _, fault := range faults(p) {
			t.Errorf("%s: %s", l.Name(), fault)
		}
		of := penalty.Agreement{Alpha: 0.3}.For(l)
		if _, plain := of.(penalty.Agreement); plain != slices.Contains([]string{"quantile", "squared"}, l.Name()) || of.Weight() != 0.3 {
			t.Errorf("%s: the penalty is a %T of weight %v", l.Name(), of, of.Weight())
		}
	}
	for _, C := range []int{1, 3} {
		s := batch(C)
		got, want := penalty.LossAgreement{Alpha: 0.3, Loss: loss.Joint(loss.Squared{}, nil)}.Value(s), penalty.Agreement{Alpha: 0.3}.Value(s)
		if math.Abs(got-want) > 1e-13*want {
			t.Errorf("%d outputs: %v for the squared loss, want %v", C, got, want)
		}
	}
}

// TestAgreementOfClasses checks that the penalty for the cross-entropy is the mean divergence
// of the rules' probabilities, whatever the targets are.
func TestAgreementOfClasses(t *testing.T) {
	s := batch(3)
	want, softmax := 0.0, loss.Softmax{}.Link()
	for n, weight := range s.Weight {
		p, pr := make([]float64, 3), make([]float64, 3)
		for c := range p {
			p[c] = s.Predictions[c][n]
		}
		softmax.Response(p, p)
		for r := range R {
			for c := range pr {
				pr[c] = s.Outputs[c][n*R+r]
			}
			softmax.Response(pr, pr)
			for c := range p {
				want += weight * 0.3 * s.Levels[n*R+r] * p[c] * math.Log(p[c]/pr[c])
			}
		}
	}
	of := penalty.Agreement{Alpha: 0.3}.For(loss.Softmax{}).(penalty.OfSamples)
	for range 2 {
		if got := of.Value(s); math.Abs(got-want) > 1e-14 {
			t.Errorf("%v, want %v", got, want)
		}
		for i := range s.Target {
			s.Target[i] = []float64{1, 0, 0}[i%3]
		}
	}
}
