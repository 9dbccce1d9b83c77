package pages

import (
	"context"
	"math"
	"slices"
)

// kind is what a search of pages looks for.
type kind int

const (
	summands kind = iota // the least error, with tables that are added
	factors              // the least error, with tables that are factors
	separate             // summands, and few rules that separate the target's means, too, since samples have such rules more often
	kinds
)

const (
	separateRules = 4 // at most
	separation    = 1 // how much of what the means of the sides of a split explain counts besides the criterion
)

// drafts returns the drafts of all sizes with the tables of a setting, or of all numbers of tables. The mean of the target is offset, in
// standard deviations.
func (f *frame) drafts(ctx context.Context, y []float64, offset float64, o Options, set setting) ([][]*draft, error) {
	switch set.kind {
	case factors:
		return growFactors(ctx, f, y, offset, o)
	case separate:
		o.Rules, o.means = min(o.Rules, separateRules), y
	}
	return grow(ctx, f, y, o, set.tables)
}

// means are the sums of the weights of some rows and of a target.
type means struct{ weight, sum float64 }

// add adds row i of the matrix.
func (s *means) add(m *matrix, row int32) {
	root := m.x[int(row)*m.width+m.terms]
	w := float64(root * root)
	s.weight += w
	s.sum += float64(w * m.means[row])
}

// explained is the sum of squares that the mean explains.
func (s means) explained() float64 { return float64(s.sum*s.sum) / s.weight }

// separated subtracts from the values of splits of a column, with the bins order[:i+1] on the left, what counts of their means.
func (m *matrix) separated(values []float64, rows []int32, codes []uint8, order []int, bins int) {
	if m.means == nil {
		return
	}
	of, all, left := make([]means, bins), means{}, means{}
	for _, row := range rows {
		of[codes[row]].add(m, row)
	}
	for _, b := range order {
		all.weight, all.sum = all.weight+of[b].weight, all.sum+of[b].sum
	}
	for i, b := range order[:len(order)-1] {
		left.weight, left.sum = left.weight+of[b].weight, left.sum+of[b].sum
		right := means{all.weight - left.weight, all.sum - left.sum}
		values[i] -= float64(separation * (left.explained() + right.explained() - all.explained()))
	}
}

// separation is what counts of the means of the sides of a branch.
func (b *branch) separation(m *matrix) (gain float64) {
	if m.means == nil {
		return 0
	}
	var all means
	for _, c := range b.children {
		var side means
		for _, row := range c.rows {
			side.add(m, row)
			all.add(m, row)
		}
		gain += side.explained()
	}
	return float64(separation * (gain - all.explained()))
}

// nearest returns the settings near the least error: within the standard error of the difference, and within a share of it, except for a
// log loss, of which a share says little if a page tells the classes apart nearly always. Those of the fewest numbers come first: one of
// each tree, and one of more than separateRules only if it is the first.
func (s Samples) nearest(all []score) (near []score) {
	all = withoutShifts(all)
	least := leastOf(all).rmse
	for _, one := range all {
		like := func(n score) bool {
			return one.rules > separateRules || n.kind == one.kind && n.setting.tables == one.setting.tables && n.rules == one.rules
		}
		equal := one.rmse <= least+one.beside && (s.scores() || one.rmse <= (1+mostWorse)*least)
		if equal && !slices.ContainsFunc(near, like) {
			near = append(near, one)
		}
	}
	if near == nil {
		return all[len(all)-1:]
	}
	return near
}

// withoutShifts leaves out the pages with tables where a rule of one without is about rows of one same target, such as days on which a shop
// is closed, which a table would shift, but factors not if it is zero: unless they err less by more than the standard error of the
// difference.
func withoutShifts(all []score) []score {
	var same []int32 // one of the rows
	for _, s := range all {
		for _, l := range s.tree {
			if s.setting.tables == 0 && s.f.n > len(l.rows) && s.same(l.rows) {
				same = append(same, l.rows[0])
			}
		}
	}
	if same == nil {
		return all
	}
	plain := slices.DeleteFunc(slices.Clone(all), func(s score) bool {
		moved := func(row int32) bool { return s.kind != factors || s.y[row]+s.offset != 0 }
		return s.setting.tables > 0 && slices.ContainsFunc(same, moved)
	})
	if best := leastOf(plain); best.rmse-best.beside > leastOf(all).rmse {
		return all
	}
	return plain
}

// same reports whether rows have one same target.
func (d *draft) same(rows []int32) bool {
	return !slices.ContainsFunc(rows, func(r int32) bool { return d.y[r] != d.y[rows[0]] })
}

// steadiest returns the place among settings of the one whose rules are found again most often, in tenths of the samples: of several the
// first. Pages of more than separateRules are hardly ever found again, and win where there are no others.
func steadiest(near []score, found [][][]places) (best int) {
	most := -1.0
	for k, of := range near {
		if of.rules > separateRules {
			continue
		}
		if share := math.Floor(float64(10*foundAgain(found[k])) + 1e-9); share > most {
			best, most = k, share
		}
	}
	return best
}
