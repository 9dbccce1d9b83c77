package certify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// Check proves each box of a certificate again, and computes what its rows are predicted as. The error wraps [ErrCertificate] and
// names the claim, and the first box that fails; a certificate of another model is refused.
func (c *Certificate) Check(m *model.Model) error {
	if err := c.check(m); err != nil {
		return fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	return nil
}

func (c *Certificate) check(m *model.Model) error {
	hash, err := Hash(m)
	if err != nil {
		return err
	}
	if hash != c.Model {
		return fmt.Errorf("it is of another model: the file has %s, the certificate %s", hash, escape.Quote(c.Model))
	}
	s, err := newSpace(m, func(f *export.Form) Domain { return newDomain(f, c.Domain.Margin) })
	if err != nil {
		return err
	}
	if err := c.checkDomain(s); err != nil {
		return err
	}
	by, used := map[int][]int{}, make([]bool, len(c.Covers)) // claims by cover
	for i, claim := range c.Claims {
		if err := c.checkClaim(s, claim); err != nil {
			return inClaim(i, claim, err)
		}
		if claim.Status == Proved && claim.Kind != Jump {
			by[claim.Cover] = append(by[claim.Cover], i)
		}
		for _, cover := range claim.covers() {
			if cover < 0 || cover >= len(used) {
				return inClaim(i, claim, fmt.Errorf("cover %d: there is none", cover))
			}
			used[cover] = true
		}
	}
	if unused := slices.Index(used, false); unused >= 0 {
		return fmt.Errorf("cover %d: no claim needs it", unused)
	}
	for _, cover := range slices.Sorted(maps.Keys(by)) {
		if err := c.checkClaims(s, cover, by[cover]); err != nil {
			return err
		}
	}
	return nil
}

// covers returns the covers that prove the claim.
func (c Claim) covers() (all []int) {
	if c.Status != Proved {
		return nil
	}
	if c.Kind != Jump {
		all = append(all, c.Cover)
	}
	for _, s := range c.Steps {
		all = append(all, s.Cover)
	}
	return all
}

func inClaim(i int, claim Claim, err error) error {
	return fmt.Errorf("claim %d (%s): %w", i+1, claim.Kind, err)
}

// checkClaims checks claims that are proved by one cover of the domain.
func (c *Certificate) checkClaims(s *space, cover int, claims []int) error {
	look, needs := s.levels, map[bool]bool{}
	for _, i := range claims {
		k := c.Claims[i].Kind
		needs[k == Rounding] = needs[k == Rounding] || k != Coverage && k != Partition
	}
	switch {
	case needs[true]:
		look = s.rounding
	case needs[false]:
		look = s.enclose
	}
	err := c.checkCover(s, cover, s.domain.full(), look, func(b box, e enclosure, n int) error {
		for _, i := range claims {
			if err := s.holds(c.Claims[i], b, e, n); err != nil {
				return inClaim(i, c.Claims[i], err)
			}
		}
		return nil
	})
	for _, i := range claims {
		if c.Claims[i].Kind == Decides && err == nil {
			if err = s.checkShares(c, c.Claims[i]); err != nil {
				return inClaim(i, c.Claims[i], err)
			}
		}
	}
	return err
}

// checkDomain checks that the domain is that of the model with its margin.
func (c *Certificate) checkDomain(s *space) error {
	a, err := json.Marshal(s.domain)
	if err != nil {
		return err
	}
	if b, err := json.Marshal(c.Domain); err != nil || !bytes.Equal(a, b) {
		return errors.New("the domain is not that of the model with this margin")
	}
	return nil
}

// checkClaim checks one claim, but for what its cover of the domain proves.
func (c *Certificate) checkClaim(s *space, claim Claim) error {
	if err := s.wellFormed(claim); err != nil {
		return err
	}
	switch claim.Status {
	case Open:
		return nil
	case Refuted:
		return s.checkRows(claim)
	case Proved:
	default:
		return fmt.Errorf("status %s: want proved, refuted or open", escape.Quote(string(claim.Status)))
	}
	return c.checkSteps(s, claim)
}

// wellFormed checks that a claim has the fields of its kind.
func (s *space) wellFormed(c Claim) error {
	bounds := c.Low != nil && c.High != nil && *c.Low <= *c.High
	column, bits := s.column(c.Column), func(p precision) bool { return p.bits == c.Bits }
	switch along := column >= 0 && s.domain.Columns[column].Range != nil; {
	case !slices.Contains([]string{Range, Monotone, Slope, Jump, Coverage, Partition, Decides, Rounding}, c.Kind):
		return errors.New("an unknown kind")
	case slices.Contains([]string{Range, Monotone, Slope, Jump, Rounding}, c.Kind) && s.output(c.Output) < 0:
		return fmt.Errorf("the model predicts no %s", escape.Quote(c.Output))
	case slices.Contains([]string{Monotone, Slope, Jump}, c.Kind) && !along:
		return fmt.Errorf("no column %s of numbers, or of levels in an order, in the domain", escape.Quote(c.Column))
	case slices.Contains([]string{Range, Slope, Jump}, c.Kind) && c.Status != Open && !bounds:
		return errors.New("want bounds, the lesser first")
	case c.Kind == Rounding && (!slices.ContainsFunc(precisions[:], bits) || c.Status != Open && c.High == nil):
		return errors.New("want numbers of 32 or 64 bits, and the largest error")
	case c.Kind == Monotone && (c.Direction != Increasing && c.Direction != Decreasing || !(c.Tolerance >= 0)):
		return errors.New("want a direction, and a tolerance of at least zero")
	case c.Kind == Decides && (len(s.members) > 1 || c.Status == Proved && len(c.Shares) != len(s.members[0].Rules)):
		return errors.New("want the share of each rule of a model that is no committee")
	}
	return nil
}

// holds returns an error unless a claim holds in box n of its cover.
func (s *space) holds(claim Claim, b box, e enclosure, n int) error {
	if claim.Kind == Decides {
		if n >= len(claim.Rules) || claim.Rules[n] < -1 || claim.Rules[n] >= len(s.members[0].Rules) {
			return errors.New("want a rule of the model, or -1")
		}
		if r := claim.Rules[n]; r >= 0 && !(e.covered && e.leader == r && e.share >= 0.5) {
			return fmt.Errorf("rule %d has less than half of the weight", r+1)
		}
		return nil
	}
	if ok, _ := s.verdict(claim, e, b); !ok {
		return errors.New("the claim is not proved there")
	}
	return nil
}

// checkCover checks that a cover is one of a box, and what holds in each of its boxes.
func (c *Certificate) checkCover(s *space, cover int, whole box, enclose func(b box) enclosure,
	holds func(b box, e enclosure, n int) error) error {
	if cover < 0 || cover >= len(c.Covers) || len(c.Covers[cover]) == 0 {
		return fmt.Errorf("cover %d: there is none", cover)
	}
	var boxes []box
	var depths []int
	for n, w := range c.Covers[cover] {
		b, err := s.domain.read(w)
		if err != nil {
			return fmt.Errorf("cover %d, box %d: %w", cover, n+1, err)
		}
		boxes, depths = append(boxes, b), append(depths, w.Depth)
	}
	if err := s.covers(boxes, depths, whole); err != nil {
		return fmt.Errorf("cover %d: %w", cover, err)
	}
	for n, b := range boxes {
		if err := holds(b, enclose(b), n); err != nil {
			return fmt.Errorf("cover %d, box %d: %w", cover, n+1, err)
		}
	}
	return nil
}

// checkSteps checks the proofs of a claim at the steps of its column.
func (c *Certificate) checkSteps(s *space, claim Claim) error {
	if claim.Kind != Monotone && claim.Kind != Jump {
		return nil
	}
	column := s.column(claim.Column)
	steps := s.stepsWithin(column)
	for k, at := range steps {
		if k >= len(claim.Steps) || claim.Steps[k].At != at {
			return fmt.Errorf("no proof at the step of %s at %v", escape.Quote(claim.Column), at)
		}
		err := c.checkCover(s, claim.Steps[k].Cover, s.atStep(column, at), func(b box) enclosure { return s.jump(b, column) },
			func(b box, e enclosure, _ int) error {
				if ok, _ := s.verdictAtStep(claim, e); !ok || b[column].lo == b[column].hi {
					return errors.New("the claim is not proved there")
				}
				return nil
			})
		if err != nil {
			return err
		}
	}
	if len(claim.Steps) > len(steps) {
		return fmt.Errorf("%d steps of %s: the model has %d", len(claim.Steps), escape.Quote(claim.Column), len(steps))
	}
	return nil
}

// checkShares checks that rules decide at least their shares.
func (s *space) checkShares(c *Certificate, claim Claim) error {
	shares := make([]float64, len(claim.Shares))
	for n, w := range c.Covers[claim.Cover] {
		if r := claim.Rules[n]; r >= 0 {
			b, err := s.domain.read(w)
			if err != nil {
				return err
			}
			shares[r] += s.domain.share(b)
		}
	}
	for r, v := range shares {
		if !(claim.Shares[r] <= v) {
			return fmt.Errorf("rule %d decides %v of the domain, not %v", r+1, v, claim.Shares[r])
		}
	}
	return nil
}

// checkRows checks that the rows of a refuted claim refute it.
func (s *space) checkRows(c Claim) error {
	var f []span
	var at []box
	for _, cells := range c.Rows {
		b, err := s.readRow(cells)
		if err != nil {
			return err
		}
		at, f = append(at, b), append(f, s.enclose(b).f[max(0, s.output(c.Output))])
	}
	switch {
	case c.Kind == Coverage && len(at) == 1 && s.uncovered(at[0]):
		return nil
	case c.Kind == Range && len(f) == 1 && (f[0].hi < *c.Low || f[0].lo > *c.High):
		return nil
	case c.Kind == Monotone && len(f) == 2:
		column, rise := s.column(c.Column), sub(f[1], f[0])
		if c.Direction == Decreasing {
			rise = neg(rise)
		}
		for i := range at[0] {
			if same := at[0][i].lo == at[1][i].lo && slices.Equal(at[0][i].points, at[1][i].points); !same && i != column {
				return errors.New("its rows differ in other columns, too")
			}
		}
		if at[0][column].numbers() && at[0][column].lo < at[1][column].lo && rise.hi < -c.Tolerance {
			return nil
		}
	}
	return errors.New("its rows do not refute it")
}

// readRow returns the box of a row of a certificate, which is in the domain.
func (s *space) readRow(cells []string) (b box, err error) {
	if len(cells) != len(s.domain.Columns) {
		return nil, fmt.Errorf("a row of %d cells: the domain has %d columns", len(cells), len(s.domain.Columns))
	}
	for c, of := range s.domain.Columns {
		one, levels := cell{lo: 1}, s.form.Columns[c].Levels
		level := slices.Index(levels, cells[c])
		switch v, err := strconv.ParseFloat(cells[c], 64); {
		case of.Missing && cells[c] == "":
			one.points = []int{of.points() - 1}
		case of.Range == nil && level >= 0:
			one.points = []int{level}
		case of.Range == nil && of.Unseen:
			one.points = []int{len(of.Levels)}
		case of.Range != nil && level >= 0:
			one.lo, one.hi = float64(level+1), float64(level+1)
		case err != nil || !(v >= of.Range[0] && v <= of.Range[1]):
			return nil, fmt.Errorf("%s of a row is not in the domain: %s", escape.Quote(of.Name), escape.Quote(cells[c]))
		default:
			one.lo, one.hi = v, v
		}
		b = append(b, one)
	}
	return b, nil
}
