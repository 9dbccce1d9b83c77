package drift

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Counts are what is counted of rows, blocks of which merge.
type Counts struct {
	of      *Reference
	Rows    int
	columns []columnCounts
	rules   [][]int    // [C][R] rows that each rule decides; nil for a committee
	errors  [][]totals // [C][R+1] of the rows of each rule, last of all; nil until there are errors
	losses  []totals   // [R+1] likewise
}

// columnCounts are those of a column.
type columnCounts struct {
	groups           []int // see column.group
	missing, unknown int   // cells
	below, above     int   // cells outside the training range
}

// Count returns empty counts.
func (r *Reference) Count() *Counts {
	c := &Counts{of: r}
	for i := range r.columns {
		of := &r.columns[i]
		c.columns = append(c.columns, columnCounts{groups: make([]int, of.groups())})
	}
	if !r.model.Committee() {
		for out := range max(1, len(r.model.Pages)) {
			c.rules = append(c.rules, make([]int, model.CountRules(r.model.Output(out))))
		}
	}
	return c
}

// Add counts rows x [N][M] in the units of the table, whose missing cells and those of unknown levels are NaN; unknown counts the latter by
// column.
func (c *Counts) Add(x [][]float64, unknown map[string]int) error {
	decides, err := c.decides(x)
	if err == nil {
		c.AddCells(x, unknown)
		c.AddRules(decides)
	}
	return err
}

// AddRules counts the rules that decide rows, as [model.Model.Decides] returns them, whose cells AddCells counts.
func (c *Counts) AddRules(decides [][]int) {
	for out, of := range decides {
		for _, k := range of {
			if k >= 0 {
				c.rules[out][k]++
			}
		}
	}
}

// AddCells is Add of the columns alone.
func (c *Counts) AddCells(x [][]float64, unknown map[string]int) {
	c.Rows += len(x)
	for i := range c.of.columns {
		of, n := &c.of.columns[i], &c.columns[i]
		for _, row := range x {
			k := of.group(row)
			if k < 0 {
				n.missing++
				continue
			}
			n.groups[k]++
			if v := row[of.at]; of.numbers && v < of.low {
				n.below++
			} else if of.numbers && v > of.high {
				n.above++
			}
		}
		n.unknown += unknown[of.Name]
		n.missing = max(0, n.missing-unknown[of.Name])
	}
}

// decides returns the rule that decides each row, by output; none for a committee.
func (c *Counts) decides(x [][]float64) ([][]int, error) {
	if c.rules == nil || len(x) == 0 {
		return nil, nil
	}
	return c.of.model.Decides(c.filled(&data.Dataset{X: x}).X)
}

// filled returns the rows with what missing cells count as.
func (c *Counts) filled(d *data.Dataset) *data.Dataset {
	lenient := *d
	lenient.Missing.Policy = "mean"
	return c.of.model.Fill(&lenient)
}

// AddErrors counts the errors of predictions for rows whose targets are known.
func (c *Counts) AddErrors(d *data.Dataset) error {
	if d.Len() == 0 {
		return nil
	}
	m, filled := c.of.model, c.filled(d)
	p, err := m.Predict(filled.X)
	if err != nil {
		return err
	}
	decides, err := c.decides(d.X)
	if err != nil {
		return err
	}
	if c.losses == nil {
		c.losses, c.errors = c.begun()
	}
	add := func(to []totals, out int, v func(n int) float64) {
		for n := range d.Len() {
			to[len(to)-1].add(v(n))
			if out < len(decides) && decides[out][n] >= 0 {
				to[decides[out][n]].add(v(n))
			}
		}
	}
	if !c.of.numbers(p) {
		losses := model.Losses(m, p, filled, 1)
		add(c.losses, 0, func(n int) float64 { return losses[n] })
		return nil
	}
	for out, predicted := range p.All() {
		observed := d.Y
		if out > 0 {
			observed = d.Others[out-1]
		}
		add(c.errors[out], out, func(n int) float64 { return predicted[n] - observed[n] })
		if out == 0 {
			add(c.losses, 0, func(n int) float64 { return math.Abs(predicted[n] - observed[n]) })
		}
	}
	return nil
}

// numbers reports whether predictions are numbers to compare with the targets, and not classes or several quantiles.
func (r *Reference) numbers(p model.Predictions) bool {
	return r.model.Schema.Classes == nil && len(p.All()) == len(r.model.Schema.Targets())
}

func (c *Counts) begun() (losses []totals, errors [][]totals) {
	of := func(out int) []totals {
		if c.rules == nil {
			return make([]totals, 1)
		}
		return make([]totals, len(c.rules[min(out, len(c.rules)-1)])+1)
	}
	for out := range c.of.model.Schema.Targets() {
		errors = append(errors, of(out))
	}
	return of(0), errors
}

// Merge adds the counts of other rows, of the same reference.
func (c *Counts) Merge(other *Counts) {
	c.Rows += other.Rows
	for i := range c.columns {
		a, b := &c.columns[i], other.columns[i]
		sum(a.groups, b.groups)
		a.missing, a.unknown, a.below, a.above = a.missing+b.missing, a.unknown+b.unknown, a.below+b.below, a.above+b.above
	}
	for out := range c.rules {
		sum(c.rules[out], other.rules[out])
	}
	if other.losses == nil {
		return
	}
	if c.losses == nil {
		c.losses, c.errors = c.begun()
	}
	for k := range c.losses {
		c.losses[k].merge(other.losses[k])
	}
	for out := range c.errors {
		for k := range c.errors[out] {
			c.errors[out][k].merge(other.errors[out][k])
		}
	}
}

// clear forgets cells and rules.
func (c *Counts) clear() {
	c.Rows = 0
	for i := range c.columns {
		groups := c.columns[i].groups
		clear(groups)
		c.columns[i] = columnCounts{groups: groups}
	}
	for _, of := range c.rules {
		clear(of)
	}
}

func sum(to, from []int) {
	for i := range to {
		to[i] += from[i]
	}
}

// rareness returns the share of rows to expect of levels that none of these rows has: by Good and Turing (Biometrika 40, 1953), that of the
// levels which one row has, which is at least one of them here.
func (c columnCounts) rareness() float64 {
	rows, once := 0, 1
	for _, n := range c.groups {
		rows += n
		if n == 1 {
			once++
		}
	}
	return min(1, float64(once)/float64(rows+1))
}

// known returns the number of known cells.
func (c columnCounts) known() (n int) {
	for _, k := range c.groups {
		n += k
	}
	return n
}

// totals are those of numbers.
type totals struct {
	n          int
	mean, rest float64 // rest is the sum of the squared differences from the mean
}

func (t *totals) add(v float64) { t.merge(totals{1, v, 0}) }

// merge adds the numbers of other totals (Chan, Golub and LeVeque, 1979).
func (t *totals) merge(o totals) {
	n := t.n + o.n
	if o.n == 0 {
		return
	}
	d, share := o.mean-t.mean, float64(o.n)/float64(n)
	t.rest += o.rest + float64(d*d*float64(t.n)*share)
	t.mean += float64(d * share)
	t.n = n
}

// error returns the squared standard error of the mean.
func (t totals) error() float64 { return t.rest / float64(t.n) / float64(t.n-1) }
