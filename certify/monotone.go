package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// pair is two rows that differ in one column, and by how much the prediction rises from the lesser number to the larger one.
type pair struct {
	a, b []float64
	rise float64
}

// monotone states of each column of numbers, unless it is promised, in which direction predictions move with it.
func (p *prover) monotone() {
	for j, o := range p.form.Outputs {
		for c, of := range p.domain.Columns {
			if of.Range == nil || of.Range[0] == of.Range[1] || p.promised(o.Key, of.Name) {
				continue
			}
			falls, rises := p.extremes(j, c)
			claim := Claim{Kind: Monotone, Output: o.Key, Column: of.Name, Direction: Increasing, Tolerance: p.tolerance(j)}
			if -falls.rise > rises.rise {
				claim.Direction = Decreasing
			}
			p.prove(claim, falls, rises)
		}
	}
}

func (p *prover) promised(output, column string) bool {
	for _, c := range p.certificate.Claims {
		if c.Kind == Monotone && c.Promised && c.Output == output && c.Column == column {
			return true
		}
	}
	return false
}

// prove proves or refutes a [Monotone] claim.
func (p *prover) prove(c Claim, falls, rises pair) {
	c.Cover = -1
	if w, refuted := against(c, falls, rises); refuted && p.refute(c, w.a, w.b) {
		return
	}
	column, undecided := p.column(c.Column), 0.0
	leaves, share, broken := p.bisect(p.ctx, p.root, p.boxes(c.Promised), func(b box, e enclosure) (bool, bool) {
		return p.verdict(c, e, b)
	})
	if broken == nil && share == 0 {
		for _, at := range p.stepsWithin(column) {
			var parts []*node
			face := newNode(p.atStep(column, at), 0, func(b box) enclosure { return p.jump(b, column) })
			parts, undecided, broken = p.bisect(p.ctx, face, p.boxes(c.Promised),
				func(_ box, e enclosure) (bool, bool) { return p.verdictAtStep(c, e) })
			if share = max(share, undecided); share > 0 {
				break
			}
			c.Steps = append(c.Steps, Face{at, p.cover(parts)})
		}
	}
	if share > 0 {
		c.Steps = nil
		if w, refuted := p.search(c, broken, falls, rises); refuted && p.refute(c, w.a, w.b) {
			return
		}
	}
	p.state(c, leaves, share)
}

// against returns the pair that moves most against the direction of a claim, and whether it does by more than twice the tolerance.
func against(c Claim, falls, rises pair) (pair, bool) {
	if c.Direction == Decreasing {
		return rises, rises.a != nil && rises.rise > 2*c.Tolerance
	}
	return falls, falls.a != nil && falls.rise < -2*c.Tolerance
}

// refute states that rows refute a claim, and reports whether it did: not if the check refuses them, such as predictions that differ by
// rounding.
func (p *prover) refute(c Claim, rows ...[]float64) bool {
	c.Status, c.Cover, c.Steps = Refuted, -1, nil
	for _, row := range rows {
		c.Rows = append(c.Rows, p.cells(row))
	}
	if p.checkRows(c) != nil {
		return false
	}
	p.certificate.Claims = append(p.certificate.Claims, c)
	return true
}

// extremes returns, of the rows that were drawn, those with another number in a column between which output j falls and rises most.
func (p *prover) extremes(j, c int) (falls, rises pair) {
	rng := rand.New(rand.NewPCG(3, uint64(c)))
	var pairs [][]float64
	whole := p.domain.full()
	for n, row := range p.rows {
		if _, mark := isPoint(row[c]); mark {
			continue
		}
		other := append([]float64{}, row...)
		if other[c] = p.draw(rng, whole)[c]; n%2 == 0 { // near
			other[c] = row[c] + float64(rng.NormFloat64()*0.02*p.length(c))
		}
		if _, mark := isPoint(other[c]); mark {
			continue
		}
		other[c] = p.onScale(c, max(whole[c].lo, min(whole[c].hi, other[c])))
		pairs = append(pairs, row, other)
	}
	for k, at := range p.stepsWithin(c) {
		for n := k; n < len(p.rows); n += 8 {
			a, b := append([]float64{}, p.rows[n]...), append([]float64{}, p.rows[n]...)
			if a[c], b[c] = at, math.Nextafter(at, math.Inf(1)); !p.form.Columns[c].Numbers() { // the levels on both sides
				a[c], b[c] = math.Floor(at), math.Ceil(b[c])
			}
			pairs = append(pairs, a, b)
		}
	}
	return p.worst(j, c, pairs)
}

// onScale returns a number that a cell of a column may be.
func (s *space) onScale(c int, v float64) float64 {
	if !s.form.Columns[c].Numbers() {
		return math.Round(v)
	}
	return v
}

