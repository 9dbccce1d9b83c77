package pages

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/page"
)

// rampFolds is the number of folds, the last ones, in which ramps are found without the rows held out.
const rampFolds = 5

// based is a setting as a base of ramps.
type based struct {
	score
	page  *page.Page // with ramps
	share float64    // of the error, see withRamps
}

// ramped returns the page of the best setting, or one with ramps that errs less, and the setting with the error of the page.
//
// Ramps are tried on the best page and, of each number of rules, on the one of summands of the least error, unless a rule of the best page
// has rows of one same target. The most promising one, and then the best page with ramps, takes the place of the best page if, where each
// fold finds its tree, its tables and its ramps without the rows held out, it errs less by [rampGain] and by more than half the standard
// error of the difference; a page of another setting with more numbers by [mostWorse].
func (c *crossed) ramped(ctx context.Context, all []score, best score) (score, *page.Page, error) {
	_, mean, sd := scaled(c.s.Y, c.s.Weight)
	bases := rampBases(all, best, c.o)
	done := c.o.counter(StageRamps, len(bases)+1)
	defer done()
	answers, err := c.each(ctx, len(bases), func(k int) question {
		return question{Ask: askRamps, K: k, Page: bases[k].print(c.s, mean, sd, c.o), done: done, step: 1}
	})
	if err != nil {
		return best, nil, err
	}
	tried := make([]based, len(bases))
	for k, a := range answers {
		tried[k] = based{bases[k], a.Page, a.Share}
	}
	plain := best.print(c.s, mean, sd, c.o)
	for _, i := range mostPromising(tried) {
		share, sure, err := c.rampShare(ctx, tried[i].setting)
		if err != nil {
			return best, nil, err
		}
		of := tried[i].score
		of.rmse *= share
		if sure && of.rmse < limitOf(tried, i) {
			return of, tried[i].page, nil
		}
	}
	return best, plain, nil
}

// rampBases returns the settings whose pages may have ramps: the best one comes first.
func rampBases(all []score, best score, o Options) []score {
	bases := []score{best}
	if slices.ContainsFunc(best.tree, func(l leaf) bool { return best.f.n > len(l.rows) && best.same(l.rows) }) {
		return bases
	}
	for rules := 2; rules <= o.Rules; rules++ {
		var own []score
		for _, b := range all {
			if b.rules == rules && b.numbers <= o.Numbers-leastRoom && b.kind != factors {
				own = append(own, b)
			}
		}
		if own != nil {
			bases = append(bases, leastOf(own))
		}
	}
	return bases
}

// limitOf returns the error that base i must be below.
func limitOf(tried []based, i int) float64 {
	if i > 0 && tried[i].page.Numbers() > tried[0].page.Numbers() {
		return (1 - mostWorse) * tried[0].rmse
	}
	return (1 - rampGain) * tried[0].rmse
}

// mostPromising returns the places of the base that ramps help most, of nearly equal ones that of the fewest numbers, and of the best page,
// if ramps help it.
func mostPromising(tried []based) (order []int) {
	errs := func(b based) float64 { return b.rmse * b.share }
	for i, b := range tried {
		if b.share < 1 && errs(b) < limitOf(tried, i) {
			order = append(order, i)
		}
	}
	if order == nil {
		return nil
	}
	least := errs(tried[slices.MinFunc(order, func(i, j int) int { return cmp.Compare(errs(tried[i]), errs(tried[j])) })])
	slices.SortStableFunc(order, func(i, j int) int {
		far := func(k int) int {
			if errs(tried[k]) > (1+rampGain)*least {
				return 1
			}
			return 0
		}
		return cmp.Or(far(i)-far(j), cmp.Compare(tried[i].page.Numbers(), tried[j].page.Numbers()))
	})
	first := order[0]
	if first == 0 || tried[0].share == 1 {
		return []int{first}
	}
	return []int{first, 0}
}

