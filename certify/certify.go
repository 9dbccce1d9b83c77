// Package certify proves claims about the predictions of a model for all rows of a domain, and writes certificates that another program
// can check.
//
// A claim is one of the kinds of [Claim]. It is proved, refuted by rows, or open. A proof is a list of boxes that cover the domain; in
// each, interval arithmetic with outward rounding shows that the claim holds. [Certificate.Check] proves each box again.
//
// Claims are about the numbers in the model file as real numbers, and about z-scores as a prediction computes them in doubles, which
// decide conditions. What rounding adds to a prediction after that is bounded by [Rounding] claims.
package certify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// Options say how much is tried. The zero value is the default.
type Options struct {
	Margin   float64 // of the domain, see [Domain]
	Boxes    int     // most boxes of a proof; 0: 20000 of a promise, 2000 of another claim
	Samples  int     // rows that are drawn to refute claims; 0: 4096
	Promises []Claim // what the configuration promises: Kind, Output, Column, Direction, Low and High of each
	Only     bool    // prove the promises alone
}

func (o Options) samples() int {
	if o.Samples == 0 {
		return 4096
	}
	return o.Samples
}

func (o Options) boxes(promised bool) int {
	switch {
	case o.Boxes > 0:
		return o.Boxes
	case promised:
		return 20000
	}
	return 2000
}

// ErrOption is wrapped by errors about [Options].
var ErrOption = errors.New("certify")

// Prove states and proves claims about a model. When ctx ends, what is not proved by then is open. An error says why a model
// has no certificate; one with neighbours has none.
func Prove(ctx context.Context, m *model.Model, o Options) (*Certificate, error) {
	if !(o.Margin >= 0 && o.Margin <= 10) {
		return nil, fmt.Errorf("%w: a margin of %v: want a share of the range of each column from 0 to 10", ErrOption, o.Margin)
	}
	s, err := newSpace(m, func(f *export.Form) Domain { return newDomain(f, o.Margin) })
	if err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	p := &prover{space: s, Options: o, ctx: ctx}
	p.certificate = &Certificate{Format: format, Version: version, Domain: s.domain}
	if p.certificate.Model, err = Hash(m); err != nil {
		return nil, fmt.Errorf("certify: %w", err)
	}
	p.root = newNode(s.domain.full(), 0, s.enclose)
	p.sample()
	if !o.Only {
		p.structure()
	}
	for _, c := range o.Promises {
		if err := p.promise(c); err != nil {
			return nil, fmt.Errorf("certify: %w", err)
		}
	}
	if !o.Only {
		p.bounds()
		p.roundings()
		p.monotone()
		p.jumps()
	}
	p.certificate.compact()
	return p.certificate, nil
}

// compact drops the covers that no claim needs, and keeps equal ones once.
func (c *Certificate) compact() {
	at, same, kept := map[int]int{-1: -1}, map[string]int{}, [][]Box{}
	move := func(cover int) int {
		if k, moved := at[cover]; moved {
			return k
		}
		key := fmt.Sprint(c.Covers[cover])
		k, known := same[key]
		if !known {
			k = len(kept)
			same[key], kept = k, append(kept, c.Covers[cover])
		}
		at[cover] = k
		return k
	}
	for i := range c.Claims {
		one := &c.Claims[i]
		if one.Status != Proved {
			one.Cover, one.Steps, one.Rules = -1, nil, nil
			continue
		}
		one.Cover = move(one.Cover)
		one.Steps = slices.Clone(one.Steps)
		for k := range one.Steps {
			one.Steps[k].Cover = move(one.Steps[k].Cover)
		}
	}
	c.Covers = kept
}

// prover collects a certificate.
type prover struct {
	*space
	Options
	ctx         context.Context
	root        *node // the domain
	certificate *Certificate
	rows        [][]float64 // drawn
	y           [][]float64 // [N][J] predictions
	low, high   []float64   // [J] least and largest prediction seen
}

// sample draws rows, and notes what they are predicted as.
func (p *prover) sample() {
	rng := rand.New(rand.NewPCG(1, 2))
	whole := p.domain.full()
	for range p.samples() {
		p.rows = append(p.rows, p.draw(rng, whole))
	}
	p.rows = append(p.rows, p.corners(whole)...)
	p.y = p.predict(p.rows...)
	p.low, p.high = make([]float64, len(p.form.Outputs)), make([]float64, len(p.form.Outputs))
	for j := range p.low {
		p.low[j], p.high[j] = math.Inf(1), math.Inf(-1)
		for _, y := range p.y {
			p.see(j, y[j])
		}
	}
}

// see widens what was seen of output j.
func (p *prover) see(j int, y float64) {
	if y == y {
		p.low[j], p.high[j] = min(p.low[j], y), max(p.high[j], y)
	}
}

// corners returns rows of the ends of columns of numbers, in turn.
func (p *prover) corners(whole box) (rows [][]float64) {
	for c := range whole {
		if !whole[c].numbers() {
			continue
		}
		for _, v := range []float64{whole[c].lo, whole[c].hi} {
			row := p.middle(whole)
			row[c] = v
			rows = append(rows, row)
		}
	}
	return rows
}

// cover adds boxes to the certificate and returns their index.
func (p *prover) cover(leaves []*node) int {
	var boxes []Box
	for _, l := range leaves {
		boxes = append(boxes, p.domain.written(l.box, l.depth))
	}
	p.certificate.Covers = append(p.certificate.Covers, boxes)
	return len(p.certificate.Covers) - 1
}

// state adds a claim, which holds in the parts of a cover or is open.
func (p *prover) state(c Claim, leaves []*node, undecided float64) {
	c.Status, c.Cover, c.Undecided = Proved, -1, undecided
	if undecided > 0 {
		c.Status = Open
	} else {
		c.Cover = p.cover(leaves)
	}
	p.certificate.Claims = append(p.certificate.Claims, c)
}

// structure states that some rule fires everywhere, and of a page that its grades sum to one.
func (p *prover) structure() {
	kinds := []string{Coverage}
	if p.pages {
		kinds = append(kinds, Partition)
	}
	for _, kind := range kinds {
		c := Claim{Kind: kind}
		leaves, undecided, _ := p.bisect(p.ctx, p.root, p.boxes(true), func(b box, e enclosure) (bool, bool) {
			return p.verdict(c, e, b)
		})
		if kind == Coverage && undecided > 0 && p.refuteCoverage(c) {
			continue
		}
		p.state(c, leaves, undecided)
	}
}

// refuteCoverage looks for a row for which no rule of a member fires.
func (p *prover) refuteCoverage(c Claim) bool {
	for _, row := range p.rows[:min(len(p.rows), 512)] {
		if p.refute(c, row) {
			return true
		}
	}
	return false
}

// uncovered reports whether no rule of some member fires anywhere in a box.
func (s *space) uncovered(b box) bool {
	return slices.ContainsFunc(s.levels(b).rules, func(in *rulesIn) bool { return len(in.firing) == 0 })
}

// spread returns the range of what was seen of output j, at least a little.
func (p *prover) spread(j int) float64 {
	if w := p.high[j] - p.low[j]; w > 0 {
		return w
	}
	return max(1e-300, math.Abs(p.high[j]))
}

// tolerance returns that of a [Monotone] claim: what rounding may change.
func (p *prover) tolerance(j int) float64 { return widening * p.spread(j) }
