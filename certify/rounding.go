package certify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// rounding is enclose with the errors of predictions in numbers of each precision.
func (s *space) rounding(b box) enclosure {
	e := s.enclose(b)
	for k, p := range precisions {
		e.off[k] = make([]float64, len(e.f))
		for _, in := range e.rules {
			for j, v := range in.errors(b, p) {
				e.off[k][j] += v / float64(len(e.rules))
			}
		}
		for j, v := range e.f {
			if len(e.rules) > 1 {
				e.off[k][j] += 3 * float64(len(e.rules)) * p.unit * v.size()
			}
			if s.form.Ordered && j > 0 {
				e.off[k][j] = max(e.off[k][j], e.off[k][j-1])
			}
		}
	}
	return e
}

// roundings states how far predictions are off in numbers of each precision, from a cover of its own.
func (p *prover) roundings() {
	excess := func(e enclosure) float64 {
		most := 0.0
		for k, of := range precisions {
			for j := range p.form.Outputs {
				most = max(most, e.off[k][j]/(p.spread(j)*of.unit)-settledUnits)
			}
		}
		return most
	}
	whole := newNode(p.domain.full(), 0, p.rounding)
	unbounded := func(e enclosure) float64 { return max(0, excess(e)-math.MaxFloat64) }
	leaves := p.refine(p.ctx, whole, p.boxes(false)/8, excess)
	if slices.ContainsFunc(leaves, func(n *node) bool { return unbounded(n.e) > 0 }) {
		leaves = p.refine(p.ctx, whole, p.boxes(false), unbounded)
	}
	cover := p.cover(leaves)
	for j, o := range p.form.Outputs {
		for k, of := range precisions {
			most := 0.0
			for _, l := range leaves {
				most = max(most, 2*l.e.off[k][j]) // twice: what another checker adds up in another order
			}
			c := Claim{Kind: Rounding, Output: o.Key, Bits: of.bits, Status: Proved, High: &most, Cover: cover}
			if !(most < p.spread(j)) {
				c.Status, c.High, c.Cover, c.Reason = Open, nil, -1, "no bound below the range of predictions was found"
			}
			p.certificate.Claims = append(p.certificate.Claims, c)
		}
	}
}

// settledUnits is the error, in units in the last place of the range of predictions, above which a box is divided.
const settledUnits = 64

// errors returns those of the response [J] of a member in a box.
func (e *rulesIn) errors(b box, p precision) []float64 {
	none := slices.Repeat([]float64{math.Inf(1)}, len(e.Uncovered))
	if e.partial {
		return none
	}
	inputs := e.inputErrors(b, p)
	levels := e.levelErrors(inputs, p)
	if len(e.firing) == 0 && !slices.ContainsFunc(levels, func(l approx) bool { return l.off > 0 }) {
		for j, v := range e.Uncovered {
			none[j] = p.of(v)
		}
		return none
	}
	if !e.covered || len(e.firing) == 0 {
		return none
	}
	shares := e.shareErrors(levels, p)
	y := make([]approx, e.Outputs)
	for c := range y {
		y[c].v, _ = e.bounds(c)
		y[c].off = e.outputError(c, inputs, shares, p)
	}
	return p.respond(e.member, y)
}

// inputErrors returns the inputs of the rules: in 64 bits, z-scores are what they are.
func (e *rulesIn) inputErrors(b box, p precision) (all []approx) {
	for i, in := range e.Inputs {
		z := e.numbersOf(i, b[e.column[i]])
		off := 0.0
		if p.single {
			off = slack * (p.unit*(2*math.Abs(in.Mean)/in.SD+6*z.size()) + 3*p.least*(1+1/in.SD))
		}
		all = append(all, approx{z, off})
	}
	if e.Components == nil {
		return all
	}
	var sums []approx
	for k, loadings := range e.Components {
		off := 0.0
		for i, l := range loadings {
			off += math.Abs(l) * (all[i].off + float64(len(loadings)+2)*p.unit*all[i].v.size())
		}
		sums = append(sums, approx{e.places[k].z, slack * off})
	}
	return sums
}

// levelErrors returns the weights [R] of the rules before they are normalised, or their logarithms.
func (e *rulesIn) levelErrors(inputs []approx, p precision) []approx {
	grades := make([]approx, len(e.kinds))
	for k, c := range e.kinds {
		u := inputs[c.input]
		if d := e.dim[c.input]; e.category[d] {
			u.v = e.pointsOf(c.input, e.places[d].points)
		}
		if e.Components == nil && e.Inputs[c.input].Power != nil {
			u = p.power(e.Inputs[c.input].Power, u)
		}
		if e.Shape.Name() == "ramp" {
			grades[k] = approx{e.grades[k].v, p.ramp(u, c.params)}
			continue
		}
		arguments := []approx{u}
		for _, v := range c.params {
			arguments = append(arguments, approx{point(v), p.of(v)})
		}
		grades[k] = p.run(e.Grade, arguments...)
	}
	all := make([]approx, len(e.Rules))
	for r := range all {
		level := approx{v: point(e.Start())}
		for _, k := range e.kind[r] {
			level = p.run(e.Join, level, grades[k])
		}
		if e.Weight != nil && e.LogSpace {
			level = p.run(e.Weight, level)
		} else if e.Weight != nil {
			level = p.step(export.Exp, p.run(e.Weight, p.step(export.Log, level, level)), approx{})
		}
		all[r] = level
	}
	return all
}

