package data

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
