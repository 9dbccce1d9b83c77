package page

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Importance is the permutation importance of a column: by how much the figure
// by which models are compared rises, see [model.Criterion], such as the RMSE or the log loss,
// when its values are permuted among the rows (L. Breiman,
// Random forests, Machine Learning 45 (2001); A. Fisher, C. Rudin, F. Dominici, All
// models are wrong, but many are useful, JMLR 20 (2019)). Columns with the same information
// replace one another: then each seems less important than both are together.
type Importance struct {
	Column int     `json:"column"` // index into the schema's columns
	Name   string  `json:"name"`
	Mean   float64 `json:"mean"` // over the permutations
	SD     float64 `json:"sd"`
}

const (
	shuffles  = 5
	maxGrades = 1e9 // limit of the membership grades that Permute computes
	leastRows = 100
)

// Permute returns the importances of the columns that the model uses, in descending order, and
// the number of rows permuted: all, or a sample that takes some seconds. The features of a
// one-hot column are permuted together. The same data give the same numbers.
func Permute(m *model.Model, d *data.Dataset) ([]Importance, int, error) {
	used := 0
	for _, c := range m.Schema.Columns {
		if !c.Unused {
			used++
		}
	}
	work := float64(used) * shuffles * float64(functions(m))
	chosen := some(d.Len(), max(leastRows, int(maxGrades/work)))
	d = d.Subset(chosen)
	before, err := loss(m, d, d.X)
	if err != nil {
		return nil, 0, err
	}
	var all []Importance
	first := 0
	for i, c := range m.Schema.Columns {
		width := c.Width()
		if !c.Unused {
			rises := make([]float64, shuffles)
			for s := range rises {
				rng := rand.New(rand.NewPCG(uint64(s), uint64(i)))
				after, err := loss(m, d, shuffled(d.X, first, width, rng))
				if err != nil {
					return nil, 0, err
				}
				rises[s] = after - before
			}
			mean, sd := moments(rises)
			all = append(all, Importance{Column: i, Name: c.Name, Mean: mean, SD: sd})
		}
		first += width
	}
	slices.SortStableFunc(all, func(a, b Importance) int { return cmp.Compare(b.Mean, a.Mean) })
	return all, len(chosen), nil
}

// functions returns the number of membership functions of a prediction.
func functions(m *model.Model) int {
	if !m.Committee() {
		return m.RuleBase.Rules() * m.RuleBase.Features()
	}
	n := 0
	for _, member := range m.Members {
		n += functions(member)
	}
	return n
}

// shuffled returns the rows with the values of width features permuted among them.
func shuffled(x [][]float64, first, width int, rng *rand.Rand) [][]float64 {
	moved := make([][]float64, len(x))
	for i, from := range rng.Perm(len(x)) {
		moved[i] = slices.Clone(x[i])
		copy(moved[i][first:first+width], x[from][first:first+width])
	}
	return moved
}

// loss returns the figure of the model for the samples of a data set with features x.
func loss(m *model.Model, d *data.Dataset, x [][]float64) (float64, error) {
	p, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	return m.Measure(p, d).Loss, nil
}

// moments returns the mean and the standard deviation with divisor n-1.
func moments(values []float64) (mean, sd float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		sd = math.Hypot(sd, v-mean) // the sum of squares could overflow
	}
	return mean, sd / math.Sqrt(n-1)
}
