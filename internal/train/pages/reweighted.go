package pages

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// The limits of iteratively reweighted least squares.
const (
	mostSteps    = 100
	mostHalved   = 6    // times that a step is halved that does not gain
	leastGain    = 1e-9 // of the loss, below which steps end
	aboutRidge   = 0.3  // of what rules are about, from that of all rows
	slopeRidge   = 1    // of standardised slopes, as many rows of a normal prior of variance one
	stepOfScores = 0.05 // that numbers of log odds and scores are rounded to
)

// cost is a sum of a loss over rows and penalties of the weights of the unknowns of a linear model.
type cost struct {
	loss   Loss
	values [][]float64 // [m][n] of the unknowns
	y      []float64   // [n]
	offset []float64   // [n] of the values of the model
	weight []float64   // [n]
	ridge  []float64   // [m] of half the squares of the weights less the prior ones
	prior  []float64   // [m]
	sign   []int       // [m] of the weights, whose prior ones are zero if they have one; nil: none
}

// at returns the values of the model, and the penalised loss.
func (p *cost) at(w []float64) (v []float64, sum float64) {
	v = slices.Clone(p.offset)
	for k, values := range p.values {
		for i, x := range values {
			v[i] += float64(w[k] * x)
		}
		sum += float64(p.ridge[k] / 2 * float64((w[k]-p.prior[k])*(w[k]-p.prior[k])))
	}
	for i, u := range v {
		sum += float64(p.weight[i] * p.loss.value(u, p.y[i]))
	}
	return v, sum
}

// minimum returns the weights of the unknowns of the least penalised loss.
func (p *cost) minimum() []float64 {
	w := slices.Clone(p.prior)
	v, cost := p.at(w)
	for range mostSteps {
		next := p.step(w, v)
		to, then := p.at(next)
		for range mostHalved {
			if then < cost {
				break
			}
			for k := range next {
				next[k] = (next[k] + w[k]) / 2
			}
			to, then = p.at(next)
		}
		if !(then < cost) {
			break
		}
		gain := cost - then
		if w, v, cost = next, to, then; gain <= leastGain*math.Abs(cost) {
			break
		}
	}
	return w
}

// step returns the weights of a step of least squares from the weights w, where the values are v.
func (p *cost) step(w, v []float64) []float64 {
	z, each := make([]float64, len(v)), make([]float64, len(v))
	for i, u := range v {
		z[i], each[i] = p.loss.step(u, p.y[i])
		z[i] -= p.offset[i]
		for k, values := range p.values {
			z[i] -= float64(p.prior[k] * values[i])
		}
		each[i] = float64(each[i] * p.weight[i])
	}
	next, _ := leastSquares(p.values, z, each, 1, p.ridge, p.sign)
	for k := range next {
		next[k] += p.prior[k]
	}
	return next
}

// reweighted is solve for a loss. The step of rounding is by the median of the absolute errors, which outliers do not move, or, of squared
// errors, by their mean.
func (f *fitted) reweighted() []float64 {
	p := f.cost()
	w := p.minimum()
	if f.step = stepOfScores; f.s.scores() {
		return w
	}
	errors, sum := p.at(w)
	if f.s.squares() {
		f.step = stepOf(f.sd, math.Sqrt(sum/sumOf(f.weight)))
		return w
	}
	for i, v := range errors {
		errors[i] = math.Abs(v - p.y[i])
	}
	f.step = stepOf(f.sd, numeric.Median(errors))
	return w
}

// cost returns the loss of all unknowns, in standard deviations of the target.
func (f *fitted) cost() *cost {
	p := f.costOfAbouts(nil)
	p.values, p.prior, p.ridge = nil, nil, nil
	centre := f.s.Loss.centre(f.s.Y, f.weight) / f.sd
	_, squares, _ := f.unknowns()
	for _, part := range f.parts {
		ridge, prior := float64(penalty*float64(len(f.weight)))+slopeRidge, 0.0
		switch {
		case f.s.squares():
			ridge = 2 * squares[len(p.ridge)]
		case part.sd == 0: // no term
			ridge = aboutRidge
		}
		if part.about {
			prior = centre
		}
		for _, v := range part.values {
			p.values, p.ridge, p.prior = append(p.values, v), append(p.ridge, ridge), append(p.prior, prior)
			p.sign = append(p.sign, part.sign)
		}
	}
	return p
}

// costOfAbouts returns the loss of what the rules are about, in standard deviations of the target, where all else of the page is rest;
// nil: zero.
func (f *fitted) costOfAbouts(rest []float64) *cost {
	n := len(f.weight)
	p := &cost{loss: f.s.Loss.in(f.sd), values: f.share, y: make([]float64, n), offset: make([]float64, n), weight: f.weight}
	for i, y := range f.s.Y {
		p.y[i] = y / f.sd
		if rest != nil {
			p.offset[i] = rest[i] / f.sd
		}
		if f.s.offset != nil {
			p.offset[i] += f.s.offset[i]
		}
	}
	ridge := aboutRidge
	if f.s.squares() {
		ridge = 1e-6
	}
	p.ridge = slices.Repeat([]float64{ridge}, len(f.share))
	p.prior = slices.Repeat([]float64{f.s.Loss.centre(f.s.Y, f.weight) / f.sd}, len(f.share))
	return p
}
