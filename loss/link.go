package loss

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/membership"
)

// Link is the link of a generalised linear model between the outputs y of the rules and
// the response, which is what a model predicts (McCullagh and Nelder, Generalized Linear
// Models, 1989). The zero Link is [Identity].
type Link struct {
	name         string
	of, response func(dst, v []float64)
}

// Name returns the name of the link, such as "log".
func (l Link) Name() string { return l.orIdentity().name }

// Of writes the outputs whose response is mean [C], inside the range of responses, to dst
// [C], which may be mean. The ordered link takes the response as it is. C is at least 1, here and in Response.
func (l Link) Of(dst, mean []float64) { l.orIdentity().of(dst, mean) }

// Response writes the response to the outputs y [C], the inverse of the link, to dst [C],
// which may be y.
func (l Link) Response(dst, y []float64) { l.orIdentity().response(dst, y) }

func (l Link) orIdentity() Link {
	if l.of == nil {
		return identity
	}
	return l
}

// Identity returns the link of a response that is the outputs themselves.
func Identity() Link { return identity }

var (
	identity = Link{"identity", unchanged, unchanged}

	// ordered sorts the outputs, so that quantiles do not cross (Chernozhukov,
	// Fernandez-Val and Galichon, Econometrica 78(3), 2010).
	ordered = Link{"ordered", unchanged, func(dst, y []float64) {
		copy(dst, y)
		slices.Sort(dst)
	}}

	// logarithmic is the link of responses that are positive, in units of their mean in
	// training.
	logarithmic = Link{"log", each(math.Log), each(func(v float64) float64 { return numeric.Exp(min(v, MaxLog)) })}

	// logit is the link of a probability.
	logit = Link{"logit", each(func(p float64) float64 { return math.Log(p / (1 - p)) }), each(sigmoid)}

	// softmax is the link of the probabilities of classes that exclude one another. Of the
	// outputs with one response it takes those of mean zero.
	softmax = Link{"softmax", func(dst, p []float64) {
		sum := 0.0
		for c, v := range p {
			dst[c] = math.Log(v)
			sum += dst[c]
		}
		for c := range dst {
			dst[c] -= sum / float64(len(dst))
		}
	}, func(dst, y []float64) {
		top, sum := slices.Max(y), 0.0
		for c, v := range y {
			dst[c] = numeric.Exp(v - top)
			sum += dst[c]
		}
		for c := range dst {
			dst[c] /= sum
		}
	}}
)

// MaxLog is the logarithm above which a response on the logarithmic scale does not grow.
//
// A target is at most N times its mean over N samples, so that the limit is out of reach of
// tables with fewer than e^18, 65 million, rows; and 1e300 e^18 does not overflow.
const MaxLog = 18

func unchanged(dst, v []float64) { copy(dst, v) }

func each(f func(v float64) float64) func(dst, v []float64) {
	return func(dst, v []float64) {
		for c := range v {
			dst[c] = f(v[c])
		}
	}
}

// sigmoid returns 1/(1+e^-v), without overflow.
func sigmoid(v float64) float64 {
	far := numeric.Exp(-math.Abs(v))
	if v < 0 {
		return far / (1 + far)
	}
	return 1 / (1 + far)
}

var links = registry.New[Link]("loss", "link")

func init() {
	for _, l := range []Link{identity, ordered, logarithmic, logit, softmax} {
		links.Register(l)
	}
}

// LookupLink returns the link of the given name.
func LookupLink(name string) (Link, error) { return links.Lookup(name) }

// leastTarget replaces a target of 0 in its logarithm, so that t log t is 0.
const leastTarget = math.SmallestNonzeroFloat64

// safeExp returns e^v, above a limit continued by its tangent.
func safeExp(v, most float64) float64 {
	near := min(v, most)
	return float64(numeric.Exp(near) * (1 + (v - near)))
}

// safeExpOf is safeExp on terms.
func safeExpOf(b membership.Builder, v membership.Term, most float64) membership.Term {
	near := b.Min(v, b.Const(most))
	return b.Mul(b.Exp(near), b.Add(b.Const(1), b.Sub(v, near)))
}

// logOf returns log t on terms, finite for t = 0.
func logOf(b membership.Builder, t membership.Term) membership.Term {
	return b.Log(b.Max(t, b.Const(leastTarget)))
}
