package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Split says how a Dataset is divided. The zero value draws 70% of the rows for training, the rest for test.
type Split struct {
	Kind       string  // random (default), chronological (rows in order: train, validation, test), or column
	Column     string  // for Kind column, and only there: the column whose cells say train, validation or test
	Train      float64 // share of the rows, 0..1; 0: 0.7 (all that Validation leaves, with a test file)
	Validation float64 // share of the rows, 0..1; what both leave is for test
	Seed       uint64  // of the permutation, for Kind random
}

// Parts are a divided Dataset. Train has at least one row; a part without rows is nil.
type Parts struct{ Train, Validation, Test *Dataset }

const (
	splitRandom        = "random"
	splitChronological = "chronological"
	splitColumn        = "column"

	defaultTrain = 0.7
	splitStream  = 0x73706c6974 // the random stream of the split, whatever else its seed drives
)

// mark is the part a row belongs to.
type mark uint8

const (
	inTrain mark = iota
	inValidation
	inTest
)

// Validate checks the kind, the shares and what goes together.
func (sp Split) Validate() error {
	switch sp.Kind {
	case "", splitRandom, splitChronological:
		if sp.Column != "" {
			return fmt.Errorf("data.split_column: %s applies only with data.split: column", quote(sp.Column))
		}
	case splitColumn:
		if sp.Train != 0 || sp.Validation != 0 {
			return fmt.Errorf("data.split: column: the column says the parts, so data.train and data.validation do not apply")
		}
		return nil
	default:
		return fmt.Errorf("data.split: %s: want random, chronological or column", quote(sp.Kind))
	}
	if !(sp.Validation >= 0 && sp.Validation < 1) {
		return fmt.Errorf("data.validation: %v: want a share from 0, below 1", sp.Validation)
	}
	if !(sp.Train >= 0 && sp.Train <= 1) {
		return fmt.Errorf("data.train: %v: want a share from 0 to 1", sp.Train)
	}
	if train := sp.train(); train+sp.Validation > 1+1e-9 {
		return fmt.Errorf("data.train and data.validation: %v and %v make more than all rows", train, sp.Validation)
	}
	return nil
}

func (sp Split) train() float64 {
	if sp.Train == 0 {
		return defaultTrain
	}
	return sp.Train
}

// Split divides the samples: round(Train*N) for training, round(Validation*N) for validation, the rest for test,
// each in ascending order of rows. Kind column needs a Dataset read with that Options.SplitColumn. A training part
// without rows, or with a column that is missing in each of them, and a part whose weights are all zero are *Errors.
func (d *Dataset) Split(sp Split) (*Parts, error) {
	if err := sp.Validate(); err != nil {
		return nil, err
	}
	if sp.Kind == splitColumn {
		if d.marks == nil || sp.Column != d.marked {
			return nil, fmt.Errorf("data.split_column: the data were not read with the split column %s", quote(sp.Column))
		}
		return d.parts(d.marks)
	}
	n := d.Len()
	train := int(math.Round(sp.train() * float64(n)))
	validation := int(math.Round(sp.Validation * float64(n)))
	return d.parts(divide(sp, n, train, validation))
}

// carve divides the samples into a validation part and training: no test, that comes from a file of its own.
func (d *Dataset) carve(sp Split) (*Parts, error) {
	n := d.Len()
	validation := int(math.Round(sp.Validation * float64(n)))
	return d.parts(divide(sp, n, n-validation, validation))
}

// divide marks n rows in order, or in the order of a random permutation. Shares that both round up may make n+1;
// then validation has one less.
func divide(sp Split, n, train, validation int) []mark {
	var order []int
	if sp.Kind != splitChronological {
		order = rand.New(rand.NewPCG(sp.Seed, splitStream)).Perm(n)
	}
	marks := make([]mark, n)
	for i := range marks {
		row := i
		if order != nil {
			row = order[i]
		}
		switch {
		case i < train:
			marks[row] = inTrain
		case i < train+validation:
			marks[row] = inValidation
		default:
			marks[row] = inTest
		}
	}
	return marks
}

// parts divides the samples by their marks, [N].
func (d *Dataset) parts(marks []mark) (*Parts, error) {
	p := &Parts{}
	for _, part := range []struct {
		name string
		mark mark
		to   **Dataset
	}{{"train", inTrain, &p.Train}, {"validation", inValidation, &p.Validation}, {"test", inTest, &p.Test}} {
		var rows []int
		for i, m := range marks {
			if m == part.mark {
				rows = append(rows, i)
			}
		}
		if len(rows) == 0 {
			continue
		}
		subset := d.Subset(rows)
		if err := subset.checkWeights(); err != nil {
			return nil, faultf("", "the %s part: %v", part.name, err)
		}
		if c := subset.emptyColumn(); c != "" && part.mark == inTrain {
			return nil, faultf("", "the train part: column %s has no value in any row: ignore it (data.ignore)", quote(c))
		}
		*part.to = subset
	}
	if p.Train == nil {
		return nil, faultf("", "no row of %d is left for training: give more rows, or a larger data.train", len(marks))
	}
	return p, nil
}

// all returns the parts that have rows, by the name of their file.
func (p *Parts) all() []namedPart {
	parts := []namedPart{{"train.csv", p.Train}, {"validation.csv", p.Validation}, {"test.csv", p.Test}}
	return slices.DeleteFunc(parts, func(n namedPart) bool { return n.data == nil })
}

type namedPart struct {
	file string
	data *Dataset
}
