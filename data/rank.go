package data

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// rankRows is the number of rows at the mean of all rows that are added to those of a level: the mean of a few rows says little.
const rankRows = 10

// rank makes each column coded [Ranked] one with an order: that of the means of the (first) target over the training rows of a level,
// shrunk to the mean of all by [rankRows]. A level without a training row is at the mean of all. Equal means keep the order of the
// levels before. More than two classes have no means, which is an error.
func (p *Parts) rank() error {
	schema, order, err := ranked(p.Train)
	if order == nil {
		return err
	}
	for _, part := range p.all() {
		d := part.data
		d.Schema = schema
		for _, row := range d.X {
			for m, place := range order {
				if place != nil && !math.IsNaN(row[m]) {
					row[m] = place[int(row[m])-1]
				}
			}
		}
	}
	return nil
}

// ranked returns the schema of a training part with its ranked columns in order, and, by feature, the new number of each level; nil
// without such a column.
func ranked(train *Dataset) (schema table.Schema, order [][]float64, err error) {
	schema, feature := train.Schema, 0
	schema.Columns = slices.Clone(schema.Columns)
	for i, c := range schema.Columns {
		if c.Encoding == table.Ranked {
			if len(schema.Classes) > 2 {
				return schema, nil, table.KeyFault("data.categorical", "column %s: ranked needs a target of numbers or of two classes: code it onehot",
					escape.Quote(c.Name)).RestingOn("data.target")
			}
			if order == nil {
				order = make([][]float64, train.width())
			}
			c.Encoding = table.Ordinal
			c.Levels, order[feature] = rankLevels(train, feature, c.Levels)
			schema.Columns[i] = c
		}
		feature += c.Width()
	}
	return schema, order, nil
}

// rankLevels returns the levels of a feature in the order of the target, and the place of each of them, from 1.
func rankLevels(train *Dataset, feature int, levels []string) (sorted []string, place []float64) {
	sums, weights := make([]float64, len(levels)), make([]float64, len(levels))
	total, all := 0.0, 0.0
	for n, y := range train.Y {
		w := numeric.WeightAt(train.Weights, n)
		total, all = total+float64(w*y), all+w
		if x := train.X[n][feature]; !math.IsNaN(x) {
			sums[int(x)-1] += float64(w * y)
			weights[int(x)-1] += w
		}
	}
	mean, by := total/all, make([]int, len(levels))
	for k := range levels {
		by[k] = k
		sums[k] = (sums[k] + float64(rankRows*mean)) / (weights[k] + rankRows)
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(sums[a], sums[b]) })
	place = make([]float64, len(levels))
	for i, k := range by {
		sorted = append(sorted, levels[k])
		place[k] = float64(i + 1)
	}
	return sorted, place
}

// rankedLarge is large for a table with ranked columns: it reads the table again once the order of their levels is known.
func (re *loading) rankedLarge(ctx context.Context, a assignment, o table.Options) (*Parts, error) {
	p, err := re.large(ctx, a, o)
	if err != nil || p.Train == nil {
		return p, err
	}
	schema, order, err := ranked(p.Train)
	if order == nil && err == nil {
		return p, nil
	}
	if err = errors.Join(err, p.Close()); err != nil {
		return nil, err
	}
	o.Categorical = maps.Clone(o.Categorical)
	for _, c := range schema.Columns {
		if o.Categorical[c.Name].Encoding == table.Ranked {
			o.Categorical[c.Name] = table.NewCoding(c.Levels, true)
		}
	}
	return loadingBy(o, re.In).large(ctx, a, o)
}
