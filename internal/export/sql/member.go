package sql

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// farthestOf returns the largest absolute value of each feature that has a prediction.
func farthestOf(f *export.Form) []float64 {
	far := make([]float64, len(f.Features))
	for i := range far {
		far[i] = huge
		for _, m := range f.Members {
			for _, in := range m.Inputs {
				if in.Feature == i {
					far[i] = min(far[i], export.Farthest*in.SD)
				}
			}
		}
	}
	return far
}

// usable returns a column that is one where there is a prediction, else zero. Numbers beyond limits of a feature count as the limit.
func (q *query) usable(f *export.Form, far []float64) expr {
	var tests []string
	for i, v := range far {
		x := fmt.Sprint("x", i+1)
		test := fmt.Sprintf("abs(%s) >= %s", x, literal(v))
		for _, m := range f.Members {
			for _, in := range m.Inputs {
				if in.Feature != i || !in.Limited() {
					continue
				}
				high := noNumber
				if math.IsInf(in.High, 0) {
					high = v
				}
				if test = fmt.Sprintf("%s >= %s", x, literal(high)); math.IsInf(in.Low, 0) {
					test += fmt.Sprintf(" OR %s <= %s", x, literal(-v))
				}
			}
		}
		tests = append(tests, test)
	}
	return q.column("k", joined("CAST(CASE WHEN "+strings.Join(tests, " OR ")+" THEN 0e0 ELSE 1e0 END AS DOUBLE PRECISION)", 0, 1, 1))
}

// inputs returns the inputs of the IF parts and of the THEN parts.
func (q *query) inputs(m *export.Member, far []float64) (u, z []expr) {
	for _, in := range m.Inputs {
		score := q.column("z", q.limit(zscore(in, far[in.Feature]), in.Low, in.High))
		z = append(z, score)
		if in.Power != nil {
			score = q.column("u", q.power(score, in.Power.Lambda, in.Power.Mean, in.Power.SD))
		}
		u = append(u, score)
	}
	if m.Components == nil {
		return u, z
	}
	var k []expr
	for _, loadings := range m.Components {
		k = append(k, q.column("u", q.solid(q.terms(loadings, z), 0)))
	}
	return k, k
}

// zscore returns the z-score of an input.
func zscore(in export.Input, far float64) expr {
	x := fmt.Sprint("x", in.Feature+1)
	least := max(in.SD/export.Farthest, tiny)
	of := add(expr{text: x, lo: -far, hi: far}, number(-in.Mean)).text
	constants, beyond := []float64{in.Missing}, ""
	for _, end := range []struct {
		limit float64
		is    string
	}{{in.Low, "< " + literal(-far)}, {in.High, "> " + literal(far)}} {
		if !math.IsInf(end.limit, 0) {
			constants = append(constants, end.limit)
			beyond += fmt.Sprintf("WHEN %s %s THEN %s ", x, end.is, literal(end.limit))
		}
	}
	text := fmt.Sprintf("(CASE WHEN %s IS NULL THEN %s %sWHEN abs(%[1]s) > %[4]s OR abs(%[5]s) < %[6]s THEN 0e0 ELSE %[5]s / %[7]s END)",
		x, literal(in.Missing), beyond, literal(far), of, literal(least), literal(in.SD))
	top := (far + math.Abs(in.Mean)) / in.SD
	least /= in.SD
	for _, v := range constants {
		if v != 0 {
			least, top = min(least, math.Abs(v)), max(top, math.Abs(v))
		}
	}
	return joined(text, -top, top, least)
}

// power returns the transform of Yeo and Johnson of a z-score, standardised and limited. With L =
// log(1+|z|), w = e^(kappa L) and kappa lambda for z >= 0, 2-lambda otherwise, it is sign(z) (w-1)/kappa,
// computed as L (w-1)/log(w), which is accurate for small kappa L.
func (q *query) power(z expr, lambda, mean, sd float64) expr {
	const far = 1e40
	L := q.column("t", q.log(add(number(1), q.lesser(absolute(z), number(far)))))
	w := joined(fmt.Sprintf("(CASE WHEN %s < 0e0 THEN %s ELSE %s END * %s)", z.text, literal(2-lambda), literal(lambda), L.text), -farthest,
		farthest, 0)
	w = q.column("t", q.exp(w))
	psi := fmt.Sprintf("(CASE WHEN %s = 1e0 THEN %s ELSE %[2]s * (%[1]s - 1e0) / ln(%[1]s) END)", w.text, L.text)
	value := joined(fmt.Sprintf("(CASE WHEN %s < 0e0 THEN -%s ELSE %[2]s END)", z.text, psi), -huge, huge, 0)
	value = q.column("t", value)
	return q.limit(q.over(add(value, number(-mean)), sd), -export.PowerLimit, export.PowerLimit)
}

