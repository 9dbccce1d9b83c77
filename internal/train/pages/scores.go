package pages

import (
	"cmp"
	"math"
	"slices"
)

// score is a setting with its error.
type score struct {
	setting
	*version
	cells      []float64
	rmse       float64
	se, beside float64 // standard errors of the error, and of its difference to the least one
}

// scores returns the settings that have errors, with the fewest numbers first.
func (c *crossed) scores(rows float64, root bool) []score {
	var all []score
	for k, tables := range c.sums {
		for t, sizes := range tables {
			for l, versions := range sizes {
				for b, cells := range versions {
					v := c.whole.versions[k][t][l][b]
					if cells == nil || b > 0 && v == c.whole.versions[k][t][l][b-1] {
						continue
					}
					s := score{setting: setting{kind(k), t, l + 1, c.budgets[b]}, version: v, cells: cells}
					if s.rmse = sumOf(cells) / rows; root {
						s.rmse = math.Sqrt(s.rmse)
					}
					all = append(all, s)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b score) int { return cmp.Or(cmp.Compare(a.numbers, b.numbers), cmp.Compare(a.rmse, b.rmse)) })
	if len(all) == 0 {
		return nil
	}
	best := leastOf(all)
	for i := range all {
		s, by := &all[i], 0.5
		if root {
			by = s.rmse
		}
		s.se = deviationOf(s.cells, nil, rows, by)
		s.beside = deviationOf(s.cells, best.cells, rows, by)
	}
	return all
}

// leastOf returns the score of the least error, of several the one of the fewest numbers.
func leastOf(all []score) score {
	return slices.MinFunc(all, func(a, b score) int { return cmp.Compare(a.rmse, b.rmse) })
}

// sizes returns the best setting of each number of numbers, with less error than all smaller ones.
func sizes(all []score) (out []Size) {
	least := math.Inf(1)
	for _, s := range all {
		if s.rmse < least {
			least = s.rmse
			size := Size{Numbers: s.numbers, Rules: s.rules, RMSE: s.rmse, SE: s.se}
			if n := len(out); n > 0 && out[n-1].Numbers == s.numbers {
				out[n-1] = size
				continue
			}
			out = append(out, size)
		}
	}
	return out
}

func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// deviationOf returns the standard error of a root mean square, or of its difference to that of others, from sums over equal parts of
// the rows; of a mean if rmse is a half.
func deviationOf(cells, others []float64, rows, rmse float64) float64 {
	d := slices.Clone(cells)
	for i := range others {
		d[i] -= others[i]
	}
	mean, sum := sumOf(d)/float64(len(d)), 0.0
	for _, v := range d {
		sum += float64((v - mean) * (v - mean))
	}
	if rmse == 0 {
		return 0
	}
	return math.Sqrt(sum*float64(len(d))/float64(len(d)-1)) / rows / (2 * rmse)
}