// rampShare returns the error of a setting with ramps as a share of that without, on the rows that folds hold out: each fold finds the
// ramps of its own page. The share is sure if the error falls by more than half the standard error of the difference.
func (c *crossed) rampShare(ctx context.Context, set setting) (share float64, sure bool, err error) {
	first := max(0, len(c.folds)-rampFolds)
	answers, err := c.each(ctx, len(c.folds)-first, func(k int) question {
		return question{Ask: askShare, K: 1 + first + k, Settings: []setting{set}}
	})
	if err != nil {
		return 1, false, err
	}
	before, after, rows := make([]float64, errorCells), make([]float64, errorCells), 0.0
	for k, a := range answers {
		of := a.Cells
		if of[0] == nil {
			continue
		}
		for i := range before {
			before[i], after[i] = before[i]+of[0][i], after[i]+of[1][i]
		}
		rows += c.s.measured().heldWeight(c.folds[first+k : first+k+1])
	}
	if !(sumOf(before) > 0) {
		return 1, false, nil
	}
	sure = (sumOf(before)-sumOf(after))/rows > 0.5*deviationOf(before, after, rows, 0.5)
	if share = sumOf(after) / sumOf(before); c.s.root() {
		share = math.Sqrt(share)
	}
	return share, sure, nil
}

// rampErrors returns sums of the losses of the rows that the fold of trial k holds out, without and with ramps; nil if the fold has no page
// of the setting, or no folds of its own.
func (p *portion) rampErrors(ctx context.Context, set setting, k int) (cells [2][]float64, err error) {
	v := own(p.trials[k].versions[set.kind], set.tables, set.rules-1, slices.Index(p.budgets, set.budget))
	inner := within(p.folds, k-1, len(p.s.Y))
	if v == nil || len(inner) < 2 {
		return cells, nil
	}
	train, held := p.s.at(p.folds[k-1].Train), p.s.at(p.folds[k-1].Held)
	train.Folds = inner
	_, mean, sd := scaled(train.Y, train.Weight)
	pg := v.print(train, mean, sd, p.o)
	next, _, err := withRamps(ctx, train, pg, p.o)
	if err != nil {
		return cells, err
	}
	of := held.measured()
	for i, one := range []*page.Page{pg, next} {
		cells[i] = make([]float64, errorCells)
		for r, value := range held.values(one, held.shares(one)) {
			cells[i][r%errorCells] += of.loss(value, r)
		}
	}
	return cells, nil
}

// within returns the folds of the rows that fold k of n rows trains on: of each other fold, those of its rows that these have. Folds that
// hold out rows which fold k does not train on, such as later ones, are left out.
func within(folds []Fold, k, n int) (inner []Fold) {
	place := make([]int, n)
	for i := range place {
		place[i] = -1
	}
	for i, row := range folds[k].Train {
		place[row] = i
	}
	of := func(rows []int) (at []int) {
		for _, row := range rows {
			if place[row] >= 0 {
				at = append(at, place[row])
			}
		}
		return at
	}
	for j, fold := range folds {
		one := Fold{Train: of(fold.Train), Held: of(fold.Held)}
		if j != k && len(one.Train) > 1 && len(one.Held) == len(fold.Held) {
			inner = append(inner, one)
		}
	}
	return inner
}

// sizesWith returns the sizes that were compared with that of a page.
func sizesWith(sizes []Size, pg *page.Page, rmse float64) (all []Size) {
	own := Size{Numbers: pg.Numbers(), Rules: len(pg.Rules), RMSE: rmse}
	for _, s := range sizes {
		if s.Numbers == own.Numbers && s.RMSE == own.RMSE {
			return sizes
		}
		if s.Numbers <= own.Numbers {
			own.SE = s.SE
		}
	}
	for _, s := range sizes {
		if s.Numbers < own.Numbers && s.RMSE > rmse {
			all = append(all, s)
		}
	}
	all = append(all, own)
	for _, s := range sizes {
		if s.Numbers > own.Numbers && s.RMSE < rmse {
			all = append(all, s)
		}
	}
	return all
}
