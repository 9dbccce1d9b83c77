package sql

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// responder computes the responses of members.
type responder struct{ network }

// member returns the response [J] of a member.
func (q responder) member(m *export.Member, far []float64) []expr {
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
func (q responder) respond(m *export.Member, y []expr) []expr {
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
func (q responder) sorted(y []expr) []expr {
	for last := len(y) - 1; last > 0; last-- {
		for i := range last {
			y[i], y[i+1] = q.column("y", q.lesser(y[i], y[i+1])), q.column("y", q.greater(y[i], y[i+1]))
		}
	}
	return y
}

// mean returns the mean of the responses of members, of quantiles in ascending order.
func (q responder) mean(f *export.Form, responses [][]expr) []expr {
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
		if f.Kind == export.Quantiles && j > 0 {
			v = q.column("p", q.greater(v, all[j-1]))
		}
		all = append(all, v)
	}
	return all
}