// terms returns the products of weights and inputs; none for a weight of zero.
func (q *query) terms(weights []float64, z []expr) []expr {
	var all []expr
	for m, w := range weights {
		if w != 0 {
			all = append(all, q.scale(w, z[m]))
		}
	}
	return all
}

// outputs returns the outputs [C] of the rules of the shares [R] in the prediction.
func (q *query) outputs(m *export.Member, shares, z []expr) []expr {
	var hats []expr // the weight of each knot
	for i, knots := range m.Knots {
		for k := range knots {
			hats = append(hats, q.column("h", hat(knots, k, z[i])))
		}
	}
	var all []expr
	for c := range m.Outputs {
		var terms []expr
		for r, rule := range m.Rules {
			own := append(q.terms(rule.Weights[c][1:], z), q.terms(m.Curve(c, r), hats)...)
			v := q.solid(own, rule.Weights[c][0])
			lo, hi := products(shares[r], v)
			terms = append(terms, joined("("+shares[r].text+" * "+v.text+")", lo, hi, 0, v))
		}
		all = append(all, q.column("y", q.solid(terms, 0)))
	}
	return all
}

// hat returns the weight of knot k in the value of a curve at z: 1 at the knot, 0 at the others.
func hat(knots []float64, k int, z expr) expr {
	const least = 1e-130 // inputs are zero or at least 1/export.Farthest
	between := func(zero, one int) string {
		at := knots[zero]
		return fmt.Sprintf("%s / %s", add(z, number(-at)).text, literal(knots[one]-at))
	}
	text, last := "", len(knots)-1
	switch k {
	case 0:
		text = fmt.Sprintf("WHEN %s <= %s THEN 1e0 WHEN %[1]s < %[3]s THEN %[4]s", z.text, literal(knots[0]), literal(knots[1]), between(1, 0))
	case last:
		text = fmt.Sprintf("WHEN %s >= %s THEN 1e0 WHEN %[1]s > %[3]s THEN %[4]s", z.text, literal(knots[last]), literal(knots[last-1]),
			between(last-1, last))
	default:
		text = fmt.Sprintf("WHEN %s <= %s OR %[1]s >= %[3]s THEN 0e0 WHEN %[1]s < %[4]s THEN %[5]s ELSE %[6]s",
			z.text, literal(knots[k-1]), literal(knots[k+1]), literal(knots[k]), between(k-1, k), between(k+1, k))
		return joined("(CASE "+text+" END)", 0, 1, least, z)
	}
	return joined("(CASE "+text+" ELSE 0e0 END)", 0, 1, least, z)
}

// member returns the response [J] of a member.
func (q *query) member(m *export.Member, far []float64) []expr {
	u, z := q.inputs(m, far)
	shares, covered := q.shares(m, q.levels(m, u))
	response := q.respond(m, q.outputs(m, shares, z))
	for j, v := range response {
		if covered != "" {
			v = joined(fmt.Sprintf("(CASE WHEN %s THEN %s ELSE %s END)", covered, v.text, literal(m.Uncovered[j])),
				min(v.lo, m.Uncovered[j]), max(v.hi, m.Uncovered[j]), 0, v)
		}
		response[j] = q.column("p", v)
	}
	return response
}

// respond returns the response [J] to outputs y [C].
func (q *query) respond(m *export.Member, y []expr) []expr {
	var response []expr
	switch m.Link {
	case "logit":
		return []expr{q.operation(export.Sigmoid, neg(y[0]), y[0]), q.operation(export.Sigmoid, y[0], y[0])}
	case "softmax":
		var always string // outputs are finite
		return q.softmax(y, &always)
	case "log":
		response = []expr{q.scale(m.Targets[0].Mean, q.exp(q.lesser(y[0], number(loss.MaxLog))))}
	case "ordered":
		y = q.sorted(y)
		fallthrough
	default:
		for c, v := range y {
			response = append(response, add(q.scale(m.Targets[c].Scale, v), number(m.Targets[c].Mean)))
		}
	}
	for j, v := range response {
		response[j] = q.limit(v, m.Low[j], m.High[j])
	}
	return response
}

// sorted returns columns in ascending order.
func (q *query) sorted(y []expr) []expr {
	for last := len(y) - 1; last > 0; last-- {
		for i := range last {
			y[i], y[i+1] = q.column("y", q.lesser(y[i], y[i+1])), q.column("y", q.greater(y[i], y[i+1]))
		}
	}
	return y
}

// mean returns the mean of the responses of members, of quantiles in ascending order.
func (q *query) mean(f *export.Form, responses [][]expr) []expr {
	if len(responses) == 1 {
		return responses[0]
	}
	var all []expr
	for j := range f.Outputs {
		var of []expr
		for _, r := range responses {
			of = append(of, r[j])
		}
		v := q.column("p", q.over(q.sum(of), float64(len(of))))
		if f.Ordered && j > 0 {
			v = q.column("p", q.greater(v, all[j-1]))
		}
		all = append(all, v)
	}
	return all
}
