package certify

import (
	"math"
)

// tight is the share of what is attained that a bound may exceed it by before it is refined.
const tight = 0.02

// bounds states the range of predictions, their change per unit of each column, and the share that rules decide: one cover proves all.
func (p *prover) bounds() {
	low, high := p.slopesSeen()
	leaves := p.refine(p.ctx, p.root, p.boxes(false), func(e enclosure) float64 { return p.excess(e, low, high) })
	cover := p.cover(leaves)
	for j, o := range p.form.Outputs {
		f, by := leaves[0].e.f[j], append([]span{}, leaves[0].e.by[j]...)
		for _, l := range leaves[1:] {
			f = hull(f, l.e.f[j])
			for c := range by {
				by[c] = hull(by[c], l.e.by[j][c])
			}
		}
		seen := []float64{p.low[j], p.high[j]}
		at := p.bound(Claim{Kind: Range, Output: o.Key, Cover: cover, Attained: seen}, f, p.spread(j)+math.Abs(p.high[j]))
		p.within(&at, j)
		if !p.alreadyPromised(at) {
			p.certificate.Claims = append(p.certificate.Claims, at)
		}
		for c, of := range p.domain.Columns {
			if of.Range == nil || of.Range[0] == of.Range[1] {
				continue
			}
			one := Claim{Kind: Slope, Output: o.Key, Column: of.Name, Cover: cover, Attained: []float64{low[j][c], high[j][c]}}
			one = p.bound(one, by[c], p.spread(j)/p.length(c))
			if one.Status == Open {
				one.Undecided = p.unbounded(leaves, j, c)
			}
			p.certificate.Claims = append(p.certificate.Claims, one)
		}
	}
	p.decides(leaves, cover)
}

// alreadyPromised reports whether a promise that is proved has the bounds of a claim, and notes what was seen there.
func (p *prover) alreadyPromised(c Claim) bool {
	for i, o := range p.certificate.Claims {
		same := o.Kind == c.Kind && o.Output == c.Output && o.Status == Proved && c.Status == Proved
		if same && o.Promised && *o.Low == *c.Low && *o.High == *c.High {
			p.certificate.Claims[i].Attained = c.Attained
			return true
		}
	}
	return false
}

// within keeps the bounds of a range within the limits of the response, which no prediction exceeds.
func (p *prover) within(c *Claim, j int) {
	if low, high := p.form.Outputs[j].Limits(); c.Status == Proved && len(p.members) == 1 {
		*c.Low, *c.High = max(*c.Low, low), min(*c.High, high)
	}
}

// steepest is the largest bound, in units of what was seen, that says something: beyond it, a box has a jump.
const steepest = 1e12

// bound sets the bounds of a claim, a little wider than an enclosure for what other checkers round; open if it says nothing.
func (p *prover) bound(c Claim, of span, unit float64) Claim {
	more := widening * (unit + max(math.Abs(of.lo), math.Abs(of.hi)))
	low, high := of.lo-more, of.hi+more
	if !(math.Abs(low) < steepest*unit && math.Abs(high) < steepest*unit) {
		c.Status, c.Cover, c.Reason = Open, -1, "no finite bound was found"
		return c
	}
	c.Status, c.Low, c.High = Proved, &low, &high
	return c
}

// unbounded returns the share of boxes in which a slope has no bound.
func (p *prover) unbounded(leaves []*node, j, c int) (share float64) {
	for _, l := range leaves {
		if d := l.e.by[j][c]; !(d.lo > math.Inf(-1) && d.hi < math.Inf(1)) {
			share += p.domain.share(l.box)
		}
	}
	return share
}

// excess returns how far the bounds in a box exceed what was seen, in units of what was seen.
func (p *prover) excess(e enclosure, low, high [][]float64) float64 {
	most := 0.0
	for j := range p.form.Outputs {
		f, spread := e.f[j], p.spread(j)
		most = max(most, (f.hi-p.high[j])/spread-tight, (p.low[j]-f.lo)/spread-tight)
		for c, d := range e.by[j] {
			if d.isZero() || p.domain.Columns[c].Range == nil {
				continue
			}
			unit := max(math.Abs(low[j][c]), math.Abs(high[j][c]), 0.01*spread/p.length(c))
			over := max(d.hi-high[j][c], low[j][c]-d.lo) / unit
			most = max(most, min(over, 1e6)-tight)
			if over != over || math.IsInf(over, 1) {
				most = max(most, 1e6)
			}
		}
	}
	return most
}

// slopesSeen returns the least and the largest change per unit [J][M] that is seen at the rows, over small steps.
func (p *prover) slopesSeen() (low, high [][]float64) {
	for range p.form.Outputs {
		l, h := make([]float64, len(p.domain.Columns)), make([]float64, len(p.domain.Columns))
		low, high = append(low, l), append(high, h)
	}
	for c, of := range p.domain.Columns {
		if of.Range == nil || of.Range[0] == of.Range[1] {
			continue
		}
		h := 1e-5 * p.length(c)
		var rows [][]float64
		for n, row := range p.rows {
			if _, mark := isPoint(row[c]); mark || n%8 != 0 {
				continue
			}
			from := min(row[c], of.Range[1]-h)
			if p.crosses(c, from, from+h) {
				continue
			}
			a, b := append([]float64{}, row...), append([]float64{}, row...)
			a[c], b[c] = from, from+h
			rows = append(rows, a, b)
		}
		y := p.predict(rows...)
		for n := 0; n+1 < len(y); n += 2 {
			for j := range p.form.Outputs {
				if d := (y[n+1][j] - y[n][j]) / h; d == d {
					if n == 0 {
						low[j][c], high[j][c] = d, d
					}
					low[j][c], high[j][c] = min(low[j][c], d), max(high[j][c], d)
				}
			}
		}
	}
	return low, high
}

// crosses reports whether a step of a column is between two numbers.
func (s *space) crosses(c int, from, to float64) bool {
	for _, at := range s.steps[c] {
		if at >= from && at < to {
			return true
		}
	}
	return false
}

// decides states which share of the domain each rule of a single model decides.
func (p *prover) decides(leaves []*node, cover int) {
	if len(p.members) > 1 {
		return
	}
	c := Claim{Kind: Decides, Status: Proved, Cover: cover, Shares: make([]float64, len(p.members[0].Rules))}
	c.Undecided = 1
	for _, l := range leaves {
		at := -1
		if l.e.covered && l.e.share >= 0.5+widening {
			at = l.e.leader
		}
		c.Rules = append(c.Rules, at)
		if at >= 0 {
			share := p.domain.share(l.box)
			c.Shares[at] += share
			c.Undecided -= share
		}
	}
	c.Undecided = max(0, c.Undecided)
	for r := range c.Shares { // at least: what other checkers round
		c.Shares[r] *= 1 - widening
	}
	p.certificate.Claims = append(p.certificate.Claims, c)
}
