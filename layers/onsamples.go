package layers

import (
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/penalty"
)

// onSamples is a penalty of the samples of a mini-batch.
type onSamples struct {
	penalty.OfSamples
	kernel penalty.SamplesKernel // nil: the penalty has none

	memory    []float64   // of the kernel
	byLevels  []float64   // [B,R]; without a kernel
	byOutputs [][]float64 // [C], [B,R] each; without a kernel
}

// onSamplesBy returns the penalties of samples.
func onSamplesBy(all []penalty.Penalty, B, R, C int) []*onSamples {
	var ps []*onSamples
	for _, of := range penalty.OnSamples(all) {
		p := &onSamples{OfSamples: of}
		if p.kernel, _ = of.(penalty.SamplesKernel); p.kernel != nil {
			p.memory = make([]float64, p.kernel.Memory(B, R, C))
		} else {
			p.byLevels, p.byOutputs = make([]float64, B*R), make([][]float64, C)
			for c := range p.byOutputs {
				p.byOutputs[c] = make([]float64, B*R)
			}
		}
		ps = append(ps, p)
	}
	return ps
}

// forward returns the value.
func (p *onSamples) forward(s penalty.Samples) float64 {
	if p.kernel != nil {
		return p.kernel.Forward(p.memory, s)
	}
	return p.Value(s)
}

// backward adds the gradient, see [penalty.SamplesKernel].
func (p *onSamples) backward(byFiring []float64, byOutputs [][]float64, factor, scale []float64, s penalty.Samples) {
	if p.kernel != nil {
		p.kernel.Backward(byFiring, byOutputs, p.memory, factor, scale, s)
		return
	}
	p.Gradient(p.byLevels, p.byOutputs, s)
	kernel.LevelsBackward(byFiring, s.Levels, factor, p.byLevels, scale, 1, len(s.Weight), s.R)
	for c, by := range p.byOutputs {
		kernel.Add(byOutputs[c], by)
	}
}
