package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// The limits of cross-validation.
const (
	errorCells = 64   // sums of squared errors, of every 64th row each, of which standard errors are computed
	mostWorse  = 0.02 // of the least error, that of a smaller page may exceed it by
)

// setting is what cross-validation compares: pages of a search of this kind, of this many tables and rules, with terms and knots taken out
// until the numbers are within a budget.
type setting struct {
	kind                  kind
	tables, rules, budget int
}

// MarshalJSON writes the numbers of the setting.
func (s setting) MarshalJSON() ([]byte, error) {
	return json.Marshal([]int{int(s.kind), s.tables, s.rules, s.budget})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *setting) UnmarshalJSON(text []byte) error {
	var of [4]int
	err := json.Unmarshal(text, &of)
	*s = setting{kind(of[0]), of[1], of[2], of[3]}
	return err
}

// grid is the settings of all folds: [kind][tables][rules-1][budget].
type grid[T any] [kinds][][][]T

// budgets returns the budgets that are compared, descending from the largest.
func budgets(most int) (all []int) {
	for b := most; b > 1; b -= max(1, min(5, b/8)) {
		all = append(all, b)
	}
	return append(all, 1)
}

// trial is one fold, or the whole part.
type trial struct {
	versions grid[*version]
	errors   grid[[]float64] // [errorCells] sums of weighted squared errors, or losses, of the rows left out
}

// scaled returns the target of mean zero and variance one, its mean and its standard deviation; of a constant one zeros, and 1.
func scaled(y, weight []float64) (z []float64, mean, sd float64) {
	mean = numeric.WeightedMean(y, weight)
	z = make([]float64, len(y))
	sum := 0.0
	for i, v := range y {
		z[i] = v - mean
		sum += float64(numeric.WeightAt(weight, i) * float64(z[i]*z[i]))
	}
	sd = math.Sqrt(sum / numeric.WeightSum(weight, len(y)))
	if sd <= 1e-12*math.Abs(mean) {
		sd = 0
	}
	for i := range z {
		if sd == 0 {
			z[i] = 0
		} else {
			z[i] /= sd
		}
	}
	return z, mean, cmp.Or(sd, 1)
}

// at returns some rows, without their folds.
func (s Samples) at(rows []int) Samples {
	out := s
	out.Y, out.Weight, out.Groups, out.offset = pick(s.Y, rows), pick(s.Weight, rows), pick(s.Groups, rows), pick(s.offset, rows)
	out.Seen, out.truth, out.Folds, out.Columns = pick(s.Seen, rows), s.truth.at(rows), nil, nil
	for _, c := range s.Columns {
		c.Values, c.Codes = pick(c.Values, rows), pick(c.Codes, rows)
		out.Columns = append(out.Columns, c)
	}
	return out
}

func pick[V any](v []V, rows []int) []V {
	if v == nil {
		return nil
	}
	out := make([]V, len(rows))
	for i, r := range rows {
		out[i] = v[r]
	}
	return out
}

// try grows the drafts of some rows, and measures their versions on others, if there are any. It calls done after each kind.
func try(ctx context.Context, train, test Samples, o Options, budgets []int, done func()) (*trial, error) {
	f := newFrame(train)
	y, mean, sd := scaled(train.Y, train.Weight)
	t := &trial{}
	m := measure{t: t, n: len(test.Y)}
	if m.n > 0 {
		m.f, m.of = f.applied(test), test.measured()
		m.mean, m.sd, m.low, m.high = mean, sd, math.Inf(-1), math.Inf(1)
		if o.Low < o.High {
			m.low, m.high = o.Low, o.High
		}
	}
	for kind := range kinds {
		if !o.has(kind) {
			continue
		}
		drafts, err := f.drafts(ctx, y, mean/sd, o, setting{kind: kind, tables: anyTables})
		if err != nil {
			return nil, err
		}
		m.parts = nil
		for _, sizes := range drafts {
			var versions [][]*version
			var errors [][][]float64
			for _, d := range sizes {
				path := d.solve().path(budgets)
				versions, errors = append(versions, path), append(errors, m.errors(d, path))
			}
			t.versions[kind], t.errors[kind] = append(t.versions[kind], versions), append(t.errors[kind], errors)
		}
		o.first = nil
		done()
	}
	return t, ctx.Err()
}

// measure measures versions on rows that they were not fitted to.
type measure struct {
	t                   *trial
	n                   int
	f                   *frame
	of                  Samples
	mean, sd, low, high float64
	parts               []part
}

