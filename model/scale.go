package model

import (
	"context"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
)

// CheckFeatures checks that a data set is valid and has the features that the
// preprocessing was fitted to, by name and in order. Its error is a *data.Error.
func (p Preprocessing) CheckFeatures(d *data.Dataset) error {
	if err := d.Validate(); err != nil {
		return err
	}
	names := d.Schema.Features()
	if len(names) != len(p.Features) {
		return tableError("the data have %d features, the training part %d", len(names), len(p.Features))
	}
	for i, f := range p.Features {
		if names[i] != f.Name {
			return tableError("feature %d is %s, but %s in the training part: want the same columns in the same order",
				i+1, escape.Quote(names[i]), escape.Quote(f.Name))
		}
	}
	return nil
}

// Scale returns the scaled samples of x [N][M'], where M' counts the features of the schema and M the used ones, in new rows: z-scores
// [N][M], or their components, or, if a feature has a [Power], rows [N][2M] whose first half is for the antecedents and whose second
// half, the z-scores, is for the consequents. Its errors are those of [Model.Predict]. Blocks of samples are scaled on all processors.
func (p Preprocessing) Scale(x [][]float64) ([][]float64, error) { return p.scale(x, 0) }

// scale is Scale for samples numbered from first.
func (p Preprocessing) scale(x [][]float64, first int) ([][]float64, error) {
	in := newInputs(&p, 0)
	width := len(in.features)
	switch {
	case in.loadings != nil:
		width = len(in.loadings)
	case in.powers:
		width *= 2
	}
	rows := newRows(len(x), width)
	err := eachRows(context.Background(), len(x), func(_, start, end int) error {
		return p.scaleRows(rows[start:end], x[start:end], first+start)
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// scaleRows writes scaled samples, numbered from first, to rows.
func (p *Preprocessing) scaleRows(rows, x [][]float64, first int) error {
	in := newInputs(p, min(len(x), rules.EvaluatorRows))
	for start := 0; start < len(x); start += rules.EvaluatorRows {
		block := x[start:min(start+rules.EvaluatorRows, len(x))]
		if err := in.read(block, first+start); err != nil {
			return err
		}
		for i := range block {
			for m, row := 0, rows[start+i]; m < len(row); m++ {
				if at := m*len(block) + i; at < len(in.x) {
					row[m] = in.x[at]
				} else {
					row[m] = in.w[at-len(in.x)]
				}
			}
		}
	}
	return nil
}

func (p *Preprocessing) outOfRange(row []float64) bool {
	for m := range p.Features {
		if f := &p.Features[m]; !f.Constant && (row[m] < f.Min || row[m] > f.Max) {
			return true
		}
	}
	return false
}

// Formula returns the formula of a THEN part with consequent w [M+1] in the units of the
// data, y = intercept + sum_m slopes_m x_m over the inputs x [M] of the rules.
func (p Preprocessing) Formula(w []float64) (intercept float64, slopes []float64) {
	unit := p.Target.Scaling()
	intercept = p.Target.Mean + float64(unit*w[0])
	for m, f := range p.Inputs() {
		slope := unit * w[m+1] / f.SD
		intercept -= float64(slope * f.Mean)
		slopes = append(slopes, slope)
	}
	return intercept, slopes
}

// Consequent is the inverse of Formula.
func (p Preprocessing) Consequent(intercept float64, slopes []float64) []float64 {
	unit := p.Target.Scaling()
	w := make([]float64, 1, len(slopes)+1)
	w[0] = intercept - p.Target.Mean
	for m, f := range p.Inputs() {
		w[0] += float64(slopes[m] * f.Mean)
		w = append(w, slopes[m]*f.SD/unit)
	}
	w[0] /= unit
	return w
}

// Farthest is the distance of a number from its mean in the training part, in standard deviations, from which
// on its sample has no prediction: the formulas of membership functions overflow farther out.
const Farthest = 1e100

// scaledBlock are the scaled inputs of the rules for a block of B samples, which are columns:
// [M,B], feature by feature. Their memory serves one block after the other.
type scaledBlock struct {
	prep      *Preprocessing
	features  []int       // indices of the used features
	low, high []float64   // [M] limits of their z-scores
	loadings  [][]float64 // [K][M+1] of the components after a zero; nil: none
	powers    bool        // a feature has a Power, and there are no components
	z         []float64   // z-scores
	x, w      []float64   // [M,B] or [K,B], inputs of the antecedents and of the consequents: z or other
	spare     []float64   // [B], for transforms
	other     []float64   // transformed z-scores, or components; nil without
}

// newInputs returns memory for blocks of at most n samples.
func newInputs(p *Preprocessing, n int) *scaledBlock {
	in := &scaledBlock{prep: p}
	limits := p.Limits()
	for m := range p.Features {
		if f := &p.Features[m]; !f.Constant {
			low, high := f.ScaledLimits(limits[m])
			in.features, in.low, in.high = append(in.features, m), append(in.low, low), append(in.high, high)
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

// read scales samples numbered from first.
func (in *scaledBlock) read(x [][]float64, first int) error {
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
		if low, high := in.low[i], in.high[i]; !math.IsInf(low, 0) || !math.IsInf(high, 0) {
			for n, v := range z {
				if !math.IsInf(x[n][m], 0) {
					z[n] = max(low, min(high, v))
				}
			}
		}
		if !kernel.Within(z, Farthest) {
			for n, row := range x {
				if math.IsNaN(row[m]) && in.prep.ImputeMeans {
					z[n] = 0
				}
			}
			if !kernel.Within(z, Farthest) {
				return in.fault(x, first)
			}
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
func (in *scaledBlock) straighten(B int) {
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
func (in *scaledBlock) fault(x [][]float64, first int) error {
	for n, row := range x {
		if len(row) != len(in.prep.Features) {
			return &SampleError{first + n, fmt.Sprintf("%d features; the model takes %d", len(row), len(in.prep.Features))}
		}
		for i, m := range in.features {
			f := &in.prep.Features[m]
			z := max(in.low[i], min(in.high[i], (row[m]-f.Mean)/f.SD))
			if (!(math.Abs(z) < Farthest) || math.IsInf(row[m], 0)) && !(math.IsNaN(row[m]) && in.prep.ImputeMeans) {
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
