package page

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// Limits of the pairs of columns that are drawn together.
const (
	pairedColumns  = 8    // the most important
	pairedRows     = 60   // of which pairs are measured
	leastTogether  = 0.05 // of the spread of a prediction
	mostOfTogether = 20   // pairs
)

// Together returns the pairs of the first of some columns, by their indices in the schema, that act together: what one of them changes
// in a prediction depends on the other. The pair that does so most comes first. With a and b the cells of two columns in a row, and a'
// and b' those in another one, it is the root mean square of f(a', b') - f(a', b) - f(a, b') + f(a, b) over rows.
func Together(m *model.Model, d *data.Dataset, ranked []Importance) ([][2]int, error) {
	type pair struct {
		columns  [2]int
		together float64
	}
	var all []pair
	var columns []int
	for _, i := range ranked[:min(pairedColumns, len(ranked))] {
		columns = append(columns, i.Column)
	}
	some := d.Subset(numeric.Some(d.Len(), pairedRows)).X
	is, err := newExchange(m, some, columns)
	if err != nil {
		return nil, err
	}
	for i, a := range columns {
		for _, b := range columns[:i] {
			together, err := is.together(a, b)
			if err != nil {
				return nil, err
			}
			if together > leastTogether {
				all = append(all, pair{[2]int{min(a, b), max(a, b)}, together})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(b.together, a.together) })
	var pairs [][2]int
	for _, p := range all[:min(mostOfTogether, len(all))] {
		pairs = append(pairs, p.columns)
	}
	return pairs, nil
}

// exchange has the predictions of rows with the cells of columns from other rows.
type exchange struct {
	m       *model.Model
	rows    [][]float64
	from    []int               // [N] of each row, the one whose cells it gets
	as      [][]float64         // [J][N] predictions of the rows as they are
	without map[int][][]float64 // [column][J][N] with the cells of a column exchanged
}

func newExchange(m *model.Model, rows [][]float64, columns []int) (*exchange, error) {
	from := rand.New(rand.NewPCG(1, 3)).Perm(len(rows))
	e := &exchange{m: m, rows: rows, from: from, without: map[int][][]float64{}}
	var err error
	if e.as, err = e.with(); err != nil {
		return nil, err
	}
	for _, c := range columns {
		if e.without[c], err = e.with(c); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// with returns the predictions of the rows with the cells of some columns from others.
func (e *exchange) with(columns ...int) ([][]float64, error) {
	x := make([][]float64, len(e.rows))
	for n := range x {
		x[n] = slices.Clone(e.rows[n])
		other, first := e.rows[e.from[n]], 0
		for i, c := range e.m.Schema.Columns {
			if slices.Contains(columns, i) {
				copy(x[n][first:first+c.Width()], other[first:])
			}
			first += c.Width()
		}
	}
	p, err := e.m.Predict(x)
	if err != nil {
		return nil, err
	}
	return p.All(), nil
}

// together returns by how much two columns act together, as a share of the spread of the prediction; of several, the most.
func (e *exchange) together(a, b int) (most float64, err error) {
	both, err := e.with(a, b)
	if err != nil {
		return 0, err
	}
	for j, as := range e.as {
		low, high := e.m.Values()[j].Limits()
		squares := 0.0
		for n, v := range as {
			all := []float64{v, e.without[a][j][n], e.without[b][j][n], both[j][n]}
			if slices.Min(all) > low && slices.Max(all) < high { // at a limit, columns meet that do not elsewhere
				squares = math.Hypot(squares, all[3]-all[1]-all[2]+all[0])
			}
		}
		if spread := spreadOf(as); spread > 0 {
			most = max(most, squares/math.Sqrt(float64(len(as)))/spread)
		}
	}
	return most, nil
}

// spreadOf returns half the range of the middle two thirds of some values, a standard deviation that no outlier moves; if they are
// equal, the standard deviation.
func spreadOf(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if half := (numeric.Quantile(sorted, 0.84) - numeric.Quantile(sorted, 0.16)) / 2; half > 0 {
		return half
	}
	_, sd := moments(values)
	return sd
}