// errors returns the sums of squared errors of the versions of a draft; nil without a version.
func (m *measure) errors(d *draft, path []*version) [][]float64 {
	out := make([][]float64, len(path))
	if m.n == 0 {
		return out
	}
	if m.parts == nil {
		for k := range d.parts {
			m.parts = append(m.parts, d.parts[k].on(m.f))
		}
	}
	leaf := m.f.leafOf(d.tree)
	for i, v := range path {
		switch {
		case v == nil:
		case i > 0 && v == path[i-1]:
			out[i] = out[i-1]
		default:
			out[i] = make([]float64, errorCells)
			for r, p := range v.predict(m.f, m.parts, leaf) {
				out[i][r%errorCells] += m.of.loss(min(max(m.mean+float64(m.sd*p), m.low), m.high), r)
			}
		}
	}
	return out
}

// FoldCount returns the number of folds of cross-validation on n rows.
func FoldCount(n int) int {
	switch {
	case n >= 4000:
		return 3
	case n >= 1500:
		return 5
	}
	return min(n, 10)
}

// folds returns the folds of the samples, by default at random.
func (s Samples) folds(seed uint64) []Fold {
	if s.Folds != nil {
		return s.Folds
	}
	n := len(s.Y)
	out := make([]Fold, FoldCount(n))
	for i, r := range rand.New(rand.NewPCG(seed, 32)).Perm(n) {
		out[i%len(out)].Held = append(out[i%len(out)].Held, r)
	}
	for k := range out {
		slices.Sort(out[k].Held)
		for r := range n {
			if _, held := slices.BinarySearch(out[k].Held, r); !held {
				out[k].Train = append(out[k].Train, r)
			}
		}
	}
	return out
}

// heldWeight returns the weight of the rows that folds hold out, together.
func (s Samples) heldWeight(folds []Fold) (sum float64) {
	for _, f := range folds {
		for _, r := range f.Held {
			sum += numeric.WeightAt(s.Weight, r)
		}
	}
	return sum
}

// crossed is a cross-validation.
type crossed struct {
	*team
	whole  *trial            // of all rows
	errors []grid[[]float64] // [folds]
	sums   grid[[]float64]   // errors of the settings over all folds; nil where a fold has none
}

// crossValidate grows the drafts of all rows, and of each fold's others, which it measures on the rows held out.
func crossValidate(ctx context.Context, s Samples, o Options) (*crossed, error) {
	c := &crossed{team: newTeam(s, o)}
	first := func(sizes []*draft) {
		o.provisional(s, sizes[min(startRules, len(sizes))-1].solve().path([]int{o.Numbers})[0])
	}
	o.factors = s.promisesFactors(o)
	done := o.counter(StageSearch, len(c.trials)*o.kinds())
	answers, err := c.each(ctx, len(c.trials), func(k int) question {
		q := question{Ask: askTrial, K: k, Factors: o.factors, done: done, step: o.kinds()}
		if k == 0 {
			q.first = first
		}
		return q
	})
	if err != nil {
		return nil, err
	}
	c.whole = c.trials[0]
	for _, a := range answers[1:] {
		c.errors = append(c.errors, a.Errors)
	}
	for kind, tables := range c.whole.versions {
		for t, sizes := range tables {
			c.sums[kind] = append(c.sums[kind], make([][][]float64, len(sizes)))
			for l, versions := range sizes {
				c.sums[kind][t][l] = make([][]float64, len(c.budgets))
				for b, v := range versions {
					if v != nil {
						c.sums[kind][t][l][b] = c.total(kind, t, l, b)
					}
				}
			}
		}
	}
	return c, nil
}

// total adds up the errors of a setting over the folds; nil where a fold has none.
func (c *crossed) total(kind, t, l, b int) []float64 {
	sum := make([]float64, errorCells)
	for _, of := range c.errors {
		cells := own(of[kind], t, l, b)
		if cells == nil {
			return nil
		}
		for i, v := range cells {
			sum[i] += v
		}
	}
	return sum
}

// own returns what a fold has of a setting. A fold that found fewer tables or rules is measured with the most that it has.
func own[T any](of [][][]T, t, l, b int) (none T) {
	if len(of) == 0 {
		return none
	}
	sizes := of[min(t, len(of)-1)]
	if len(sizes) == 0 {
		return none
	}
	return sizes[min(l, len(sizes)-1)][b]
}
