package data

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Split divides the samples of positive weight: round(Train*N) for training, round(Validation*N) for validation, the rest for test,
// each in ascending order of rows, and random ones with the shares of the classes if there are no groups; then
// round(Calibration*n) of the n training samples for calibration. Rows of one group (see Options.Group) stay together,
// so random parts have the nearest sizes that whole groups allow. Equal rows stay together in the calibration part only:
// a test part is a plain sample of the table. The parts of Kind chronological are Ordered, those of Kind random are not.
// Kind column needs a Dataset read with that Options.SplitColumn. A training part without rows or without some class, or with a
// column that is missing in each of them, is an *Error, and so are sizes and targets that [Dataset.Validate] refuses.
func (d *Dataset) Split(sp Split) (*Parts, error) {
	if err := sp.Validate(); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	d = counted(d)
	if sp.Kind == splitColumn {
		if d.marks == nil || sp.Column != d.marked {
			return nil, table.KeyFault("data.split_column", "the data were not read with the split column %s", escape.Quote(sp.Column))
		}
		return partsOf(d, sp, d.marks)
	}
	return cut(d, sp, int(math.Round(sp.train()*float64(d.Len()))))
}

// Folds divides the samples into k folds, at least 2, for cross-validation, which holds out each in turn. Folds have
// nearly equal numbers of samples; those of a group stay together, and so do samples that are equal, target included,
// since a model that has seen one of them has seen the other. Without groups, each fold has its share of each class. Indices are
// ascending.
//
// Where the samples are in time order (see Dataset.Ordered) they are divided into k+1 blocks, each of which but the
// first is held out and predicted from all before it, the last one first; rng is not used. Equal samples may then be
// divided, since the past is known.
//
// Too few samples or groups are an *Error, and so are training samples without some class, and sizes and targets that
// [Dataset.Validate] refuses.
func (d *Dataset) Folds(k int, rng *rand.Rand) ([]Fold, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if k < 2 || !d.Ordered && rng == nil {
		return nil, table.Faultf("", "%d folds: want at least 2, and random numbers unless the samples are in time order", k)
	}
	if d.Ordered {
		if n := d.Len(); n < k+1 {
			return nil, table.Faultf("", "%d folds of %d samples in time order: set tune.folds to at most %d", k, n, n-1)
		}
		folds := blocks(d, k+1, k)
		if len(folds) < k {
			return nil, table.Faultf("", "%d folds of too few times: set tune.folds to at most %d", k, len(folds))
		}
		if err := checkFolds(d, folds); err != nil {
			return nil, err
		}
		return folds, nil
	}
	undivided := units(d, true)
	if len(undivided) < k {
		return nil, table.Faultf("", "%d folds of %d different samples or groups: set tune.folds to at most %d", k, len(undivided),
			len(undivided))
	}
	rng.Shuffle(len(undivided), func(i, j int) { undivided[i], undivided[j] = undivided[j], undivided[i] })
	slices.SortStableFunc(undivided, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	members := deal(d, undivided, k)
	folds := make([]Fold, k)
	for f := range folds {
		for g, rows := range members {
			if g == f {
				folds[f].Held = slices.Sorted(slices.Values(rows))
			} else {
				folds[f].Train = append(folds[f].Train, rows...)
			}
		}
		slices.Sort(folds[f].Train)
	}
	if err := checkFolds(d, folds); err != nil {
		return nil, err
	}
	return folds, nil
}

// HoldOut holds out a share of the samples, above 0 and at most a half, k times: drawn at random, with groups and equal
// samples as in Folds and the shares of the classes where there are no groups, in the order in which they were drawn. A draw that
// would hold out more than half of the samples because of whole groups is left out, and so is one that would train without some class.
//
// Where the samples are in time order they are divided into 1/share blocks, k+1 at least, and the last k of them are held
// out and predicted from all before them, the last one first.
//
// It returns fewer than k where the samples do not suffice, and none if the share is less than one sample. rng may be nil
// in time order only.
func (d *Dataset) HoldOut(k int, share float64, rng *rand.Rand) []Fold {
	n := d.Len()
	if d.Ordered {
		k = min(k, n-1)
		return slices.DeleteFunc(blocks(d, max(k+1, int(math.Round(1/share))), k), func(f Fold) bool { return lostClass(d, f.Train) != "" })
	}
	held := int(math.Round(share * float64(n)))
	if held < 1 {
		return nil
	}
	draw := shuffler(d, true)
	var folds []Fold
	for range k {
		order, lead := draw(rng)
		end := held
		for end < n && lead[end] < held {
			end++
		}
		if 2*end <= n && lostClass(d, order[end:]) == "" {
			folds = append(folds, Fold{Train: order[end:], Held: order[:end]})
		}
	}
	return folds
}

// Fold is a division of samples for a measurement: the indices (from 0) of those to train on, and of those held out.
type Fold struct{ Train, Held []int }

// HeldToTrain returns the number of samples held out over that of training samples, of all folds together.
func HeldToTrain(folds []Fold) float64 {
	held, train := 0, 0
	for _, f := range folds {
		held, train = held+len(f.Held), train+len(f.Train)
	}
	return float64(held) / float64(train)
}

// blocks divides the samples, in their order, into blocks of nearly equal size, and holds out the last k of them, fewer
// than blocks, each after all before it. The last block comes first, since its training samples are nearest in number
// to the whole.
func blocks(d *Dataset, blocks, k int) []Fold {
	n := d.Len()
	if n < blocks {
		return nil
	}
	order, first := inOrder(n), append(d.instants(), n)
	folds := make([]Fold, k)
	for f := range folds {
		start, end := first[(blocks-1-f)*n/blocks], first[(blocks-f)*n/blocks]
		folds[f] = Fold{Train: order[:start:start], Held: order[start:end]}
	}
	return slices.DeleteFunc(folds, func(f Fold) bool { return len(f.Train) == 0 || len(f.Held) == 0 }) // of many series at one time
}

// deal gives each unit of samples to one of k folds: the one with the fewest samples of its class where d is stratified, then
// with the fewest samples, then the first.
func deal(d *Dataset, units [][]int, k int) [][]int {
	class, classes := func([]int) int { return 0 }, 1
	if stratified(d) {
		class, classes = func(unit []int) int { return int(d.Y[unit[0]]) }, len(d.Schema.Classes)
	}
	members, counts := make([][]int, k), make([][]int, k)
	for f := range counts {
		counts[f] = make([]int, classes)
	}
	for _, unit := range units {
		c, smallest := class(unit), 0
		for f := range members {
			if cmp.Or(cmp.Compare(counts[f][c], counts[smallest][c]), cmp.Compare(len(members[f]), len(members[smallest]))) < 0 {
				smallest = f
			}
		}
		members[smallest] = append(members[smallest], unit...)
		counts[smallest][c] += len(unit)
	}
	return members
}

// checkFolds refuses folds of which one trains without some class.
func checkFolds(d *Dataset, folds []Fold) error {
	for _, f := range folds {
		if lost := lostClass(d, f.Train); lost != "" {
			return table.Faultf("",
				"a fold would train without the class %s, whose samples are too few, all equal, of one group or all late in time: leave its rows "+
					"out, or join it with another class", escape.Quote(lost))
		}
	}
	return nil
}