// worst returns the pairs of neighbours in a list of rows between which output j falls and rises most.
func (p *prover) worst(j, c int, pairs [][]float64) (falls, rises pair) {
	y := p.predict(pairs...)
	for n := 0; n+1 < len(y); n += 2 {
		a, b, rise := pairs[n], pairs[n+1], y[n+1][j]-y[n][j]
		if a[c] > b[c] {
			a, b, rise = b, a, -rise
		}
		if rise < falls.rise || falls.a == nil && rise == rise {
			falls = pair{a, b, rise}
		}
		if rise > rises.rise || rises.a == nil && rise == rise {
			rises = pair{a, b, rise}
		}
	}
	return falls, rises
}

// search looks for a pair against a claim near a box in which it holds nowhere, and near the worst pair known, with smaller and smaller
// random moves.
func (p *prover) search(c Claim, broken box, falls, rises pair) (pair, bool) {
	j, column := p.output(c.Output), p.column(c.Column)
	if broken != nil && broken[column].numbers() {
		a, b := p.middle(broken), p.middle(broken)
		a[column], b[column] = broken[column].lo, broken[column].hi
		falls, rises = p.worst(j, column, [][]float64{a, b})
	}
	best, found := against(c, falls, rises)
	rng, whole := rand.New(rand.NewPCG(5, uint64(column))), p.domain.full()
	for n := 0; n < 40 && !found && best.a != nil && p.ctx.Err() == nil; n++ {
		scale := 0.3 * math.Pow(0.85, float64(n))
		pairs := [][]float64{best.a, best.b}
		for range 64 {
			a, b := append([]float64{}, best.a...), append([]float64{}, best.b...)
			for k := range a {
				if _, mark := isPoint(a[k]); mark || !whole[k].numbers() || rng.IntN(2) == 0 {
					continue
				}
				move := float64(rng.NormFloat64() * scale * p.length(k))
				a[k] = p.onScale(k, max(whole[k].lo, min(whole[k].hi, a[k]+move)))
				if b[k] = a[k]; k == column {
					b[k] = p.onScale(k, max(whole[k].lo, min(whole[k].hi, best.b[k]+move)))
				}
			}
			pairs = append(pairs, a, b)
		}
		falls, rises = p.worst(j, column, pairs)
		best, found = against(c, falls, rises)
	}
	return best, found
}

// jumps states how far predictions jump at the steps of each column.
func (p *prover) jumps() {
	for c, of := range p.domain.Columns {
		if of.Range == nil {
			continue
		}
		var faces []Face
		var f []span
		for _, at := range p.stepsWithin(c) {
			face := newNode(p.atStep(c, at), 0, func(b box) enclosure { return p.jump(b, c) })
			leaves := p.refine(p.ctx, face, p.boxes(false), func(e enclosure) float64 {
				if slices.ContainsFunc(e.f, func(d span) bool { return !(d.width() < math.Inf(1)) }) {
					return 1
				}
				return 0
			})
			faces = append(faces, Face{at, p.cover(leaves)})
			for _, l := range leaves {
				if f == nil {
					f = append(f, l.e.f...)
				}
				for j := range f {
					f[j] = hull(f[j], l.e.f[j])
				}
			}
		}
		if faces == nil {
			continue
		}
		for j, o := range p.form.Outputs {
			p.certificate.Claims = append(p.certificate.Claims,
				p.bound(Claim{Kind: Jump, Output: o.Key, Column: of.Name, Cover: -1, Steps: faces}, f[j], p.spread(j)))
		}
	}
}

// promise proves or refutes what the configuration promises.
func (p *prover) promise(c Claim) error {
	c.Promised = true
	for j, o := range p.form.Outputs {
		if c.Output != "" && c.Output != o.Key {
			continue
		}
		one := c
		one.Output = o.Key
		switch column := p.column(c.Column); {
		case c.Kind == Range && c.Low != nil && c.High != nil:
			p.promiseRange(one, j)
		case c.Kind != Monotone || c.Direction != Increasing && c.Direction != Decreasing:
			return fmt.Errorf("a promise of kind %s: want a range with both ends, or monotone with a direction", escape.Quote(c.Kind))
		case column < 0 || p.domain.Columns[column].Range == nil:
			return fmt.Errorf("the model has no column %s of numbers, or of levels in an order, that it uses: it promises nothing of it",
				escape.Quote(c.Column))
		default:
			one.Tolerance = p.tolerance(j)
			falls, rises := p.extremes(j, column)
			p.prove(one, falls, rises)
		}
	}
	return nil
}

// promiseRange proves or refutes a [Range] with given ends.
func (p *prover) promiseRange(c Claim, j int) {
	c.Cover = -1
	for n, y := range p.y {
		if (y[j] < *c.Low || y[j] > *c.High) && p.refute(c, p.rows[n]) {
			return
		}
	}
	leaves, share, _ := p.bisect(p.ctx, p.root, p.boxes(true), func(b box, e enclosure) (bool, bool) {
		holds, _ := p.verdict(c, e, b)
		return holds, false
	})
	p.state(c, leaves, share)
}
