package model

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// responder computes responses from the outputs of the rules.
type responder struct {
	Preprocessing
	link loss.Link
}

func newResponder(p Preprocessing) (responder, error) {
	link, err := loss.LookupLink(p.Link())
	return responder{p, link}, err
}

// respond writes the response to the outputs y [C] to dst [J] and reports whether it was
// clamped to the limits of a target. ok is false if it is not finite. It may change y.
func (r responder) respond(dst, y []float64) (limited, ok bool) {
	switch name := r.link.Name(); {
	case name == identityLink || name == orderedLink:
		r.link.Response(y, y)
		for c, v := range y {
			var beyond bool
			dst[c], beyond = targetOf(r.Preprocessing, c).value(v)
			limited = limited || beyond
		}
	case !numeric.Finite(y...):
		return false, false
	case name == logLink:
		r.link.Response(dst, y)
		dst[0], limited = r.Target.clamp(r.Target.Mean * dst[0])
	case name == logitLink:
		r.link.Response(dst[1:], y)
		y[0] = -y[0]
		r.link.Response(dst[:1], y)
	default:
		r.link.Response(dst, y)
	}
	return limited, numeric.Finite(dst...)
}

// predict writes the response to the outputs y [C] of a sample to dst [J], that of an
// uncovered sample if no rule covers it or the response is not finite.
func (r responder) predict(dst, y []float64, covered bool) outcome {
	limited, ok := r.respond(dst, y)
	if !covered || !ok {
		r.uncovered(dst)
		return outcome{uncovered: true}
	}
	return outcome{limited: limited}
}

// uncovered writes the response for a sample that no rule covers to dst [J].
func (r responder) uncovered(dst []float64) {
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
