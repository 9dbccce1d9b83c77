package layers

import "github.com/tskgraph/tskgraph/penalty"

// penalised is a penalty of a matrix [n,R] with the gradient of its last run.
type penalised struct {
	penalty.OfMatrix
	kernel penalty.Kernel // nil: the penalty has none
	memory []float64      // [n,R]

	// The gradient is factor direction; direction may be one row, see
	// [penalty.Kernel].
	factor    float64
	direction []float64
}

// penalisedBy returns the penalties of a part for a matrix of size = n R elements.
func penalisedBy(part penalty.Part, all []penalty.Penalty, size int) []*penalised {
	var ps []*penalised
	for _, p := range penalty.Of(part, all) {
		kernel, _ := p.(penalty.Kernel)
		ps = append(ps, &penalised{OfMatrix: p, kernel: kernel, memory: make([]float64, size)})
	}
	return ps
}

// run computes the gradient by v and returns the value.
func (p *penalised) run(v []float64, R int) (value float64) {
	if p.kernel != nil {
		value, p.factor, p.direction = p.kernel.Kernel(p.memory, v, R)
		return value
	}
	p.Gradient(p.memory, v, R)
	p.factor, p.direction = 1, p.memory
	return p.Value(v, R)
}
