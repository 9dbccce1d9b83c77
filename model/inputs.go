package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Farthest is the distance of a number from its mean in the training part, in standard deviations, from which
// on its sample has no prediction: the formulas of membership functions overflow farther out.
const Farthest = 1e100

// inputs are the scaled inputs of the rules for a block of B samples, which are columns:
// [M,B], feature by feature. Their memory serves one block after the other.
type inputs struct {
	prep     *Preprocessing
	features []int       // indices of the used features
	loadings [][]float64 // [K][M+1] of the components after a zero; nil: none
	powers   bool        // a feature has a Power, and there are no components
	z        []float64   // z-scores
	x, w     []float64   // [M,B] or [K,B], inputs of the antecedents and of the consequents: z or other
	spare    []float64   // [B], for transforms
	other    []float64   // transformed z-scores, or components; nil without
}

// newInputs returns memory for blocks of at most n samples.
func newInputs(p *Preprocessing, n int) *inputs {
	in := &inputs{prep: p}
	for m := range p.Features {
		if f := &p.Features[m]; !f.Constant {
			in.features = append(in.features, m)
			in.powers = in.powers || f.Power != nil
		}
	}
	for _, c := range p.Components {
		in.loadings = append(in.loadings, append([]float64{0}, c.Loadings...))
	}
	in.z, in.powers = make([]float64, len(in.features)*n), in.powers && in.loadings == nil
	if in.powers || in.loadings != nil {
		in.spare = make([]float64, n)
		in.other = make([]float64, len(in.z)) // there are no more components than features
	}
	return in
}

// width returns the number of inputs of the antecedents.
func (in *inputs) width() int {
	if in.loadings != nil {
		return len(in.loadings)
	}
	return len(in.features)
}

// read scales samples numbered from first.
func (in *inputs) read(x [][]float64, first int) error {
	B, M := len(x), len(in.features)
	for _, row := range x {
		if len(row) != len(in.prep.Features) {
			return in.fault(x, first)
		}
	}
	in.z = in.z[:M*B]
	for i, m := range in.features {
		f, z := &in.prep.Features[m], in.z[i*B:(i+1)*B]
		for n, row := range x {
			z[n] = (row[m] - f.Mean) / f.SD
		}
		if kernel.Within(z, Farthest) {
			continue
		}
		for n, row := range x {
			if math.IsNaN(row[m]) && in.prep.ImputeMeans {
				z[n] = 0
			}
		}
		if !kernel.Within(z, Farthest) {
			return in.fault(x, first)
		}
	}
	in.x, in.w = in.z, in.z
	switch {
	case in.loadings != nil:
		in.x = in.other[:len(in.loadings)*B]
		in.w = in.x
		for k, c := range in.loadings {
			kernel.ConsequentColumn(in.x[k*B:], in.z, c, B, M)
		}
	case in.powers:
		in.x = in.other[:M*B]
		in.straighten(B)
	}
	return nil
}

// straighten computes the inputs of the antecedents.
func (in *inputs) straighten(B int) {
	for i, m := range in.features {
		x, z := in.x[i*B:(i+1)*B], in.z[i*B:(i+1)*B]
		if p := in.prep.Features[m].Power; p != nil {
			p.values(x, z, in.spare[:B])
		} else {
			copy(x, z)
		}
	}
}

// fault returns the error of the first sample that cannot be scaled.
func (in *inputs) fault(x [][]float64, first int) error {
	for n, row := range x {
		if len(row) != len(in.prep.Features) {
			return &SampleError{first + n, fmt.Sprintf("%d features; the model takes %d", len(row), len(in.prep.Features))}
		}
		for _, m := range in.features {
			f := &in.prep.Features[m]
			z := (row[m] - f.Mean) / f.SD
			if !(math.Abs(z) < Farthest) && !(math.IsNaN(row[m]) && in.prep.ImputeMeans) {
				what := "not finite"
				if numeric.Finite(row[m]) {
					what = fmt.Sprintf("%v standard deviations or more from the mean of the training data", Farthest)
				}
				return &SampleError{first + n, fmt.Sprintf("feature %s is %v: %s: correct it", escape.Quote(f.Name), row[m], what)}
			}
		}
	}
	return nil
}
