package model

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// responder computes responses from the outputs of the rules.
type responder struct {
	Preprocessing
	link loss.Link
}

func newResponder(p Preprocessing) (*responder, error) {
	link, err := loss.LookupLink(p.Link())
	return &responder{p, link}, err
}

// predict writes the response to the outputs y [C] of a sample to dst [J], clamped to the
// limits of the targets; that of an uncovered sample if no rule covers it or the response is
// not finite. It may change y.
func (r *responder) predict(dst, y []float64, covered bool) (how outcome) {
	r.unlimited(dst, y)
	if r.Response == nil || r.Response.Classes == nil {
		for j, v := range dst {
			var limited bool
			dst[j], limited = targetOf(r.Preprocessing, j).clamp(v)
			how.limited = how.limited || limited
		}
	}
	if !covered || !numeric.Finite(dst...) {
		r.uncovered(dst)
		return outcome{uncovered: true}
	}
	return how
}

// unlimited writes the response to the outputs y [C] to dst [J], without limits. Except with
// the identity and the ordered link, it is NaN if an output is not finite. It may change y.
func (r *responder) unlimited(dst, y []float64) {
	switch name := r.link.Name(); {
	case name == identityLink || name == orderedLink:
		r.link.Response(y, y)
		for c, v := range y {
			t := targetOf(r.Preprocessing, c)
			dst[c] = t.Mean + float64(t.Scaling()*v)
		}
	case !numeric.Finite(y...):
		for j := range dst {
			dst[j] = math.NaN()
		}
	case name == logLink:
		r.link.Response(dst, y)
		dst[0] *= r.Target.Mean
	case name == logitLink:
		r.link.Response(dst[1:], y)
		y[0] = -y[0]
		r.link.Response(dst[:1], y)
	default:
		r.link.Response(dst, y)
	}
}

// uncovered writes the response for a sample that no rule covers to dst [J].
func (r *responder) uncovered(dst []float64) {
	switch o := r.Response; {
	case o == nil:
		dst[0] = r.Target.Mean
	case o.Classes != nil:
		for k, c := range o.Classes {
			dst[k] = c.Share
		}
	case o.Quantiles != nil:
		copy(dst, o.TrainingQuantiles)
	default:
		for c := range dst {
			dst[c] = targetOf(r.Preprocessing, c).Mean
		}
	}
}

// medianAt returns the index of the level nearest to 1/2, the first of equally near ones.
func medianAt(levels []float64) int {
	at := 0
	for c, q := range levels {
		if math.Abs(q-0.5) < math.Abs(levels[at]-0.5) {
			at = c
		}
	}
	return at
}
