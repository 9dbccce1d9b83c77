package data

import (
	"cmp"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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
	order := inOrder(n)
	folds := make([]Fold, k)
	for f := range folds {
		start, end := (blocks-1-f)*n/blocks, (blocks-f)*n/blocks
		folds[f] = Fold{Train: order[:start:start], Held: order[start:end]}
	}
	return folds
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
			return table.Faultf("", "a fold would train without the class %s, whose samples are too few, all equal, of one group or all late in time: leave its rows out, or join it with another class", escape.Quote(lost))
		}
	}
	return nil
}
