package words

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Listed returns the rules of a description in the order of printing: those that decide most samples first, see [Rule.Compare], and those
// without conditions last. Several rules without any conditions always fire alike: they are combined into one that says the mean of what
// they say, except in a model with a [Response], where the response of a mean is no mean of responses.
func Listed(d Description) []Rule {
	var with, without, alike []Rule
	for _, r := range d.Rules {
		switch {
		case len(r.If) == 0 && r.Alike != nil && d.Interpretability != nil && d.Response.IsZero():
			alike = append(alike, r)
		case len(r.If) == 0 || len(r.Words) == 0 && d.Interpretability != nil:
			without = append(without, r)
		default:
			with = append(with, r)
		}
	}
	if alike != nil {
		without = append(without, combined(alike))
	}
	for _, some := range [][]Rule{with, without} {
		slices.SortStableFunc(some, Rule.Compare)
	}
	return append(with, without...)
}

// Compare orders rules by the samples that they decide, then by their shares of the firing, the largest first; those of several pages
// page by page.
func (r Rule) Compare(s Rule) int {
	return cmp.Or(cmp.Compare(r.page, s.page), cmp.Compare(s.Samples, r.Samples), cmp.Compare(s.Share, r.Share))
}

// combined returns the rule that stands for some with equal IF parts: the number is that of
// the first one, shares are sums, outputs are means.
func combined(some []Rule) Rule {
	all := some[0]
	k := float64(len(some))
	all.Share, all.Samples, all.Terms, all.Keep = 0, 0, nil, 0
	all.Then = Consequent{stated: all.Then.stated}
	for _, r := range some {
		all.Share += r.Share
		all.Samples += r.Samples
		all.Then.Intercept += r.Then.Intercept / k
		for _, t := range r.Terms {
			at := slices.IndexFunc(all.Terms, func(o Term) bool { return o.Column == t.Column && o.Level == t.Level })
			if at < 0 {
				at = len(all.Terms)
				all.Terms = append(all.Terms, t)
				all.Terms[at].Slope, all.Terms[at].Effect = 0, 0
			}
			all.Terms[at].Slope += t.Slope / k
			all.Terms[at].Effect += t.Effect / k
		}
	}
	sortTerms(all.Terms)
	for i, c := range some[0].Then.Curves {
		c.Y = make([]float64, len(c.X))
		for _, r := range some {
			for q, y := range r.Then.Curves[i].Y {
				c.Y[q] += y / k
			}
		}
		all.Then.Curves = append(all.Then.Curves, c)
	}
	if some[0].Local != nil {
		all.Local = combinedLocal(some)
	}
	return all
}

// combinedLocal returns what rules with equal IF parts do together on samples.
func combinedLocal(some []Rule) *Local {
	all := Local{}
	size, squares, output := 0.0, 0.0, 0.0
	for _, r := range some {
		all.Samples += r.Local.Samples
		if r.Local.RMSE != nil {
			size += float64(r.Local.Samples)
			squares += float64(float64(r.Local.Samples) * (*r.Local.RMSE * *r.Local.RMSE))
		}
		if r.Local.Output != nil {
			output += *r.Local.Output / float64(len(some))
		}
	}
	if size > 0 {
		all.RMSE = numeric.OrNil(math.Sqrt(squares / size))
	}
	if some[0].Local.Output != nil {
		all.Output = numeric.OrNil(output)
	}
	return &all
}
