package fit

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// pageOutputs returns the training part as the page of each output of the rules sees it, in the unit of the output: a target, log odds or
// a score.
func pageOutputs(prep model.Preprocessing, train *data.Dataset, of recipe.Recipe, o pages.Options) ([]pages.Samples, error) {
	r := of.Train
	s := pages.Samples{Columns: pageColumns(prep, train), Weight: r.LossWeights(train), Groups: pageGroups(train)}
	var err error
	if s.Folds, err = pageFolds(train, o.Seed); err != nil {
		return nil, err
	}
	values, all := prep.Values(), make([]pages.Samples, prep.OutputCount())
	for c := range all {
		j := len(values) - len(all) + c // of two classes the second
		out := (&model.Model{Preprocessing: prep}).Output(c)
		s.Target, s.Unit = out.Schema.Target, out.Schema.TargetUnit
		low, high := out.Target.Limits()
		s.Limits = &[2]float64{low, high}
		s.Y, s.Loss = prep.Observed(train, j), pageLoss(r, len(train.Schema.Classes), values[j])
		if s.Loss == (pages.Logistic{}) {
			s.Class, s.Seen = values[j].Name, slices.Clone(s.Y)
			r.Smooth(s.Y, len(train.Schema.Classes))
		}
		if c := (pages.Clipped{Low: low, High: high}); of.Model.Range != nil && s.Loss == nil && c.Binds(s.Y) {
			s.Loss = c
		}
		s.Columns = slices.Clone(s.Columns)
		for j := range s.Columns {
			column := &s.Columns[j]
			lacks := of.Model.Lacks(column.Name)
			column.NoIf, column.NoThen = lacks&rules.KeepIf != 0, lacks&rules.KeepThen != 0
			if !column.Beside {
				column.Sign = of.Model.Monotone.Of(column.Name, c, prep.Schema)
			}
		}
		s.Together = together(of.Model.Interactions, s.Columns)
		all[c] = s
	}
	return all, nil
}

// together returns the groups of columns that may meet, by number; nil: any.
func together(groups recipe.Interactions, columns []pages.Column) (all [][]int) {
	for _, group := range groups {
		numbers := []int{}
		for j, c := range columns {
			if slices.Contains(group, c.Name) {
				numbers = append(numbers, j)
			}
		}
		all = append(all, numbers)
	}
	return all
}

// pageLoss returns the loss of a page for a value; nil: the squared error.
func pageLoss(r recipe.Train, classes int, v model.Value) pages.Loss {
	r.TargetWeights = nil
	switch l := r.LossFunction(classes).(type) {
	case loss.Logistic, loss.Softmax:
		return pages.Logistic{}
	case loss.Quantile:
		return pages.Quantile{Level: v.Level}
	case loss.Absolute:
		return pages.Absolute{}
	case loss.Huber:
		return pages.Huber{Delta: l.Delta * v.Factor}
	}
	return nil
}

// pageFolds returns the folds of a part: they keep groups and equal rows together, and in time order each is predicted from the rows before
// it. nil: there are too few different rows, which have no groups.
func pageFolds(train *data.Dataset, seed uint64) (all []pages.Fold, err error) {
	var folds []data.Fold
	for k := pages.FoldCount(train.Len()); k >= 2 && folds == nil; k-- { // there may be few groups
		folds, err = train.Folds(k, rand.New(rand.NewPCG(seed, pageStream)))
	}
	for _, f := range folds {
		all = append(all, pages.Fold(f))
	}
	if !train.Ordered && train.Groups == nil {
		err = nil
	}
	return all, err
}

// orderedBlocks is the number of blocks of consecutive rows, in time order, that random samples are drawn by.
const orderedBlocks = 100

// pageGroups numbers the groups of a part, or blocks of rows in time order, which random samples have together; nil: each row for itself.
func pageGroups(train *data.Dataset) []int {
	if !train.Ordered && train.Groups == nil {
		return nil
	}
	numbers, n := make([]int, train.Len()), train.Len()
	known := slices.Compact(slices.Sorted(slices.Values(train.Groups)))
	for i := range numbers {
		if train.Ordered {
			numbers[i] = i * min(n, orderedBlocks) / n
		} else {
			numbers[i], _ = slices.BinarySearch(known, train.Groups[i])
		}
	}
	return numbers
}

// pageStream separates the folds of pages from the other random streams of the same seed.
const pageStream = 0x70616765 // "page"

// pageColumns returns the columns of a training part in the units of its table, without constant columns and levels. Missing cells are as
// the model reads them, see model.Preprocessing.ReadMissing.
func pageColumns(prep model.Preprocessing, train *data.Dataset) (all []pages.Column) {
	first := 0
	for _, c := range prep.Schema.Parts() {
		features := prep.Features[first:][:c.Width()]
		column := pages.Column{Name: c.Name, Unit: c.Unit, Beside: c.Beside()}
		switch used := slices.ContainsFunc(features, func(f model.Feature) bool { return !f.Constant }); {
		case !used:
		case c.Nominal():
			column.Levels, column.Codes = pageLevels(c, features, first, train.X)
		default:
			at := features[0].Mean // of a missing cell
			for _, row := range train.X {
				v := row[first]
				if math.IsNaN(v) {
					v = at
				}
				column.Values = append(column.Values, v)
			}
		}
		if !c.Numbers() && column.Values != nil {
			column.Levels, column.Ordered = c.Levels, true
			for _, v := range column.Values {
				column.Codes = append(column.Codes, int(v)-1)
			}
			column.Values = nil
		}
		if column.Values != nil || column.Codes != nil {
			all = append(all, column)
		}
		first += c.Width()
	}
	return all
}

// pageLevels returns the levels of a column that occur, and which of them the cell of each row is; their number if none.
func pageLevels(c data.Column, features []model.Feature, first int, x [][]float64) (levels []string, codes []int) {
	var columns []int
	for k, f := range features {
		if !f.Constant {
			levels, columns = append(levels, c.Levels[k]), append(columns, first+k)
		}
	}
	for _, row := range x {
		code := slices.IndexFunc(columns, func(m int) bool { return row[m] == 1 })
		if code < 0 {
			code = len(levels)
		}
		codes = append(codes, code)
	}
	return levels, codes
}