// shareErrors returns the errors of the normalised levels [R].
func (e *rulesIn) shareErrors(levels []approx, p precision) []float64 {
	off := make([]float64, len(levels))
	if !e.LogSpace {
		total := 0.0
		for _, l := range levels {
			total += l.off
		}
		total += float64(len(levels)+1) * p.unit * (e.sum.hi + total)
		if !(e.sum.lo-total > export.MinFiring) {
			return slices.Repeat([]float64{math.Inf(1)}, len(levels))
		}
		for r, l := range levels {
			if l.off > 0 || e.p[r].hi > 0 {
				off[r] = slack * ((l.off+e.p[r].hi*total)/(e.sum.lo-total) + 2*p.unit*e.p[r].hi)
			}
		}
		return off
	}
	top, most := math.Inf(-1), 0.0
	for _, l := range levels {
		top = max(top, l.v.hi)
	}
	for r, l := range levels { // relative to the largest, whose error is common to all
		off[r] = math.Expm1(l.off + p.unit*(top-l.v.lo+functions+float64(len(levels))))
		most = max(most, off[r])
	}
	for r := range off {
		off[r] = slack * (e.p[r].hi*(off[r]+most) + 2*p.least)
	}
	return off
}

// outputError returns the error of output c: of the shares, of what rules say, and of the sum over the rules.
func (e *rulesIn) outputError(c int, inputs []approx, shares []float64, p precision) float64 {
	byShare, byRule, largest, most := 0.0, 0.0, 0.0, e.most()
	for r := range e.Rules {
		if shares[r] == 0 && e.p[r].hi == 0 {
			continue
		}
		if !(shares[r] < math.Inf(1)) { // perhaps no rule fires
			return math.Inf(1)
		}
		off, size := e.ruleError(c, r, inputs, p)
		byRule, largest = max(byRule, off), max(largest, size)
		apart := size + e.y[c][most].size()
		if slices.Contains(e.firing, r) {
			apart = e.apartY(c, r, most).size()
		}
		byShare += times(shares[r], apart)
	}
	return slack*(byShare+byRule) + float64(2*len(e.Rules)+8)*p.unit*largest
}

// ruleError returns the error of output c of rule r, and a bound of its terms.
func (e *rulesIn) ruleError(c, r int, inputs []approx, p precision) (off, size float64) {
	w := e.Rules[r].Weights[c]
	size = math.Abs(w[0])
	for i, z := range inputs {
		off += math.Abs(w[i+1]) * z.off
		size += math.Abs(w[i+1]) * (z.v.size() + z.off)
		if values := e.Curve(c, r); values != nil && len(e.Knots[i]) > 0 {
			more, most := p.curve(e.Knots[i], values[e.first[i]:][:len(e.Knots[i])], z)
			off, size = off+more, size+most
		}
	}
	return off + float64(2*len(inputs)+4)*p.unit*size + p.least, size
}

// respond returns the errors of the response [J] of a member to its outputs.
func (p precision) respond(m *member, y []approx) (off []float64) {
	f, worst, widest := functions*p.unit, 0.0, 0.0
	for _, v := range y {
		worst, widest = max(worst, v.off), max(widest, v.v.size())
	}
	switch m.Link {
	case "logit", "softmax":
		for range max(2, m.Outputs) {
			off = append(off, min(1, slack*worst/2+4*f+float64(m.Outputs+4)*p.unit*(1+worst)))
		}
		return off
	case "log":
		mean, v := math.Abs(m.Targets[0].Mean), exp(span{min(y[0].v.lo, loss.MaxLog), min(y[0].v.hi, loss.MaxLog)})
		off = []float64{mean * v.hi * (slack*math.Expm1(y[0].off) + f + 4*p.unit)}
	default:
		for c, t := range m.Targets {
			v := y[c]
			if m.Link == "ordered" { // each value of sorted outputs moves by no more than some output
				v = approx{point(widest), worst}
			}
			off = append(off, slack*math.Abs(t.Scale)*v.off+4*p.unit*(math.Abs(t.Mean)+math.Abs(t.Scale)*(v.v.size()+v.off)))
		}
	}
	for j := range off {
		for _, limit := range []float64{m.Low[j], m.High[j]} {
			if !math.IsInf(limit, 0) {
				off[j] = max(off[j], p.of(limit))
			}
		}
	}
	return off
}
